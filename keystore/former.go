package keystore

import (
	"bytes"
	"fmt"
	"time"
)

// The file as it was before a change of the password is kept apart from the other
// versions for formerTime. Those are pushed out by any few changes; so whoever can
// change the password, a program with the wallet open, could have left the owner
// without one that opens with a password that they know. Where all places are
// taken by files that young the password is not changed.
const (
	formersKept = 16
	formerTime  = 30 * 24 * time.Hour
)

// formerName is the n-th place, from 1 on, for a file that opens with an earlier password.
func formerName(path string, n int) string { return fmt.Sprintf("%s.old-password-%d", path, n) }

// keepFormer copies old to a free place. The copy's time is when it was made, so a
// link would not do. It has a whole file under that name or does nothing.
// Errors: ErrTooManyChanges, the disk's.
func keepFormer(v volume, path string, old *image, now time.Time) error {
	free := ""
	for n := 1; n <= formersKept; n++ {
		name := formerName(path, n)
		raw, err := readAll(v, name)
		switch {
		case isMissing(err), err == nil && pastFormer(v, name, now):
			if free == "" {
				free = name
			}
		case err == nil && bytes.Equal(raw, old.raw):
			return nil // an earlier change failed after this step
		}
	}
	if free == "" {
		return tooManyChangesError(path)
	}
	half := free + ".tmp"
	if err := writeOver(v, half, old); err != nil {
		return err
	}
	return v.Rename(half, free)
}

// pastFormer says that a file is there longer than it is kept.
func pastFormer(v volume, name string, now time.Time) bool {
	at, err := v.Modified(name)
	return err == nil && now.Sub(at) > formerTime
}

// dropFormers removes what was kept long enough. It may fail: the next save tries
// again.
func dropFormers(v volume, path string, now time.Time) {
	for n := 1; n <= formersKept; n++ {
		if name := formerName(path, n); pastFormer(v, name, now) {
			_ = v.Remove(name)
		}
	}
}
