//go:build unix

package keystore

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// openRegular opens a file for reading without following a link or waiting on a pipe.
func openRegular(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
		}
		return nil, err
	}
	var info unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &info); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, errors.Join(errNotRegular, f.Close())
	}
	if int(info.Uid) != os.Geteuid() {
		return nil, errors.Join(errOtherOwner, f.Close())
	}
	return f, nil
}

// syncFolder makes renames in a folder durable.
func syncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

const (
	lockWait  = 3 * time.Second
	lockRetry = 10 * time.Millisecond
)

// lockFile takes a lock that the system releases when the process ends. The file stays: removing it would let two
// processes hold locks on two files of one name.
func lockFile(name string) (func(), error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	for start := time.Now(); ; time.Sleep(lockRetry) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return nil, errors.Join(err, f.Close())
		}
		if time.Since(start) > lockWait {
			return nil, errors.Join(ErrBusy, f.Close())
		}
	}
}
