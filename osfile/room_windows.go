package osfile

import (
	"os"

	"golang.org/x/sys/windows"
)

// Room returns how many bytes the disk of a folder has left for this user, and how many it has in all; known is false if it does not say.
func Room(folder string) (free, all uint64, known bool) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, 0, false
	}
	if windows.GetDiskFreeSpaceEx(name, &free, &all, nil) != nil {
		return 0, 0, false
	}
	return free, all, true
}

// CheckUsable returns why an existing file cannot be read and written.
func CheckUsable(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) // locks of SQLite are those of a handle here, so this takes none away
	if err != nil {
		return err
	}
	return f.Close()
}
