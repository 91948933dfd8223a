package keystore

import "path/filepath"

// recoverImage completes a save that was torn apart: on a file system whose
// renames are not atomic, losing power between "take the old name away" and
// "give it to the new file" leaves the new file under its temporary name and the
// old one as name.1, both whole and named for sure, see replace. Without name.1
// there was never a saved wallet: the leftover belongs to a Create that never
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
	m, err := readImage(v, tempName(path))
	if err != nil {
		return nil, missingError(path, version)
	}
	if err := v.Rename(tempName(path), path); err != nil {
		return nil, fileError("saved", path, err)
	}
	if err := v.SyncFolder(filepath.Dir(path)); err != nil {
		return nil, fileError("saved", path, err)
	}
	return m, nil
}

// newestVersion names the newest earlier version that is whole, "" when there is none.
func newestVersion(v volume, path string) string {
	for n := 1; n <= versionsKept; n++ {
		if _, err := readImage(v, versionName(path, n)); err == nil {
			return versionName(path, n)
		}
	}
	return ""
}
