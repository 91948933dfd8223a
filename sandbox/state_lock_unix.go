//go:build unix

package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes a lock that the system releases when the process ends.
func lockFile(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
