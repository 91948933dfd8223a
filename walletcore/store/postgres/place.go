package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// lockName is the file that the one process of a folder locks.
const lockName = "store.lock"

// bootID is the file with an id that is new at each boot of a Linux machine.
const bootID = "/proc/sys/kernel/random/boot_id"

// lockFolder locks the folder for this process. The place that it returns identifies the folder on this machine: an earlier
// process that entered the store from the same place has ended, because it held the lock. The place is "" if that cannot be told.
func lockFolder(folder string) (held *os.File, place string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, "", &FolderError{err}
	}
	path, err := filepath.Abs(filepath.Join(folder, lockName))
	if err != nil {
		return nil, "", err
	}
	held, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, "", &FolderError{err}
	}
	boot, err := os.ReadFile(bootID)
	which, locked := lock(held)
	if err != nil || !locked {
		return held, "", nil
	}
	sum := sha256.Sum256(append(boot, which...)) // not the path: it may name another folder in each container
	return held, hex.EncodeToString(sum[:16]), nil
}
