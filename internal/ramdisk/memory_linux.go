package ramdisk

import "syscall"

// memory is a folder that is no disk.
const memory = "/dev/shm"

// leastRoom is much more than the files of all tests take.
const leastRoom = 1 << 30

func roomInMemory() bool {
	var fs syscall.Statfs_t
	return syscall.Statfs(memory, &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= leastRoom //nolint:gosec // no size is negative
}
