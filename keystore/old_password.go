package keystore

import (
	"fmt"
	"path/filepath"
	"time"
)

// The file as it was before a change of the password is kept apart from the other versions for oldPasswordTime. Those
// are pushed out by any few changes, so somebody who can change the password, or a program with the wallet open, could
// leave the owner without a version that opens with a password that they know. While all names are taken by younger
// files, the password is not changed.
const (
	mostOldPasswordFiles = 16
	oldPasswordTime      = 30 * 24 * time.Hour
)

// keepOldPasswordFile copies old to a free name, or again to the name where an earlier change left it that failed after
// this step: its 30 days start with this change. The copy's time is when it was made, so a link would not do. Either a
// whole file has that name afterwards, or nothing was done. Errors: ErrTooManyChanges, the disk's.
func keepOldPasswordFile(d disk, path string, old *fileVersion, now time.Time) error {
	place := ""
	for n := 1; n <= mostOldPasswordFiles; n++ {
		name := oldPasswordName(path, n)
		same, err := sameContent(d, name, old)
		if err == nil && same {
			place = name
			break
		}
		if place == "" && (isMissing(err) || err == nil && isExpired(d, name, now)) {
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

// isExpired reports whether a file has been kept long enough.
func isExpired(d disk, name string, now time.Time) bool {
	at, err := d.Modified(name)
	return err == nil && now.Sub(at) > oldPasswordTime
}

// removeExpired removes the files that were kept long enough. If it fails, the next save tries again.
func removeExpired(d disk, path string, now time.Time) {
	for n := 1; n <= mostOldPasswordFiles; n++ {
		if name := oldPasswordName(path, n); isExpired(d, name, now) {
			_ = d.Remove(name)
		}
	}
}

func tooManyChangesError(path string) error {
	return &Error{Kind: ErrTooManyChanges,
		Message: fmt.Sprintf(
			"The password was changed %d times within 30 days, and each time the file with the old password was kept",
			mostOldPasswordFiles,
		),
		Hint: fmt.Sprintf(
			"the password was not changed; of the files %s to %d, keep one that you can open, remove the others, and try again",
			filepath.Base(oldPasswordName(path, 1)),
			mostOldPasswordFiles,
		)}
}
