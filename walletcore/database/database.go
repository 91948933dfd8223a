// Package database opens the SQLite files in which the wallet keeps what is not secret: its store, and the index of its
// history. No other package knows how.
//
// Promises: a file is created with mode 0600; a committed change survives the loss of power, unless Relaxed was asked
// for; several programs may share a file, each waiting up to five seconds for the others. It knows no tables.
package database

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"net/url"
	"os"

	"billfold/osfile"

	"modernc.org/sqlite"
)

// Kind is the mode in which a file is opened.
type Kind string

// The kinds.
const (
	Durable  Kind = "&_pragma=synchronous(FULL)&_txlock=immediate" + largeCheckpoint // every commit waits for the disk
	Relaxed  Kind = "&_pragma=synchronous(NORMAL)&_txlock=immediate"                 // the last commits may be lost with the power, no more
	ReadOnly Kind = "&_pragma=query_only(1)"                                         // a second way into a file that is open already
)

// largeCheckpoint copies the log into the file at 16 MB instead of 4 MB. A commit waits for that, for two syncs and for
// every page that changed, and pages that change with each commit are then written once for all of them.
const largeCheckpoint = "&_pragma=wal_autocheckpoint(4000)"

// Between stands between SQLite and who opens a file: it returns a connector to use in place of the driver's. nil is none.
type Between func(driver.Connector) driver.Connector

// Open opens the file at path, creating it if it is missing, and runs the statements of schema,
// which must do nothing if the tables exist.
func Open(path string, kind Kind, schema ...string) (*sql.DB, error) {
	return Between(nil).Open(path, kind, schema...)
}

// Open is the function Open with connections that go through between.
func (between Between) Open(path string, kind Kind, schema ...string) (*sql.DB, error) {
	if err := makeFile(path); err != nil {
		return nil, err
	}
	name := "file:" + (&url.URL{Path: path}).EscapedPath() // escaped, because a ? would start the options
	var file driver.Connector
	file, err := sqlite.NewConnector(name + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)" + string(kind))
	if err != nil {
		return nil, err
	}
	if between != nil {
		file = between(file)
	}
	db := sql.OpenDB(cachingConnector{file})
	for _, statement := range schema {
		if _, err := db.Exec(statement); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

// makeFile creates an empty file if there is none. It does not open an existing one: closing that again would release every
// lock that this process has on it, and another program, when it ends, would remove the log of a database that is in use.
func makeFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return osfile.CheckUsable(path)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// OpenNew opens the new, empty file at path for writing all that it will ever have, without a log. Nothing in it is safe before the caller has
// closed and synced it.
func OpenNew(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=rw&_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// OpenFrozen opens only what is in the file at path, as if nobody wrote to it: no log is read, nothing is created and
// nothing locked. If somebody does write, what is read may be torn.
func OpenFrozen(path string) (*sql.DB, error) { return sql.Open("sqlite", frozen(path)) }

// OpenTorn is OpenFrozen for a file of which parts may not be there yet: only who reads those gets an error.
func OpenTorn(path string) (*sql.DB, error) {
	return sql.Open("sqlite", frozen(path)+"&_pragma=writable_schema(1)")
}

func frozen(path string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?immutable=1&mode=ro"
}
