package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"billfold/osfile"
)

// scratchPrefix is the prefix of the folders of throw-away wallets, in the folder for
// temporary files.
const scratchPrefix = "billfold-sandbox-"

// scratchLock is the file in such a folder that its process keeps locked.
const scratchLock = "in-use"

// newScratch makes a folder for a throw-away wallet; end removes it. A process that
// is killed leaves its folder behind, so newScratch first removes the folders of ended
// processes, whose locks the system has released.
func newScratch() (path string, end func(), err error) {
	removeStaleScratch(os.TempDir(), time.Now())
	for range scratchTries {
		var lock *os.File
		if path, err = os.MkdirTemp("", scratchPrefix); err != nil {
			break
		}
		lock, err = os.OpenFile(filepath.Join(path, scratchLock), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		end = func() {
			_ = lock.Close()       // which releases the lock; on a nil file it returns an error
			_ = os.RemoveAll(path) // the wallet's password is public, so a folder left behind does no harm
		}
		if err == nil && osfile.TryLock(lock) == nil {
			return path, end, nil
		}
		end()
	}
	return "", nil, fmt.Errorf(
		"no folder for the throw-away wallet can be made: %w; make room in the folder for temporary files, or name another with TMPDIR",
		cmp.Or(err, errScratchTaken))
}

// scratchTries is the number of folders tried: another process may take one for stale just before it is locked.
const scratchTries = 3

var errScratchTaken = errors.New("its lock is another process's")

// scratchGrace is the time for which a new folder may lack its lock file.
const scratchGrace = time.Minute

// removeStaleScratch removes this user's scratch folders in dir that no process uses.
func removeStaleScratch(dir string, now time.Time) {
	list, _ := filepath.Glob(filepath.Join(dir, scratchPrefix+"*")) // the pattern is well formed
	for _, path := range list {
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || !osfile.IsOwn(path) {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(path, scratchLock), os.O_RDWR, 0)
		switch {
		case err == nil && osfile.TryLock(lock) == nil, os.IsNotExist(err) && now.Sub(info.ModTime()) > scratchGrace:
			_ = os.RemoveAll(path) // if it fails, the next process tries again
		}
		if lock != nil {
			_ = lock.Close()
		}
	}
}
