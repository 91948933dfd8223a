package archive

import (
	"os"

	"billfold/osfile"
)

// openNonblock is not needed here.
const openNonblock = 0

// lockSuffix ends the name of the file that is locked in place of the folder beside it: folders have no locks here.
const lockSuffix = ".lock"

// lockFolder locks the folder at name until unlockFolder is called or the process ends. Error: osfile.ErrLocked.
func lockFolder(root *os.Root, name string) (lock *os.File, err error) {
	if lock, err = root.OpenFile(name+lockSuffix, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	return lock, osfile.TryLock(lock)
}

func unlockFolder(root *os.Root, name string, lock *os.File) {
	_ = root.Remove(name + lockSuffix) // whoever still has it open finds the folder gone, or locks another file
	_ = lock.Close()
}
