//go:build linux || darwin

package database

import "syscall"

// leastRoom is what SQLite needs to open a file at all, in bytes.
const leastRoom = 64 << 10

// hasNoRoom reports whether the disk of a folder is full.
func hasNoRoom(folder string) bool {
	var disk syscall.Statfs_t
	return syscall.Statfs(folder, &disk) == nil && disk.Bavail*uint64(disk.Bsize) < leastRoom
}
