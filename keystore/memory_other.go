//go:build !linux

package keystore

// freeMemoryKiB is not known here; every machine of these kinds has this much.
func freeMemoryKiB(uint64) uint64 { return 1024 * 1024 }

// ForbidDumps does what a Linux system can: elsewhere nothing.
func ForbidDumps() error { return nil }
