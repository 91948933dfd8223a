// Package database opens the SQLite files in which the wallet keeps what is no
// secret: payments, history, sums, cursors, the audit log. It is the one place
// that knows how: a store of another kind would be opened here.
//
// Promises: a file is made with mode 0600; a change that was committed survives
// the loss of power, unless Relaxed was asked for; several programs may share a
// file, each waiting for the others up to five seconds. It knows no tables.
package database

import (
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Kind says how a file is used.
type Kind string

// The kinds.
const (
	Durable  Kind = "&_pragma=synchronous(FULL)&_txlock=immediate"   // every commit waits for the disk
	Relaxed  Kind = "&_pragma=synchronous(NORMAL)&_txlock=immediate" // the last commits may be lost with the power; the file stays whole
	ReadOnly Kind = "&_pragma=query_only(1)"                         // a second door to a file that is open already
)

// Open opens the file at path, making it when it is missing, and runs the
// statements of schema, which do nothing where the tables exist.
func Open(path string, kind Kind, schema ...string) (*sql.DB, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	name := "file:" + (&url.URL{Path: path}).EscapedPath() // a ? in it would begin the options
	db, err := sql.Open("sqlite", name+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)"+string(kind))
	if err != nil {
		return nil, err
	}
	for _, statement := range schema {
		if _, err := db.Exec(statement); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

// OpenFrozen opens what is in the file at path alone, as if nobody wrote to it: no log
// is read, nothing is made and nothing locked. While somebody does write, what is read may be torn.
func OpenFrozen(path string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?immutable=1&mode=ro")
}

// File is a durable database that is opened when it is first needed. It may be
// used by many goroutines.
type File struct {
	path   string
	schema []string
	steps  []Migration

	mu sync.Mutex
	db *sql.DB // nil until it is needed
}

// At is the file at path; nothing is opened or made yet.
func At(path string, schema ...string) *File { return &File{path: path, schema: schema} }

// Migrated is the file at path, brought to the last of steps when it is opened.
func Migrated(path string, steps []Migration) *File { return &File{path: path, steps: steps} }

// Path is where the file is, or would be.
func (f *File) Path() string { return f.path }

// Open gives the database, making the file when it is missing.
func (f *File) Open() (*sql.DB, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.db != nil {
		return f.db, nil
	}
	db, err := Open(f.path, Durable, f.schema...)
	if err != nil {
		return nil, err
	}
	if len(f.steps) > 0 {
		if err := Migrate(db, f.steps); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	f.db = db
	return db, nil
}

// Find gives the database, or nil when there is no file yet.
func (f *File) Find() (*sql.DB, error) {
	if _, err := os.Stat(f.path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f.Open()
}

// Close closes what was opened.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.db == nil {
		return nil
	}
	return f.db.Close()
}
