package keystore

import (
	"fmt"
	"path/filepath"
	"time"
)

// versionsKept is the number of earlier versions that stay beside the file, as name.1 (the newest) to name.5.
const versionsKept = 5

func lockName(path string) string           { return path + ".lock" }
func tempName(path string) string           { return path + ".tmp" }
func backName(path string) string           { return path + ".back" }
func versionName(path string, n int) string { return fmt.Sprintf("%s.%d", path, n) }

// oldPasswordName returns the n-th name, from 1, for a file that opens with an earlier password.
func oldPasswordName(path string, n int) string { return fmt.Sprintf("%s.old-password-%d", path, n) }

func triesName(path string) string { return path + ".tries" }

// keepVersion makes name.1 the file that is about to be replaced and moves the earlier ones up. The file itself stays
// where it is.
func keepVersion(d disk, path string, old *fileVersion) error {
	if same, err := sameContent(d, versionName(path, 1), old); err == nil && same {
		return nil // an earlier save failed after this step; do not push out good versions
	}
	free := 1
	for free < versionsKept {
		if isAbsent(d, versionName(path, free)) {
			break
		}
		free++
	}
	for n := free; n > 1; n-- {
		if err := d.Rename(versionName(path, n-1), versionName(path, n)); err != nil && !isMissing(err) {
			return err
		}
	}
	if d.Link(path, versionName(path, 1)) == nil {
		return nil
	}
	// Not every file system has hard links.
	half := versionName(path, 1) + ".tmp"
	if err := writeOver(d, half, old); err != nil {
		return err
	}
	return d.Rename(half, versionName(path, 1))
}

// newestVersion returns the name of the newest earlier version, "" if there is none. One that cannot be read counts: it
// shows that there was a wallet.
func newestVersion(d disk, path string) string {
	for n := 1; n <= versionsKept; n++ {
		if !isAbsent(d, versionName(path, n)) {
			return versionName(path, n)
		}
	}
	return ""
}

// The file as it was before a change of the password is kept apart from the other versions for oldPasswordTime. Those
// are pushed out by any few changes, so somebody who can change the password, or a program with the wallet open, could
// leave the owner without a version that opens with a password that they know. While all names are taken by younger
// files, the password is not changed.
const (
	maxOldPasswordFiles = 16
	oldPasswordTime     = 30 * 24 * time.Hour
)

// keepOldPasswordFile copies old to a free name, or again to the name where an earlier change left it that failed after
// this step: its 30 days start with this change. The copy's time is when it was made, so a link would not do. Either a
// whole file has that name afterwards, or nothing was done. Errors: ErrTooManyChanges, the disk's.
func keepOldPasswordFile(d disk, path string, old *fileVersion, now time.Time) error {
	place := ""
	for n := 1; n <= maxOldPasswordFiles; n++ {
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
	for n := 1; n <= maxOldPasswordFiles; n++ {
		if name := oldPasswordName(path, n); isExpired(d, name, now) {
			_ = d.Remove(name)
		}
	}
}

func tooManyChangesError(path string) error {
	return &Error{Kind: ErrTooManyChanges,
		Message: fmt.Sprintf(
			"The password was changed %d times within 30 days, and each time the file with the old password was kept",
			maxOldPasswordFiles,
		),
		Hint: fmt.Sprintf(
			"the password was not changed; of the files %s to %d, keep one that you can open, remove the others, and try again",
			filepath.Base(oldPasswordName(path, 1)),
			maxOldPasswordFiles,
		)}
}
