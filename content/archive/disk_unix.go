//go:build unix

package archive

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// openNonblock keeps open from waiting for the other end of a pipe.
const openNonblock = unix.O_NONBLOCK

// room returns how many bytes the disk of an open folder has left for this user; what cannot be known is no limit.
func room(folder *os.File) int64 {
	var disk unix.Statfs_t
	if unix.Fstatfs(int(folder.Fd()), &disk) != nil {
		return math.MaxInt64
	}
	free := uint64(disk.Bavail) * uint64(disk.Bsize) //nolint:gosec,unconvert // the types differ between systems
	return int64(min(free, math.MaxInt64))           //nolint:gosec // limited here
}

// lockFolder takes a lock that the system releases when the process ends, and reports whether another holds it.
func lockFolder(folder *os.File) (busy bool, err error) {
	err = unix.Flock(int(folder.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}

// syncFolder makes what was created and renamed in a folder durable.
func syncFolder(folder *os.File) error { return folder.Sync() }
