package osfile

import (
	"errors"
	"os"
	"time"
)

// ErrLocked means that another process, or another open file of this one, holds the lock.
var ErrLocked = errors.New("another program has locked it")

// lockRetry is the interval at which a lock that is waited for is tried.
const lockRetry = 10 * time.Millisecond

// LockFile takes the lock of the file at path, which it creates if there is none, and waits for it at most so long. The system
// releases the lock when the process ends. The file stays: removing it would let two processes hold locks on two files of one name.
// Error: ErrLocked.
func LockFile(path string, wait time.Duration) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	for start := time.Now(); ; time.Sleep(lockRetry) {
		err := TryLock(f)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, ErrLocked) || time.Since(start) > wait {
			return nil, errors.Join(err, f.Close())
		}
	}
}
