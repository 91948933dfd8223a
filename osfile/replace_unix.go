//go:build unix

package osfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Rename renames a file atomically, in place of the file that has that name. SyncFolder makes it durable.
func Rename(from, to string) error { return os.Rename(from, to) }

// SyncOpened is SyncFolder for a folder that is open.
func SyncOpened(folder *os.File) error {
	if err := folder.Sync(); !errors.Is(err, unix.EINVAL) { // which is how a file system says that it cannot
		return err
	}
	return nil
}
