//go:build unix

package access

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"billfold/osfile"

	"golang.org/x/sys/unix"
)

const (
	groupWrites = 0o020
	othersWrite = 0o002
	nobody      = 65534 // the owner that a container shows for unknown users
)

// open opens a file without waiting for the other end of a pipe.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
}

func (t Trust) checkInfo(path string, info fs.FileInfo) error {
	uid, _ := owner(info)
	if !trusted(uid) {
		return fmt.Errorf("%s belongs to the user %s, who could have written anything there; "+
			"run billfold as that user, or make it yours with chown", path, userName(uid))
	}
	if mode := info.Mode().Perm(); mode&othersWrite != 0 || mode&groupWrites != 0 && !t.Covers(info) {
		return fmt.Errorf("%s can be written by other users (mode %04o); run: chmod go-w %s%s", path, mode, osfile.ShellWord(path), orTrust(info))
	}
	return nil
}

// orTrust returns the other remedy where a group alone may write. Volumes of containers are made so that their group can.
func orTrust(info fs.FileInfo) string {
	if info.Mode().Perm()&othersWrite != 0 {
		return ""
	}
	_, gid := owner(info)
	return fmt.Sprintf(", or, where a volume has to be so (fsGroup), trust its group: --trust-group %d", gid)
}

// checkParent refuses a folder in which other users can replace path. It allows folders
// with the sticky bit, such as /tmp, where nobody may rename another user's files, and
// the group write bit if the group has the number of the user, as on systems that give
// each user a group, or is trusted.
func (t Trust) checkParent(path, above string, info fs.FileInfo) error {
	uid, gid := owner(info)
	if !trusted(uid) && uid != nobody {
		return fmt.Errorf("%s is in %s, which belongs to the user %s, who could put something else in its place; "+
			"use another folder", path, above, userName(uid))
	}
	mode := info.Mode()
	if mode&fs.ModeSticky != 0 {
		return nil
	}
	open := mode.Perm()&othersWrite != 0 || mode.Perm()&groupWrites != 0 && gid != uid && !t.Covers(info)
	if !open {
		return nil
	}
	return fmt.Errorf("%s is in %s, where other users can write (mode %04o) and could put something else in its place; "+
		"run: chmod go-w %s, or use another folder%s", path, above, mode.Perm(), osfile.ShellWord(above), orTrust(info))
}

// checkLink refuses links that belong to another user, who can redirect them.
func checkLink(path string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	if uid, _ := owner(info); !trusted(uid) && uid != nobody {
		return fmt.Errorf("the link %s belongs to the user %s, who could redirect it; use its target", path, userName(uid))
	}
	return nil
}

func trusted(uid uint32) bool { return uid == 0 || int(uid) == os.Geteuid() }

func owner(info fs.FileInfo) (uid, gid uint32) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nobody, nobody
	}
	return s.Uid, s.Gid
}

func userName(uid uint32) string {
	id := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return id
}

// SocketOwner returns the user of a socket. It refuses a socket in a folder that somebody else than that user, root and this one can write, who
// could have put another one there.
func SocketOwner(path string) (uid int, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	user, _ := owner(info)
	folder := filepath.Dir(path)
	if info, err = os.Stat(folder); err != nil {
		return 0, err
	}
	if by, _ := owner(info); by != user && !trusted(by) || info.Mode().Perm()&(groupWrites|othersWrite) != 0 {
		return 0, fmt.Errorf("others than its user can write the folder %s, and could have put the socket there; nothing was sent to it", folder)
	}
	return int(user), nil
}
