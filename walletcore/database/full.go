package database

import (
	"errors"
	"path/filepath"

	"billfold/osfile"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// FullError means that there is no space for the files in a folder.
type FullError struct {
	Folder string
	Err    error // error of the database or the system
}

func (e *FullError) Error() string {
	return "the disk that holds " + e.Folder + " is full; free some space and try again"
}

// Unwrap returns the error of the database or the system.
func (e *FullError) Unwrap() error { return e.Err }

// leastRoom is the free space, in bytes, that SQLite needs to open a file at all.
const leastRoom = 64 << 10

// Explain turns err, of the file at path, into a *FullError if the disk is full. SQLite often reports that as an I/O
// error without the system's reason; then the disk is asked. Any other error, and nil, is returned as it is.
func Explain(path string, err error) error {
	if err == nil {
		return nil
	}
	if _, known := errors.AsType[*FullError](err); known {
		return err
	}
	folder := filepath.Dir(path)
	full := osfile.IsFull(err)
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff { // the other bits say in which call
		case sqlite3.SQLITE_FULL:
			full = true
		case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
			free, _, known := osfile.Room(folder)
			full = known && free < leastRoom
		}
	}
	if full {
		return &FullError{Folder: folder, Err: err}
	}
	return err
}

// Damaged reports whether err is SQLite's error for a file that is not a database or is not intact.
func Damaged(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_NOTADB || e.Code()&0xff == sqlite3.SQLITE_CORRUPT)
}

// TooShort reports whether err means that a file has fewer pages than were read of it before: something else was written over it, or it was cut.
func TooShort(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code() == sqlite3.SQLITE_IOERR_SHORT_READ
}

// Torn reports whether err means that the pages of a file do not fit together, as they do not while
// part of its log has not been copied into it.
func Torn(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_CORRUPT
}

// Held reports whether another program had the database locked. SQLite waits for it, except where a new file gets its
// log (journal_mode): there it gives up at once.
func Held(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_BUSY || e.Code()&0xff == sqlite3.SQLITE_LOCKED)
}
