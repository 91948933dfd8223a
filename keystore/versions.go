package keystore

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
