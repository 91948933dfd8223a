// Package sqlite keeps the store in one SQLite file.
//
//	many callers ──► queue ──► one writer: everything that is waiting goes into one commit
//	                             │           (one fsync), then all callers go on
//	                             ▼
//	                           SQLite file ──► readers
//
// Promises: when Write returns nil, the change survives power loss; changes are made in the order in which they were
// requested. It owns the file, its migrations, its log, its mark and the files that were taken over into it. The only
// tables that it knows are those in which it numbers its commits.
//
// Refuses: a file of a newer version, and one that was removed or overwritten while it is open.
package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// Options configure a store.
type Options struct {
	Linger  time.Duration    // how long changes that nobody waits for may wait; 0 for the default
	Between database.Between // stands between the store and SQLite; nil for nothing
}

// Open opens the store at path, and takes over what earlier versions kept in separate files beside it. A missing file is
// created, with mode 0600, by the first write; until then the store is empty.
func Open(path string) (*store.Store, error) { return Options{}.Open(path) }

// Open is the function Open with options.
func (o Options) Open(path string) (*store.Store, error) {
	f, err := openFile(path, o)
	if err != nil {
		return nil, err
	}
	return store.New(f), nil
}

func openFile(path string, o Options) (*file, error) {
	f := &file{
		path: path, mark: markFile{path: filepath.Join(filepath.Dir(path), MarkName)}, linger: o.Linger, between: o.Between,
		queue: commits.NewQueue(), quit: make(chan struct{}), done: make(chan struct{}),
	}
	if f.linger == 0 {
		f.linger = defaultLinger
	}
	if err := f.mark.checkUsable(); err != nil {
		return nil, err
	}
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist) && !(takeover{path: f.path}).isPending():
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the payment journal %s cannot be opened: %w", path, err)
	default:
		if err := f.start(); err != nil {
			return nil, err
		}
	}
	go f.write()
	return f, nil
}

// How long opening a file is retried while another program is creating it, and the pause between attempts.
const (
	startPatience = time.Second
	startPause    = 10 * time.Millisecond
)

// start opens the file, creating it if it is missing. Several programs may do so at once.
func (f *file) start() error {
	for started := time.Now(); ; time.Sleep(startPause) {
		if err := f.startOnce(); !database.Held(err) || time.Since(started) > startPatience {
			return err
		}
	}
}

func (f *file) startOnce() error {
	if err := checkLog(f.path); err != nil {
		return err
	}
	db, err := f.between.Open(f.path, database.Durable)
	if err != nil {
		return fmt.Errorf("the payment journal %s cannot be opened: %w; without it no payment can be made safely, "+
			"so do not move it away: make it and its folder readable and writable", f.path, database.Explain(f.path, err))
	}
	if err = migrate(db, takeover{path: f.path}); err == nil {
		err = takeover{path: f.path}.run()
	}
	if err == nil {
		f.state.file, err = os.Stat(f.path)
	}
	if err == nil {
		err = checkIndex(db, f.path)
	}
	if err == nil && !f.seized {
		err = checkStays(db, f.path)
	}
	if err == nil {
		f.state.last, _, err = follows(db, store.Mark{})
	}
	if err != nil {
		_ = db.Close() // the fault that counts is the one before
		if err = explain(f.path, err); isDamaged(err) {
			return err
		}
		if moved, is := errors.AsType[*store.MovedError](err); is {
			return moved
		}
		return fmt.Errorf("the payment journal %s cannot be used: %w", f.path, err)
	}
	db.SetMaxOpenConns(maxConnections)
	f.db.Store(db)
	return nil
}

// maxConnections limits the memory that readers use; the writer has its own connection.
const maxConnections = 8

// checkIndex refuses a file whose payments are not all found by their ids: a log that was copied into an older file, by whatever program,
// brings the newest ones, and leaves the index of those in between as it was. Payments are never removed, so their rows are numbered
// without a gap; where they are not, SQLite compares index and table.
func checkIndex(from rows, path string) error {
	var rows, found int64
	err := from.QueryRow(`SELECT (SELECT COALESCE(MAX(rowid), 0) FROM payments),
		(SELECT COUNT(*) FROM payments INDEXED BY sqlite_autoindex_payments_1 WHERE id > '')`).Scan(&rows, &found)
	if err != nil || rows == found {
		return err
	}
	var said string
	if err := from.QueryRow(`PRAGMA integrity_check(payments)`).Scan(&said); err != nil || said == "ok" {
		return err
	}
	return &DamagedError{Path: path, Err: fmt.Errorf("parts of it are of different times: %s", said)}
}

// migrate brings db to the latest version of the schema, all or nothing. Several programs may do so at once.
func migrate(db *sql.DB, old takeover) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	have, err := schemaVersion(tx)
	steps := store.Migrations()
	switch {
	case err != nil:
		return err
	case have > len(steps):
		return fmt.Errorf("it was written by a newer version of this program (%d, this one knows %d); use that one", have, len(steps))
	case have == len(steps):
		return nil
	}
	for _, step := range steps[have:] {
		for _, statement := range step {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
	}
	if _, err := tx.Exec(`UPDATE `+store.VersionTable+` SET version = ?`, len(steps)); err != nil {
		return err
	}
	if have < takeoverVersion && !old.isPending() { // later versions have recorded it
		if err := old.record(tx, nil); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// takeoverVersion is the first schema version that records what was taken over.
const takeoverVersion = 6

// schemaVersion reads how many migrations were made; 0 for an empty database.
func schemaVersion(tx *sql.Tx) (have int, err error) {
	if _, err := tx.Exec(`CREATE TABLE IF NOT EXISTS ` + store.VersionTable + ` (version INTEGER NOT NULL)`); err != nil {
		return 0, err
	}
	err = tx.QueryRow(`SELECT version FROM ` + store.VersionTable).Scan(&have)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = tx.Exec(`INSERT INTO ` + store.VersionTable + ` (version) VALUES (0)`)
	}
	return have, err
}

// Tables opens the tables of the store at path in order to copy all of it: nobody else may have it open.
// A transaction on it locks out all others.
func Tables(path string) (*sql.DB, error) { return database.Open(path, database.Durable) }
