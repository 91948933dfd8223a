package keystore

import "golang.org/x/sys/unix"

// freeMemoryKiB returns 1 GiB: it is not known here, but every machine of this kind has that much.
func freeMemoryKiB(uint64) uint64 { return 1024 * 1024 }

// ForbidDumps keeps the memory of the whole process out of core dumps. Because it concerns the whole process, only a main program should
// call it, once, before a wallet is opened.
func ForbidDumps() error { return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }
