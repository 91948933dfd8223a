//go:build unix

package postgres

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lock takes a lock that the system releases when the process ends. which identifies the file on this machine.
func lock(f *os.File) (which string, ok bool) {
	var at unix.Stat_t
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil || unix.Fstat(int(f.Fd()), &at) != nil {
		return "", false
	}
	return fmt.Sprintf("%d %d", at.Dev, at.Ino), true
}
