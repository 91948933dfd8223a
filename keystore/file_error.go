package keystore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

var (
	errNotRegular = errors.New("it is a link or not a plain file")
	errOtherOwner = errors.New("it belongs to another user")
)

const unchanged = "; nothing was changed"

// fileError describes a fault of the disk in words. action is "read" or "saved".
func fileError(action, path string, err error) error {
	e := &Error{Kind: ErrFile, Err: err,
		Message: fmt.Sprintf("The key file %s could not be %s: %v", path, action, cause(err)),
		Hint:    "check the disk and try again" + unchanged}
	switch {
	case errors.Is(err, errNotRegular), errors.Is(err, errOtherOwner):
		e.Kind, e.Hint = ErrUnsafe, "give the path of the file itself, owned by the user who runs this program"+unchanged
	case errors.Is(err, ErrBusy):
		e.Kind, e.Hint = ErrBusy, "wait for the other program, or end it; if none runs, remove "+lockName(path)+unchanged
	case errors.Is(err, fs.ErrNotExist):
		e.Kind, e.Hint = ErrNotFound, "check the path, or create a wallet"
	case errors.Is(err, syscall.EBUSY): // what a rename onto a mount point fails with
		e.Kind, e.Hint = ErrReadOnly, "it is a mount point of its own, so no new version can take its place; mount the folder that it is in instead"+unchanged
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Kind, e.Hint = ErrDiskFull, "free some space and try again"+unchanged
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Kind, e.Hint = ErrReadOnly, "check that this user may write the file and its folder"+unchanged
	}
	return e
}

// cause returns the last and plainest part of an error of the os package.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}

func existsError(path string) error {
	return &Error{
		Kind:    ErrExists,
		Message: "There is already a file " + path,
		Hint:    "open it, or choose another path; it is never overwritten",
	}
}

func changedError(path string) error {
	return &Error{Kind: ErrChanged, Message: "The key file " + path + " was changed by another program since it was read",
		Hint: "lock and unlock the wallet to read it again, then repeat" + unchanged}
}

// missingError is for a key file that is gone but must have existed.
func missingError(path, version string) error {
	return &Error{Kind: ErrMissing, Message: "The key file " + path + " is gone, but its earlier version " + version + " is there",
		Hint: "copy " + version + " to " + path + " to continue with it, or move the earlier versions to another folder to start over"}
}
