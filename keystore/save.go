package keystore

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"billfold/osfile"
)

// change describes what save does to a file.
type change struct {
	old, next *fileVersion // old must be on the disk now; nil = nothing may be there
	dataKey   []byte       // opens next
	rekeyed   bool         // next has another password: old is kept apart, see keepOldPasswordFile
	now       time.Time
}

// save replaces the file c.old by c.next. At every moment the path holds either the old file or the new one, whole. If
// it returns an error, the old one is there.
func save(d disk, path string, c change) error {
	if err := d.MakeFolder(filepath.Dir(path)); err != nil {
		return fileError("saved", path, err)
	}
	release, err := d.Lock(lockName(path))
	if err != nil {
		return fileError("saved", path, err)
	}
	defer release()
	if c.old == nil {
		err = expectNothing(d, path)
	} else {
		err = expect(d, path, c.old)
	}
	if err != nil {
		return err
	}
	if err := prepare(d, path, c.next, c.dataKey); err != nil {
		return err
	}
	if err := replace(d, path, c); err != nil {
		return err
	}
	removeExpired(d, path, c.now)
	return nil
}

// expect makes sure that nobody else's changes are about to be overwritten.
func expect(d disk, path string, old *fileVersion) error {
	same, err := sameContent(d, path, old)
	switch {
	case err != nil:
		return fileError("saved", path, err)
	case !same:
		return changedError(path)
	}
	return nil
}

// expectNothing makes sure that there is neither a file nor earlier versions of one, which a new wallet would push out.
func expectNothing(d disk, path string) error {
	f, err := d.Open(path)
	if err == nil {
		err = f.Close()
	}
	switch {
	case isMissing(err):
	case err == nil, errors.Is(err, osfile.ErrNotRegular), errors.Is(err, osfile.ErrOtherOwner):
		return existsError(path)
	default:
		return fileError("saved", path, err)
	}
	if version := newestVersion(d, path); version != "" {
		return missingError(path, version)
	}
	return nil
}

// prepare writes the new file beside the old one and proves that it can be read and decrypted: next was parsed from its
// bytes, and the disk returns the same ones.
func prepare(d disk, path string, next *fileVersion, dataKey []byte) error {
	err := removeIfPresent(d, backName(path)) // a crash may have left one
	if err == nil {
		err = writeOver(d, tempName(path), next)
	}
	if err == nil {
		err = proveOpens(next, dataKey)
	}
	if err != nil {
		_ = d.Remove(tempName(path)) // see writeOver
		return fileError("saved", path, err)
	}
	return nil
}

// proveOpens proves that dataKey decrypts v.
func proveOpens(v *fileVersion, dataKey []byte) error {
	plain, err := v.open(dataKey)
	clear(plain)
	return err
}

// replace keeps the old version and puts the prepared file in its place. If the last steps fail, it puts the old file back.
func replace(d disk, path string, c change) error {
	if err := keepOld(d, path, c); err != nil {
		_ = d.Remove(tempName(path)) // see writeOver
		return keepingError(path, err)
	}
	err := d.Rename(tempName(path), path)
	if err == nil {
		err = d.SyncFolder(filepath.Dir(path))
	}
	if err == nil {
		err = proveSame(d, path, c.next)
	}
	if err == nil {
		return nil
	}
	if failed := putBack(d, path, c.old); failed != nil {
		return &Error{Kind: ErrFile, Err: errors.Join(err, failed),
			Message: fmt.Sprintf(
				"The key file %s was being saved when the disk reported a fault (%v); it holds the old or the new contents",
				path,
				cause(err),
			),
			Hint: "copy the folder to another disk now; the previous version ends in .1"}
	}
	return fileError("saved", path, err)
}

// keepOld keeps the file that is about to be replaced, if there is one. After it, the old version and the new file are
// durably in the folder: where renames can be torn, one of them is found again.
func keepOld(d disk, path string, c change) error {
	if c.old == nil {
		return nil
	}
	if c.rekeyed {
		if err := keepOldPasswordFile(d, path, c.old, c.now); err != nil {
			return err
		}
	}
	if err := keepVersion(d, path, c.old); err != nil {
		return err
	}
	return d.SyncFolder(filepath.Dir(path))
}

// keepingError describes a fault of keepOld in words; nothing has changed then.
func keepingError(path string, err error) error {
	if _, own := errors.AsType[*Error](err); own {
		return err
	}
	return fileError("saved", path, err)
}

// putBack makes sure that the old file is there, and stays there: a rename that was reported to have failed may have
// been done all the same. The folder is synced before anything is removed, so that at each step a whole file has a
// durable name.
func putBack(d disk, path string, old *fileVersion) error {
	folder := filepath.Dir(path)
	if err := d.SyncFolder(folder); err != nil {
		return err
	}
	if old != nil && proveSame(d, path, old) != nil {
		if err := writeOver(d, backName(path), old); err != nil {
			return err
		}
		if err := d.SyncFolder(folder); err != nil {
			return err
		}
		if err := d.Rename(backName(path), path); err != nil {
			return err
		}
		if err := d.SyncFolder(folder); err != nil {
			return err
		}
	}
	if old == nil {
		if err := removeIfPresent(d, path); err != nil {
			return err
		}
	}
	if err := removeIfPresent(d, tempName(path)); err != nil {
		return err
	}
	return d.SyncFolder(folder)
}

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
