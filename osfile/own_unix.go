//go:build unix

package osfile

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// OpenOwn opens a regular file of this user for reading. It follows no link at the end of the name and waits for no pipe. Errors: ErrNotRegular,
// ErrOtherOwner.
func OpenOwn(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
		}
		return nil, err
	}
	var info unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &info); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, errors.Join(ErrNotRegular, f.Close())
	}
	if int(info.Uid) != os.Geteuid() {
		return nil, errors.Join(ErrOtherOwner, f.Close())
	}
	return f, nil
}

// IsOwn reports whether a file belongs to this user.
func IsOwn(path string) bool {
	var info unix.Stat_t
	return unix.Lstat(path, &info) == nil && int(info.Uid) == os.Geteuid()
}

// Exposure returns who else than the file's owner may use it, in words, "" if nobody may. Its group may if shared accepts the file; nil = no group may.
func Exposure(_ string, info fs.FileInfo, shared func(fs.FileInfo) bool) string {
	if mode := info.Mode().Perm(); mode&0o007 != 0 || mode&0o070 != 0 && (shared == nil || !shared(info)) {
		return "mode " + mode.String()
	}
	return ""
}

// Closing returns the command after which nobody but the owner may use a file or folder.
func Closing(path string) string { return "chmod go= " + ShellWord(path) }
