//go:build unix

package archive

import (
	"os"

	"billfold/osfile"

	"golang.org/x/sys/unix"
)

// openNonblock keeps open from waiting for the other end of a pipe.
const openNonblock = unix.O_NONBLOCK

// lockFolder locks the folder at name until unlockFolder is called or the process ends. Error: osfile.ErrLocked.
func lockFolder(root *os.Root, name string) (lock *os.File, err error) {
	if lock, err = root.Open(name); err != nil {
		return nil, err
	}
	return lock, osfile.TryLock(lock)
}

func unlockFolder(_ *os.Root, _ string, lock *os.File) { _ = lock.Close() }
