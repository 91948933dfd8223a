//go:build !linux

package keystore

// freeMemoryKiB returns 1 GiB: it is not known here, but every machine of these kinds has that much.
func freeMemoryKiB(uint64) uint64 { return 1024 * 1024 }

// ForbidDumps does nothing on systems other than Linux.
func ForbidDumps() error { return nil }
