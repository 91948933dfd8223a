// Package osfile does with files what each system does in its own way. It replaces them atomically, makes names durable, locks files until
// a process ends, opens what belongs to the user, and reports who else may use a file and how much room a disk has.
//
// Linux, macOS and Windows each have their own way of all of that, which is why it stands here and nowhere else. Every package may import this one.
package osfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace puts data into the file at path, for its owner alone, and returns once it is durable. At every moment the path holds the old file
// or the new one, whole. If it returns an error the old one is there, unless the only thing that failed was to sync the folder.
func Replace(path string, data []byte) error {
	folder := filepath.Dir(path)
	file, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return SyncFolder(folder)
}

// SyncFolder makes durable what was created, renamed and removed in a folder, as far as its file system can.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = SyncOpened(folder)
	if closed := folder.Close(); err == nil {
		err = closed
	}
	return err
}
