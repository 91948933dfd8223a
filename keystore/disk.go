package keystore

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"billfold/osfile"
)

// disk offers what the store needs of the disk it is on. Tests put a disk with faults in place of the real one.
type disk interface {
	// Open opens a regular file of this user for reading; it follows no symbolic link.
	Open(name string) (io.ReadCloser, error)
	// WriteNew creates a file with mode 0600, writes and syncs it. It fails if name exists.
	WriteNew(name string, data []byte) error
	Rename(from, to string) error
	Link(from, to string) error
	Remove(name string) error
	// MakeFolder creates a folder and its missing parents, with mode 0700.
	MakeFolder(name string) error
	SyncFolder(name string) error
	// Modified returns when a file was last written.
	Modified(name string) (time.Time, error)
	// Lock keeps other processes from saving until release is called.
	Lock(name string) (release func(), err error)
}

// osDisk is the real disk.
type osDisk struct{}

func (osDisk) Open(name string) (io.ReadCloser, error) {
	f, err := osfile.OpenOwn(name)
	if err != nil {
		return nil, err // not f, which would be an interface that is not nil
	}
	return f, nil
}

func (osDisk) WriteNew(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

func (osDisk) Modified(name string) (time.Time, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

func (osDisk) Rename(from, to string) error { return osfile.Rename(from, to) }
func (osDisk) Link(from, to string) error   { return os.Link(from, to) }
func (osDisk) Remove(name string) error     { return os.Remove(name) }

func (d osDisk) MakeFolder(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(name)
	if above != name {
		if err := d.MakeFolder(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(name, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	return d.SyncFolder(above)
}

func (osDisk) SyncFolder(name string) error { return osfile.SyncFolder(name) }

// lockWait is the longest wait of a save for another one.
const lockWait = 3 * time.Second

func (osDisk) Lock(name string) (release func(), err error) {
	release, err = osfile.LockFile(name, lockWait)
	if errors.Is(err, osfile.ErrLocked) {
		return nil, ErrBusy
	}
	return release, err
}
