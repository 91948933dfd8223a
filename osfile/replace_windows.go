package osfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// A file that another program has open, such as one that looks for viruses, cannot be replaced until it is closed. It is tried for so long.
const (
	renameWait  = time.Second
	renameRetry = 10 * time.Millisecond
)

// Rename renames a file atomically, in place of the file that has that name. It is on the disk on return.
func Rename(from, to string) error {
	source, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	target, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	for start := time.Now(); ; time.Sleep(renameRetry) {
		err := windows.MoveFileEx(source, target, windows.MOVEFILE_REPLACE_EXISTING|windows.MOVEFILE_WRITE_THROUGH)
		if err == nil {
			return nil
		}
		if !mayBeOpen(err) || time.Since(start) > renameWait {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
		}
	}
}

func mayBeOpen(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

// SyncOpened is SyncFolder for a folder that is open. A folder is flushed through a handle that may write to it. Where the file system has no
// such thing, what Rename has written through has to do.
func SyncOpened(folder *os.File) error {
	name, err := windows.UTF16PtrFromString(folder.Name())
	if err != nil {
		return &os.PathError{Op: "sync", Path: folder.Name(), Err: err}
	}
	handle, err := windows.CreateFile(name, windows.GENERIC_WRITE, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err == nil {
		err = windows.FlushFileBuffers(handle)
		_ = windows.CloseHandle(handle) // nothing was written through it
	}
	for _, cannot := range []error{windows.ERROR_ACCESS_DENIED, windows.ERROR_INVALID_FUNCTION, windows.ERROR_INVALID_HANDLE, windows.ERROR_NOT_SUPPORTED} {
		if errors.Is(err, cannot) {
			return nil
		}
	}
	if err != nil {
		return &os.PathError{Op: "sync", Path: folder.Name(), Err: err}
	}
	return nil
}
