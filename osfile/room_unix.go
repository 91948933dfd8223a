//go:build unix

package osfile

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// Room returns how many bytes the disk of a folder has left for this user, and how many it has in all; known is false if it does not say.
func Room(folder string) (free, all uint64, known bool) {
	var disk unix.Statfs_t
	if unix.Statfs(folder, &disk) != nil {
		return 0, 0, false
	}
	size := uint64(disk.Bsize)                                  //nolint:gosec,unconvert // the types differ between systems
	return uint64(disk.Bavail) * size, disk.Blocks * size, true //nolint:gosec,unconvert // as above
}

// CheckUsable returns why an existing file cannot be read and written, without opening it: closing one releases the locks that this process
// has on it.
func CheckUsable(path string) error {
	var info unix.Stat_t
	err := unix.Stat(path, &info)
	if err == nil && info.Mode&unix.S_IFMT == unix.S_IFDIR {
		err = unix.EISDIR
	}
	if err == nil {
		err = unix.Access(path, unix.R_OK|unix.W_OK)
	}
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}
