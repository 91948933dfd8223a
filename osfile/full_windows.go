package osfile

import (
	"errors"

	"golang.org/x/sys/windows"
)

// IsFull reports whether err means that a disk, or this user's part of it, is full.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) || errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}
