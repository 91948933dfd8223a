//go:build linux

package storetest

import "syscall"

// memory is a folder in memory; leastRoom is more bytes than several clusters take.
const (
	memory    = "/dev/shm"
	leastRoom = 2 << 30
)

func roomInMemory() bool {
	var fs syscall.Statfs_t
	return syscall.Statfs(memory, &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= leastRoom //nolint:gosec // no size is negative
}
