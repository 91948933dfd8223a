package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// lockName is the file that the one process of a folder has locked.
const lockName = "store.lock"

// bootID is a number that each start of a Linux machine has of its own.
const bootID = "/proc/sys/kernel/random/boot_id"

// lockFolder locks the folder for this process. The place it returns names the folder of this machine: a process that entered the store from
// the same place has ended, since it had the lock. "" where that cannot be told.
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
	sum := sha256.Sum256(append(boot, which...)) // a path may mean another folder in each container
	return held, hex.EncodeToString(sum[:16]), nil
}
