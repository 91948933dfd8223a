package keystore

import "path/filepath"

// recoverImage completes a save that was torn apart. On a file system whose
// renames are not atomic, losing power between "take the old name away" and
// "give it to the new file" leaves the new file under its temporary name and the
// old one as name.1, both whole and named for sure, see replace; or the old file
// under the name from which it was to be put back, see putBack. Without name.1
// there never was a saved wallet: what is left belongs to a Create that never
// answered.
//
// When only earlier versions are there somebody moved the file away: that is
// told and left to the person. missing is the error if there is nothing at all.
func recoverImage(v volume, path string, missing error) (*image, error) {
	version := newestVersion(v, path)
	if version == "" {
		return nil, missing
	}
	release, err := v.Lock(lockName(path))
	if err != nil {
		return nil, fileError("read", path, err)
	}
	defer release()
	if m, err := readImage(v, path); err == nil {
		return m, nil // another process was faster
	}
	for _, name := range []string{tempName(path), backName(path)} {
		m, err := readImage(v, name)
		if err != nil {
			continue
		}
		if err := v.Rename(name, path); err != nil {
			return nil, fileError("saved", path, err)
		}
		if err := v.SyncFolder(filepath.Dir(path)); err != nil {
			return nil, fileError("saved", path, err)
		}
		return m, nil
	}
	return nil, missingError(path, version)
}

// newestVersion names the newest earlier version, "" when there is none. One
// that cannot be read counts: it shows that there was a wallet.
func newestVersion(v volume, path string) string {
	for n := 1; n <= versionsKept; n++ {
		if _, err := readAll(v, versionName(path, n)); !isMissing(err) {
			return versionName(path, n)
		}
	}
	return ""
}
