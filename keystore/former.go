package keystore

import (
	"fmt"
	"path/filepath"
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

// keepFormer copies old to a free place, or once more to where an earlier change
// left it that failed after this step: its 30 days begin with this change. The copy's
// time is when it was made, so a link would not do. It has a whole file under that
// name or does nothing. Errors: ErrTooManyChanges, the disk's.
func keepFormer(d disk, path string, old *fileVersion, now time.Time) error {
	place := ""
	for n := 1; n <= formersKept; n++ {
		name := formerName(path, n)
		same, err := holds(d, name, old)
		if err == nil && same {
			place = name
			break
		}
		if place == "" && (isMissing(err) || err == nil && pastFormer(d, name, now)) {
			place = name
		}
	}
	if place == "" {
		return tooManyChangesError(path)
	}
	half := place + ".tmp"
	if err := writeOver(d, half, old); err != nil {
		return err
	}
	return d.Rename(half, place)
}

// pastFormer reports whether a file has been kept long enough.
func pastFormer(d disk, name string, now time.Time) bool {
	at, err := d.Modified(name)
	return err == nil && now.Sub(at) > formerTime
}

// dropFormers removes what was kept long enough. Where it fails the next save tries
// again.
func dropFormers(d disk, path string, now time.Time) {
	for n := 1; n <= formersKept; n++ {
		if name := formerName(path, n); pastFormer(d, name, now) {
			_ = d.Remove(name)
		}
	}
}

func tooManyChangesError(path string) error {
	return &Error{Kind: ErrTooManyChanges,
		Message: fmt.Sprintf(
			"The password was changed %d times within 30 days, and each time the file that opened with the one before was kept",
			formersKept,
		),
		Hint: fmt.Sprintf(
			"the password was not changed; of the files %s to %d keep one that you can open, remove the others, and try again",
			filepath.Base(formerName(path, 1)),
			formersKept,
		)}
}
