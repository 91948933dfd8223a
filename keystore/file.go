package keystore

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
)

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func readAll(d disk, path string) ([]byte, error) { return readUpTo(d, path, maxFileSize) }

// readUpTo reads at most limit+1 bytes of a file.
func readUpTo(d disk, path string, limit int64) ([]byte, error) {
	f, err := d.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()       //nolint:errcheck // only read
	room := bytes.MinRead // a file of 100,000 keys has 20 MB: a growing buffer would copy it again and again
	if file, ok := f.(fs.File); ok {
		if info, err := file.Stat(); err == nil {
			room += int(min(info.Size(), limit))
		}
	}
	data := bytes.NewBuffer(make([]byte, 0, room))
	_, err = data.ReadFrom(io.LimitReader(f, limit+1))
	return data.Bytes(), err
}

// sameContent reports whether a file has the bytes of v, without reading it into memory as a whole.
func sameContent(d disk, path string, v *fileVersion) (bool, error) {
	f, err := d.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close() //nolint:errcheck // only read
	part := make([]byte, compareBuffer)
	for rest := v.raw; ; {
		n, err := f.Read(part)
		var same bool
		if rest, same = bytes.CutPrefix(rest, part[:n]); !same {
			return false, nil
		}
		if errors.Is(err, io.EOF) {
			return len(rest) == 0, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// compareBuffer is the number of bytes of a file that sameContent keeps in memory.
const compareBuffer = 64 << 10

// isAbsent reports whether there is no such file. One that cannot be read is there.
func isAbsent(d disk, path string) bool {
	f, err := d.Open(path)
	if err == nil {
		err = f.Close()
	}
	return isMissing(err)
}

func proveSame(d disk, path string, want *fileVersion) error {
	same, err := sameContent(d, path, want)
	if err == nil && !same {
		return errors.New("the disk returned data other than was written")
	}
	return err
}

// removeIfPresent removes a file that need not exist.
func removeIfPresent(d disk, name string) error {
	if err := d.Remove(name); err != nil && !isMissing(err) {
		return err
	}
	return nil
}

// writeOver writes a file in place of one that is no longer needed, and reads it back.
func writeOver(d disk, name string, v *fileVersion) error {
	if err := removeIfPresent(d, name); err != nil {
		return err
	}
	err := d.WriteNew(name, v.raw)
	if err == nil {
		err = proveSame(d, name, v)
	}
	if err != nil {
		_ = d.Remove(name) // half a file is harmless: the next save removes it
	}
	return err
}

func readFile(d disk, path string) (*fileVersion, error) { return rereadFile(d, path, nil) }

// rereadFile is readFile for a file that was read before; if it is unchanged, it is not parsed again.
func rereadFile(d disk, path string, before *fileVersion) (*fileVersion, error) {
	if before != nil {
		if same, err := sameContent(d, path, before); err == nil && same {
			return before, nil
		}
	}
	raw, err := readAll(d, path)
	if err != nil {
		return nil, fileError("read", path, err)
	}
	if len(raw) > maxFileSize {
		return nil, damagedError("it is larger than any key file")
	}
	return parseFile(raw)
}
