package keystore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"billfold/osfile"
)

// copiesFolder holds copies of the key file, beside it.
const copiesFolder = "backups"

// maxCopies is the maximum number of copies: programs that may make them must not fill the disk.
const maxCopies = 100

// The errors of Copy, beside those of the disk.
var (
	ErrCopyName   = errors.New("a copy's name has at most 64 letters, digits, dots, dashes and underscores, and no folder")
	ErrManyCopies = errors.New("no more copies are kept; move some of them away")
)

// CopiesFolder returns where the copies of the key file at path are.
func CopiesFolder(path string) string { return filepath.Join(filepath.Dir(path), copiesFolder) }

func copyName() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$`) }

// Copy writes the key file as it is, encrypted, under a new name into the folder of copies. It replaces nothing. Once
// it returns nil the copy is on the disk. Errors: ErrCopyName, ErrManyCopies, fs.ErrExist.
func (s *Store) Copy(name string) error {
	if !copyName().MatchString(name) {
		return ErrCopyName
	}
	content, err := os.ReadFile(s.path) // saved by renaming, so it is whole
	if err != nil {
		return err
	}
	if err := os.Mkdir(CopiesFolder(s.path), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	folder, err := os.OpenRoot(CopiesFolder(s.path))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	kept, err := fs.ReadDir(folder.FS(), ".")
	switch {
	case err != nil:
		return err
	case len(kept) >= maxCopies:
		return ErrManyCopies
	}
	return writeCopy(folder, name, content)
}

// writeCopy writes a new file and syncs it; on error it leaves nothing behind.
func writeCopy(folder *os.Root, name string, content []byte) error {
	file, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		return errors.Join(err, folder.Remove(name))
	}
	return osfile.SyncFolder(folder.Name())
}
