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
	var disk syscall.Statfs_t
	return syscall.Statfs(folder, &disk) == nil && disk.Bavail*uint64(disk.Bsize) < leastRoom
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
