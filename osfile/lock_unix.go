//go:build unix

package osfile

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const noFollow = unix.O_NOFOLLOW

// TryLock locks an open file or folder until it is closed or the process ends. Error: ErrLocked.
func TryLock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrLocked
		}
		return err
	}
}

// Identity returns a text that no other file of this machine has at the same time.
func Identity(f *os.File) (string, error) {
	var at unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &at); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d %d", at.Dev, at.Ino), nil
}
