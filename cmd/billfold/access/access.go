// Package access refuses files and folders that another user could have written:
// what is in them would not be the word of the wallet's user. Root is trusted; the
// rights that access control lists give are not checked.
package access

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Read returns the text of a regular file of at most limit bytes that only its
// user can write. fs.ErrNotExist when it is not there; a link that leads to nothing is
// another error.
func Read(path string, limit int64) ([]byte, error) {
	if err := checkWay(path); err != nil {
		return nil, err
	}
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file; move it away", path)
	}
	if err := checkInfo(path, info); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is larger than %d bytes; move it away", path, limit)
	}
	return text, err
}

// File refuses a file that others can write or put another in the place of, links of others, and
// links that lead to nothing. One that is not there, and what is no regular file, is left to
// whoever opens it.
func File(path string) error {
	if path == "" {
		return nil
	}
	if err := checkWay(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return checkInfo(path, info)
}

// checkWay refuses a way to a file that others can change. The folder that a link at its end
// leads into must be as closed as the wallet's own.
func checkWay(path string) error {
	real, err := way(path)
	if err != nil || real == "" {
		return err
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	folder := filepath.Dir(real)
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	return checkInfo(folder, info)
}

// Files checks the files of a folder whose names match a pattern of
// filepath.Match.
func Files(folder string, patterns []string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the folder %s cannot be read: %w", folder, err)
	}
	for _, e := range entries {
		for _, pattern := range patterns {
			if ok, _ := filepath.Match(pattern, e.Name()); !ok {
				continue
			}
			if err := File(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Folder refuses a folder that others can write, and one that they could put
// another in the place of, since they can write a folder above it. One that is not
// there yet is judged by those above it.
func Folder(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("the folder %s cannot be read: %w", path, err)
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder; name another with --data-dir", path)
	default:
		if err := checkInfo(path, info); err != nil {
			return err
		}
	}
	_, err = way(path)
	return err
}
