package keystore

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"syscall"
	"time"

	"billfold/ledger/usertext"
	"billfold/osfile"
)

// Errors that a caller can branch on, with errors.Is. What is returned is an *Error around one of them.
var (
	ErrLocked        = errors.New("the wallet is locked")
	ErrWrongPassword = errors.New("not the right password")
	ErrTooMany       = errors.New("too many wrong passwords")
	ErrEmptyPassword = errors.New("the password is empty")
	ErrUnseen        = errors.New("the password could not be typed again")
	ErrExists        = errors.New("the key file already exists")
	ErrMissing       = errors.New("the key file is gone, but earlier versions of it exist")
	ErrNotFound      = errors.New("there is no such key file")
	ErrForeign       = errors.New("the file is not a key file")
	ErrDamaged       = errors.New("the key file is damaged")
	ErrVersion       = errors.New("the key file was made by a newer version")
	ErrChain         = errors.New("the key file belongs to another chain")
	ErrUnsafe        = errors.New("the key file is not a plain file of this user")
	ErrChanged       = errors.New("the key file was changed by another program")
	ErrBusy          = errors.New("the key file is in use by another program")
	ErrReadOnly      = errors.New("the key file may not be read or written")
	ErrDiskFull      = errors.New("the disk is full")
	ErrFile          = errors.New("the key file could not be read or written")
	ErrWeak          = errors.New("the key derivation parameters are out of range")
	ErrInvalid       = errors.New("the contents cannot be stored")

	ErrTooManyChanges = errors.New("the password was changed too often")
)

// Error is the error of every function of this package: a kind to branch on, a sentence, and what to do next. It never
// contains a key or a password.
type Error struct {
	Kind    error  // one of the Err… values
	Message string // what happened, to what
	Hint    string // what to do next
	Err     error  // the cause; may be nil

	Wait time.Duration // for ErrTooMany: how long until another password may be tried
}

// Error returns the sentence with its hint.
func (e *Error) Error() string { return e.Message + " (" + e.Hint + ")" }

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

func lockedError() error {
	return &Error{Kind: ErrLocked, Message: "The wallet is locked", Hint: "unlock it first"}
}

func emptyPasswordError() error {
	return &Error{Kind: ErrEmptyPassword, Message: "An empty password protects nothing", Hint: "choose one with at least one character"}
}

func wrongPasswordError() error {
	return &Error{
		Kind:    ErrWrongPassword,
		Message: "This is not the right password",
		Hint:    "check capital letters and keyboard layout, then try again",
	}
}

// wrongEncoding adds to the error of a wrong password the encoding that the password is in, if it is not UTF-8: a file of Windows, for instance.
func wrongEncoding(password string, err error) error {
	_, encoding := usertext.DecodeLine(password)
	e, is := errors.AsType[*Error](err)
	if encoding == nil || !is || !errors.Is(e.Kind, ErrWrongPassword) {
		return err
	}
	return &Error{Kind: e.Kind, Message: e.Message, Hint: encoding.Error(), Err: encoding}
}

func tooManyError(left time.Duration) error {
	seconds := math.Ceil(left.Seconds())
	return &Error{Kind: ErrTooMany, Wait: left,
		Message: fmt.Sprintf("Too many wrong passwords: try again in %.0f s", seconds),
		Hint:    "wait, then try again; the correct password resets the delay"}
}

func damagedError(what string) error {
	return &Error{
		Kind:    ErrDamaged,
		Message: "The key file is damaged: " + what,
		Hint:    "restore a backup, or one of the earlier versions that end in .1 to .5",
	}
}

func invalidError(what string) error {
	return &Error{
		Kind:    ErrInvalid,
		Message: "The wallet contents cannot be stored: " + what,
		Hint:    "nothing was changed; correct it and try again",
	}
}

const unchanged = "; nothing was changed"

// fileError describes a fault of the disk in words. action is "read" or "saved".
func fileError(action, path string, err error) error {
	e := &Error{Kind: ErrFile, Err: err,
		Message: fmt.Sprintf("The key file %s could not be %s: %v", path, action, cause(err)),
		Hint:    "check the disk and try again" + unchanged}
	switch {
	case errors.Is(err, osfile.ErrNotRegular), errors.Is(err, osfile.ErrOtherOwner):
		e.Kind, e.Hint = ErrUnsafe, "give the path of the file itself, owned by the user who runs this program"+unchanged
	case errors.Is(err, ErrBusy):
		e.Kind, e.Hint = ErrBusy, "wait for the other program, or end it"+unchanged
	case errors.Is(err, fs.ErrNotExist):
		e.Kind, e.Hint = ErrNotFound, "check the path, or create a wallet"
	case errors.Is(err, syscall.EBUSY): // what a rename onto a mount point fails with
		e.Kind, e.Hint = ErrReadOnly, "it is a mount point of its own, so no new version can take its place; mount the folder that it is in instead"+unchanged
	case osfile.IsFull(err):
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
