package database

import (
	"errors"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// FullError means that there is no space for the files of a folder.
type FullError struct {
	Folder string
	Err    error // what the database or the system said
}

func (e *FullError) Error() string {
	return "the disk that holds " + e.Folder + " is full; free some space and try again"
}

// Unwrap returns what the database or the system said.
func (e *FullError) Unwrap() error { return e.Err }

// Explain turns err, of the file at path, into a *FullError where the disk is full. SQLite often calls
// that an I/O error, without the system's own reason; then the disk is asked. Every other error, and nil, stays as it is.
func Explain(path string, err error) error {
	if err == nil {
		return nil
	}
	if _, known := errors.AsType[*FullError](err); known {
		return err
	}
	folder := filepath.Dir(path)
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff { // the rest says in which call
		case sqlite3.SQLITE_FULL:
			full = true
		case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
			full = hasNoRoom(folder)
		}
	}
	if full {
		return &FullError{Folder: folder, Err: err}
	}
	return err
}

// Damaged reports that err is SQLite's for a file that is not one of its own, or not whole.
func Damaged(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_NOTADB || e.Code()&0xff == sqlite3.SQLITE_CORRUPT)
}

// Torn reports that the pages of a file do not fit together, as long as a part of its log is missing in it.
func Torn(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_CORRUPT
}

// Held reports whether another program kept the database to itself. SQLite waits for it, but not where a new file gets
// its log (journal_mode): there it gives up at once.
func Held(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_BUSY || e.Code()&0xff == sqlite3.SQLITE_LOCKED)
}
