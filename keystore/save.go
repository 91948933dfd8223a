package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// versionsKept is how many earlier versions stay beside the file, as name.1
// (the newest) to name.5.
const versionsKept = 5

func lockName(path string) string                { return path + ".lock" }
func tempName(path string) string                { return path + ".tmp" }
func backName(path string) string                { return path + ".back" }
func versionName(path string, n int) string      { return fmt.Sprintf("%s.%d", path, n) }
func isMissing(err error) bool                   { return errors.Is(err, fs.ErrNotExist) }
func readAll(v volume, p string) ([]byte, error) { return v.Read(p, maxFileSize) }

// change is what save does to a file.
type change struct {
	old, next *image // old is what must be on the disk now; nil = nothing may be there
	dataKey   []byte // opens next
	rekeyed   bool   // next has another password: old is kept apart, see keepFormer
	now       time.Time
}

// save replaces the file c.old by c.next. At every moment the path holds either the
// old file or the new one, whole. If it returns an error the old one is there.
func save(v volume, path string, c change) error {
	if err := v.MakeFolder(filepath.Dir(path)); err != nil {
		return fileError("saved", path, err)
	}
	release, err := v.Lock(lockName(path))
	if err != nil {
		return fileError("saved", path, err)
	}
	defer release()
	if c.old == nil {
		err = expectNothing(v, path)
	} else {
		err = expect(v, path, c.old)
	}
	if err != nil {
		return err
	}
	if err := prepare(v, path, c.next, c.dataKey); err != nil {
		return err
	}
	if err := replace(v, path, c); err != nil {
		return err
	}
	dropFormers(v, path, c.now)
	return nil
}

// expect makes sure that nobody else's work is about to be overwritten.
func expect(v volume, path string, old *image) error {
	now, err := readAll(v, path)
	if err != nil {
		return fileError("saved", path, err)
	}
	if !bytes.Equal(now, old.raw) {
		return changedError(path)
	}
	return nil
}

// expectNothing makes sure that neither a file nor earlier versions of one are
// there, which a new wallet would push out.
func expectNothing(v volume, path string) error {
	switch _, err := readAll(v, path); {
	case isMissing(err):
	case err == nil, errors.Is(err, errNotPlain), errors.Is(err, errOtherOwner):
		return existsError(path)
	default:
		return fileError("saved", path, err)
	}
	if version := newestVersion(v, path); version != "" {
		return missingError(path, version)
	}
	return nil
}

// prepare writes the new file beside the old one and proves that it can be
// read and decrypted.
func prepare(v volume, path string, next *image, dataKey []byte) error {
	err := removeAny(v, backName(path)) // a crash may have left one
	if err == nil {
		err = writeOver(v, tempName(path), next)
	}
	if err == nil {
		err = proveOpens(next, dataKey)
	}
	if err != nil {
		_ = v.Remove(tempName(path)) // see writeOver
		return fileError("saved", path, err)
	}
	return nil
}

// proveOpens parses and decrypts the bytes that were read back.
func proveOpens(m *image, dataKey []byte) error {
	back, err := parseImage(m.raw)
	if err != nil {
		return err
	}
	plain, err := back.open(dataKey)
	clear(plain)
	return err
}

// replace keeps the old version and puts the prepared file in its place. When
// the last steps fail the old file is put back.
func replace(v volume, path string, c change) error {
	if err := keepOld(v, path, c); err != nil {
		_ = v.Remove(tempName(path)) // see writeOver
		return keepingError(path, err)
	}
	err := v.Rename(tempName(path), path)
	if err == nil {
		err = v.SyncFolder(filepath.Dir(path))
	}
	if err == nil {
		err = proveSame(v, path, c.next)
	}
	if err == nil {
		return nil
	}
	if failed := putBack(v, path, c.old); failed != nil {
		return &Error{Kind: ErrFile, Err: errors.Join(err, failed),
			Message: fmt.Sprintf("The key file %s was being saved when the disk reported a fault (%v); it holds the old or the new contents", path, cause(err)),
			Hint:    "copy the folder to another disk now; the previous version ends in .1"}
	}
	return fileError("saved", path, err)
}

func proveSame(v volume, path string, want *image) error {
	back, err := readAll(v, path)
	if err == nil && !bytes.Equal(back, want.raw) {
		return errors.New("the disk gave back something else than was written")
	}
	return err
}

// keepOld keeps the file that is about to be replaced, if there is one. Then the
// folder surely names the old version and the new file: where renames can be
// torn, one of them is found again.
func keepOld(v volume, path string, c change) error {
	if c.old == nil {
		return nil
	}
	if c.rekeyed {
		if err := keepFormer(v, path, c.old, c.now); err != nil {
			return err
		}
	}
	if err := keepVersion(v, path, c.old); err != nil {
		return err
	}
	return v.SyncFolder(filepath.Dir(path))
}

// keepingError is the fault of keepOld, after which nothing has changed.
func keepingError(path string, err error) error {
	if _, own := errors.AsType[*Error](err); own {
		return err
	}
	return fileError("saved", path, err)
}

// putBack makes sure that the old file is there, and stays there: a rename that
// was said to have failed may have been done all the same. The folder is synced
// before anything is taken away, so that at each step a whole file has a name that lasts.
func putBack(v volume, path string, old *image) error {
	folder := filepath.Dir(path)
	if err := v.SyncFolder(folder); err != nil {
		return err
	}
	if old != nil && proveSame(v, path, old) != nil {
		if err := writeOver(v, backName(path), old); err != nil {
			return err
		}
		if err := v.SyncFolder(folder); err != nil {
			return err
		}
		if err := v.Rename(backName(path), path); err != nil {
			return err
		}
		if err := v.SyncFolder(folder); err != nil {
			return err
		}
	}
	if old == nil {
		if err := removeAny(v, path); err != nil {
			return err
		}
	}
	if err := removeAny(v, tempName(path)); err != nil {
		return err
	}
	return v.SyncFolder(folder)
}

// removeAny removes what may not be there.
func removeAny(v volume, name string) error {
	if err := v.Remove(name); err != nil && !isMissing(err) {
		return err
	}
	return nil
}

// writeOver writes a file in place of one that nobody needs, and reads it back.
func writeOver(v volume, name string, m *image) error {
	if err := removeAny(v, name); err != nil {
		return err
	}
	err := v.WriteNew(name, m.raw)
	if err == nil {
		err = proveSame(v, name, m)
	}
	if err != nil {
		_ = v.Remove(name) // half a file is harmless, the next save removes it
	}
	return err
}

// keepVersion makes name.1 the file that is about to be replaced and moves the
// earlier ones up. The file itself stays where it is.
func keepVersion(v volume, path string, old *image) error {
	if newest, err := readAll(v, versionName(path, 1)); err == nil && bytes.Equal(newest, old.raw) {
		return nil // an earlier save failed after this step; do not push out good versions
	}
	free := 1
	for free < versionsKept {
		if _, err := readAll(v, versionName(path, free)); isMissing(err) {
			break
		}
		free++
	}
	for n := free; n > 1; n-- {
		if err := v.Rename(versionName(path, n-1), versionName(path, n)); err != nil && !isMissing(err) {
			return err
		}
	}
	if v.Link(path, versionName(path, 1)) == nil {
		return nil
	}
	// Not every file system has hard links.
	half := versionName(path, 1) + ".tmp"
	if err := writeOver(v, half, old); err != nil {
		return err
	}
	return v.Rename(half, versionName(path, 1))
}
