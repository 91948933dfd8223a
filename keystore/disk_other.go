//go:build !unix

package keystore

import (
	"errors"
	"os"
)

// openRegular opens a file for reading; owners cannot be checked here.
func openRegular(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return os.Open(name)
}

// syncFolder does nothing: such systems cannot sync a folder.
func syncFolder(string) error { return nil }

// lockFile locks by creating a file that must not exist. A crash leaves it behind, and the error says which file to remove.
func lockFile(name string) (func(), error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, ErrBusy
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = f.Close(); _ = os.Remove(name) }, nil
}
