package keystore

import (
	"bytes"
	"errors"
	"io/fs"
)

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func readAll(d disk, p string) ([]byte, error) { return d.Read(p, maxFileSize) }

func proveSame(d disk, path string, want *fileVersion) error {
	back, err := readAll(d, path)
	if err == nil && !bytes.Equal(back, want.raw) {
		return errors.New("the disk returned other data than was written")
	}
	return err
}

// removeAny removes what may not be there.
func removeAny(d disk, name string) error {
	if err := d.Remove(name); err != nil && !isMissing(err) {
		return err
	}
	return nil
}

// writeOver writes a file in place of one that nobody needs, and reads it back.
func writeOver(d disk, name string, v *fileVersion) error {
	if err := removeAny(d, name); err != nil {
		return err
	}
	err := d.WriteNew(name, v.raw)
	if err == nil {
		err = proveSame(d, name, v)
	}
	if err != nil {
		_ = d.Remove(name) // half a file is harmless, the next save removes it
	}
	return err
}

func readFile(d disk, path string) (*fileVersion, error) { return readAgain(d, path, nil) }

// readAgain is readFile of a file that was read before; what is the same as then is not parsed again.
func readAgain(d disk, path string, before *fileVersion) (*fileVersion, error) {
	raw, err := readAll(d, path)
	if err != nil {
		return nil, fileError("read", path, err)
	}
	if len(raw) > maxFileSize {
		return nil, damagedError("it is larger than any key file")
	}
	if before != nil && bytes.Equal(raw, before.raw) {
		return before, nil
	}
	return parseFile(raw)
}
