package keystore

import "path/filepath"

// recoverFile completes a save that was interrupted. On a file system whose renames are not atomic, losing power
// between removing the old name and giving it to the new file leaves the new file under its temporary name and the old
// one as name.1, both whole and durably named (see replace); or the old file under the name from which it was to be put
// back (see putBack). Without name.1 there never was a saved wallet: what is left belongs to a Create that never
// returned.
//
// If there are only earlier versions, somebody moved the file away: that is reported and left to the user. missing is
// the error if there is nothing at all.
func recoverFile(d disk, path string, missing error) (*fileVersion, error) {
	version := newestVersion(d, path)
	if version == "" {
		return nil, missing
	}
	release, err := d.Lock(lockName(path))
	if err != nil {
		return nil, fileError("read", path, err)
	}
	defer release()
	if v, err := readFile(d, path); err == nil {
		return v, nil // another process recovered it first
	}
	for _, name := range []string{tempName(path), backName(path)} {
		v, err := readFile(d, name)
		if err != nil {
			continue
		}
		if err := d.Rename(name, path); err != nil {
			return nil, fileError("saved", path, err)
		}
		if err := d.SyncFolder(filepath.Dir(path)); err != nil {
			return nil, fileError("saved", path, err)
		}
		return v, nil
	}
	return nil, missingError(path, version)
}
