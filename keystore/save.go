package keystore

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// change is what save does to a file.
type change struct {
	old, next *fileVersion // old is what must be on the disk now; nil = nothing may be there
	dataKey   []byte       // opens next
	rekeyed   bool         // next has another password: old is kept apart, see keepFormer
	now       time.Time
}

// save replaces the file c.old by c.next. At every moment the path holds either the
// old file or the new one, whole. If it returns an error the old one is there.
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
	dropFormers(d, path, c.now)
	return nil
}

// expect makes sure that nobody else's work is about to be overwritten.
func expect(d disk, path string, old *fileVersion) error {
	same, err := holds(d, path, old)
	switch {
	case err != nil:
		return fileError("saved", path, err)
	case !same:
		return changedError(path)
	}
	return nil
}

// expectNothing makes sure that neither a file nor earlier versions of one are
// there, which a new wallet would push out.
func expectNothing(d disk, path string) error {
	f, err := d.Open(path)
	if err == nil {
		err = f.Close()
	}
	switch {
	case isMissing(err):
	case err == nil, errors.Is(err, errNotPlain), errors.Is(err, errOtherOwner):
		return existsError(path)
	default:
		return fileError("saved", path, err)
	}
	if version := newestVersion(d, path); version != "" {
		return missingError(path, version)
	}
	return nil
}

// prepare writes the new file beside the old one and proves that it can be
// read and decrypted: next was parsed from its bytes, and the disk holds the same ones.
func prepare(d disk, path string, next *fileVersion, dataKey []byte) error {
	err := removeAny(d, backName(path)) // a crash may have left one
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

// proveOpens decrypts what was parsed.
func proveOpens(v *fileVersion, dataKey []byte) error {
	plain, err := v.open(dataKey)
	clear(plain)
	return err
}

// replace keeps the old version and puts the prepared file in its place. When
// the last steps fail the old file is put back.
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

// keepOld keeps the file that is about to be replaced, if there is one. Then the
// folder surely names the old version and the new file: where renames can be
// torn, one of them is found again.
func keepOld(d disk, path string, c change) error {
	if c.old == nil {
		return nil
	}
	if c.rekeyed {
		if err := keepFormer(d, path, c.old, c.now); err != nil {
			return err
		}
	}
	if err := keepVersion(d, path, c.old); err != nil {
		return err
	}
	return d.SyncFolder(filepath.Dir(path))
}

// keepingError puts a fault of keepOld in words; nothing has changed then.
func keepingError(path string, err error) error {
	if _, own := errors.AsType[*Error](err); own {
		return err
	}
	return fileError("saved", path, err)
}

// putBack makes sure that the old file is there, and stays there: a rename that
// was said to have failed may have been done all the same. The folder is synced
// before anything is taken away, so that at each step a whole file has a name that lasts.
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
		if err := removeAny(d, path); err != nil {
			return err
		}
	}
	if err := removeAny(d, tempName(path)); err != nil {
		return err
	}
	return d.SyncFolder(folder)
}
