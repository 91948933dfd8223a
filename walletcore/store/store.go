// Package store keeps what the wallet has to remember beside its keys, in one
// database file: so far what daemons said of the ledger that must not change
// unnoticed. One file of this package per concern; who uses a concern declares
// the interface it needs.
//
//	pin.go        account id ↔ name, asset id ↔ symbol and precision: said once, compared ever after
//	content.go    who is the author of content
//	seen.go       the memo key and authorities a counterpart was last seen with
//	anchor.go     the active miners' keys and the last block proven irreversible
//	migration.go  the schema, step by step
//
// Promises: what was written survives the loss of power; everything is kept per
// chain; several programs may share the file. Refuses a file of a newer version.
// No key and no plain text of a memo is ever stored.
//
// The SQL is plain and portable: wallets that outgrow one machine will share
// this store in another database.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"billfold/walletcore/database"
)

// mostConnections bounds the memory that readers use.
const mostConnections = 4

// Store is the open file. Its methods may be used by many goroutines. Errors are
// those of the file.
type Store struct{ file *database.File }

// Open opens the store at path. A missing file is made with the first thing that
// is written, with mode 0600; until then the store is empty.
func Open(path string) (*Store, error) {
	s := &Store{database.Migrated(path, migrations())}
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, s.fault(err)
	default:
		if _, err := s.open(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Exists reports whether anything was ever written: there is a file.
func (s *Store) Exists() bool {
	_, err := os.Stat(s.file.Path())
	return !errors.Is(err, fs.ErrNotExist)
}

// Path is where the file is, or would be.
func (s *Store) Path() string { return s.file.Path() }

// Close closes the file.
func (s *Store) Close() error { return s.file.Close() }

// open gives the database, making the file when it is missing.
func (s *Store) open() (*sql.DB, error) {
	db, err := s.file.Open()
	if err != nil {
		return nil, s.fault(err)
	}
	db.SetMaxOpenConns(mostConnections)
	return db, nil
}

// find gives the database, nil when nothing was ever written.
func (s *Store) find() (*sql.DB, error) {
	db, err := s.file.Find()
	if err != nil {
		return nil, s.fault(err)
	}
	return db, nil
}

func (s *Store) fault(err error) error {
	return fmt.Errorf("the wallet's store %s cannot be used: %w", s.file.Path(), database.Explain(s.file.Path(), err))
}

// change runs act in one transaction, which is committed when act returns nil.
func (s *Store) change(ctx context.Context, act func(*sql.Tx) error) error {
	db, err := s.open()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return s.fault(err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if err := act(tx); err != nil {
		return s.fault(err)
	}
	if err := tx.Commit(); err != nil {
		return s.fault(err)
	}
	return nil
}
