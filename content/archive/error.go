package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/osfile"
)

// Errors that a caller can branch on, with errors.Is. What is returned is an *Error around one of them, or the context's error.
var (
	ErrSource   = errors.New("the content cannot be packed")
	ErrName     = errors.New("a file name is unsafe")
	ErrDamaged  = errors.New("the package is damaged")
	ErrKey      = errors.New("the key does not open the package")
	ErrHash     = errors.New("the package is not the one with this hash")
	ErrLimit    = errors.New("the content is larger than allowed")
	ErrRoom     = errors.New("the disk has too little room")
	ErrExists   = errors.New("the place is taken")
	ErrNotFound = errors.New("there is no such package")
	ErrBusy     = errors.New("another program works on it")
	ErrFile     = errors.New("a file could not be read or written")
)

// Error is the error of the functions of this package: a kind to branch on, a sentence, and what to do next. It never contains a key.
type Error struct {
	Kind    error  // one of the Err… values
	Message string // what happened, to what
	Hint    string // what to do next
	Err     error  // the cause; may be nil
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

func sourceError(name, what, hint string) error {
	return &Error{Kind: ErrSource, Message: fmt.Sprintf("%q %s", name, what), Hint: hint}
}

func nameError(name, what string) error {
	return &Error{Kind: ErrName, Message: fmt.Sprintf("The file name %q %s", name, what),
		Hint: "nothing was extracted; do not trust this package"}
}

// damagedError keeps no io.EOF as its cause: that would pass for the end of a whole archive.
func damagedError(what string, err error) error {
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return &Error{Kind: ErrDamaged, Message: "The package is damaged: " + what,
		Hint: "nothing was extracted; its publisher must publish it anew", Err: err}
}

func keyError() error {
	return &Error{Kind: ErrKey, Message: "The key does not open this package", Hint: "use the key that was restored for this content"}
}

func hashError(want, got ledger.Hash160) error {
	return &Error{Kind: ErrHash, Message: fmt.Sprintf("The package has the hash %s, not %s", got, want),
		Hint: "nothing was extracted; it is fetched again at the next try: name another IPFS daemon (--ipfs-api) if it stays so"}
}

func limitError(what string) error {
	return &Error{Kind: ErrLimit, Message: what, Hint: "nothing was extracted; raise the limit only if you trust the publisher"}
}

// RoomError returns the error of a disk, that of a folder, with fewer bytes left than are needed.
func RoomError(folder string, need, free int64) error {
	return &Error{Kind: ErrRoom, Message: fmt.Sprintf("The disk of %q has %s left, and this needs %s", folder, printable.Size(uint64(free)), printable.SizeUp(uint64(need))), //nolint:gosec // no size is negative
		Hint: "make room there, or choose another disk"}
}

// fileError wraps an error of the system about a file. Nil, errors of this package and of the context stay what they are.
func fileError(doing, name string, err error) error {
	if err == nil || isFinal(err) {
		return err
	}
	kind, cause, path := ErrFile, err, new(fs.PathError)
	if errors.As(err, &path) {
		cause = path.Err
	}
	hint := "check that the file and its disk are there and that you may use them"
	if osfile.IsFull(err) {
		kind, hint = ErrRoom, "make room on its disk, and try again"
		if folder := folderOf(path.Path); folder != "" { // what was being copied may be on another disk
			return &Error{Kind: kind, Message: fmt.Sprintf("The disk of %q is full", folder), Hint: "make room there, and try again", Err: err}
		}
	}
	return &Error{Kind: kind, Message: fmt.Sprintf("Cannot %s %q: %v", doing, name, cause), Hint: hint, Err: err}
}

// folderOf returns the folder that a file, or what is not finished and the file is in, was to be in; "" if its path has none.
func folderOf(file string) string {
	folder, _, isStaged := strings.Cut(file, stagingPrefix)
	if !isStaged {
		folder, _ = filepath.Split(file)
	}
	return strings.TrimRight(folder, string(filepath.Separator))
}

// WriteError returns an error of the system about writing a part as one of this package. Nil stays nil.
func WriteError(part string, err error) error { return fileError("write", part, err) }

// isFinal reports whether an error is one of this package or the context's, and needs no more words.
func isFinal(err error) bool {
	var own *Error
	return errors.As(err, &own) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
