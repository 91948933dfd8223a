package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"billfold/ledger"
)

// Download is a package that is being downloaded. It is kept when a program ends, and resumed by the next.
type Download struct {
	hash  ledger.Hash160
	store *Store
	*staging
}

// Download begins or resumes the download of a package. The caller closes it, unless it finishes or discards it. Errors: ErrExists, ErrBusy, ErrFile.
func (s *Store) Download(hash ledger.Hash160) (*Download, error) {
	if _, err := s.root.Lstat(hash.String()); err == nil {
		return nil, &Error{Kind: ErrExists, Message: fmt.Sprintf("The package %s is here already", hash), Hint: "use it; nothing needs to be downloaded"}
	}
	name := stagingPrefix + downloadKind + hash.String()
	if err := s.root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fileError("create", name, err)
	}
	opened, err := openStaging(s.root, name)
	if err != nil {
		return nil, err
	}
	return &Download{hash: hash, store: s, staging: opened}, nil
}

// Downloads returns the hashes of the packages whose download was not finished, sorted.
func (s *Store) Downloads() ([]ledger.Hash160, error) {
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return nil, fileError("list", s.root.Name(), err)
	}
	var hashes []ledger.Hash160
	for _, entry := range entries {
		name, ok := strings.CutPrefix(entry.Name(), stagingPrefix+downloadKind)
		if hash, is := packageHash(name); ok && is && entry.IsDir() {
			hashes = append(hashes, hash)
		}
	}
	return hashes, nil
}

// Append opens a part to write on where the last program ended, and returns how many bytes it has. The caller closes it.
func (d *Download) Append(part string) (*os.File, int64, error) {
	if folder := path.Dir(part); folder != "." {
		if err := d.in.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, 0, fileError("create", folder, err)
		}
	}
	f, err := d.in.OpenFile(part, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, fileError("write", part, err)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, errors.Join(fileError("write", part, err), f.Close())
	}
	return f, size, nil
}

// Forget removes a part, to be downloaded anew.
func (d *Download) Forget(part string) error {
	if err := d.in.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fileError("remove", part, err)
	}
	return nil
}

// CheckRoom fails unless the disk has room for so many bytes. Error: ErrRoom.
func (d *Download) CheckRoom(need int64) error {
	free, err := roomIn(d.in, ".")
	if err == nil && need > free {
		return RoomError(d.folder(), need, free)
	}
	return fileError("use", d.name, err)
}

// Verify compares the hash of what was downloaded. Errors: ErrHash, ErrFile, the context's.
func (d *Download) Verify(ctx context.Context) error {
	f, err := d.in.Open(EncryptedName)
	if err != nil {
		return fileError("read", EncryptedName, err)
	}
	defer func() { _ = f.Close() }()
	return verify(ctx, f, d.hash, &progress{ctx: ctx})
}

// Finish puts the package, which was verified and whose parts are synced, in its place.
func (d *Download) Finish() (*Package, error) {
	if err := d.addState(); err != nil {
		return nil, err
	}
	if err := d.moveTo(d.hash.String()); err != nil {
		return nil, err
	}
	d.Close()
	return d.store.Package(d.hash)
}
