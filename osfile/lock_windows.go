package osfile

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

const noFollow = 0

// TryLock locks an open file until it is closed or the process ends. Nobody can read or write what is locked on this system, so it is a byte
// where no file has any. Error: ErrLocked. Folders have no locks here.
func TryLock(f *os.File) error {
	beyond := &windows.Overlapped{Offset: 0xfffffffe, OffsetHigh: 0x7fffffff}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, beyond)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// Identity returns a text that no other file of this machine has at the same time.
func Identity(f *os.File) (string, error) {
	var at windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &at); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d %d", at.VolumeSerialNumber, uint64(at.FileIndexHigh)<<32|uint64(at.FileIndexLow)), nil
}
