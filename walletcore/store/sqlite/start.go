package sqlite

import (
	"errors"
	"fmt"
	"os"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

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
	db.SetMaxOpenConns(mostConnections)
	f.db.Store(db)
	return nil
}

// mostConnections limits the memory that readers use; the writer has its own connection.
const mostConnections = 8

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
