//go:build linux || darwin

package database

import (
	"io/fs"
	"os"
	"syscall"
)

// leastRoom is what SQLite needs to open a file at all, in bytes.
const leastRoom = 64 << 10

// hasNoRoom reports whether the disk of a folder is full.
func hasNoRoom(folder string) bool {
	free, _, known := Room(folder)
	return known && free < leastRoom
}

// Room returns how many bytes the disk of a folder has left for this user, and how many it has in all; known is false if it does not say.
func Room(folder string) (free, all uint64, known bool) {
	var disk syscall.Statfs_t
	if syscall.Statfs(folder, &disk) != nil {
		return 0, 0, false
	}
	size := uint64(disk.Bsize)
	return disk.Bavail * size, disk.Blocks * size, true
}

// checkUsable returns why an existing file cannot be read and written, without opening it.
func checkUsable(path string) error {
	const readAndWrite = 4 | 2
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &fs.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
	}
	if err := syscall.Access(path, readAndWrite); err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}
