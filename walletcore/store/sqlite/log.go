package sqlite

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"os"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// A database reads whatever log lies beside it. One that is older or newer than the file, as when only one of the two was
// restored, makes a mixture of both in which payments are missing although the latest commit is there. So the file records
// with which commit its log began: without its log, it must have come that far, and no further than with it.
//
// While programs read, SQLite copies only those pages of the log that none of them needs, and the file alone may hold pages of several
// times. How far it has come is then not in its tables, but in the one row of journal_log, which each commit writes: it has a page of its
// own, which SQLite copies whole, and which never becomes older.

// errOtherLog means that the log beside a file is not its own.
var errOtherLog = errors.New("its -wal file does not belong to it: one of the two was replaced by an older or a newer one")

// logSalts returns the random text at the start of a log, which changes each time that it begins anew; "" if there is none.
func logSalts(path string) string {
	f, err := os.Open(path + "-wal")
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // it was only read
	var header [32]byte
	if _, err := io.ReadFull(f, header[:]); err != nil {
		return ""
	}
	return hex.EncodeToString(header[16:24])
}

// noteLog records, with the second commit of a log, where the log began: the first one still sees the log before.
func (c *connection) noteLog(n int64) error {
	salts := logSalts(c.path)
	if salts == "" || salts == c.salts {
		return nil
	}
	known, _, err := logOf(c)
	switch {
	case err != nil:
		return err
	case known == "": // it may have begun long ago
		_, err = c.Exec(`UPDATE journal_log SET salts = ?, since = 0`, salts)
	case known != salts:
		_, err = c.Exec(`UPDATE journal_log SET salts = ?, since = ?`, salts, n-2)
	}
	if err == nil {
		c.salts = salts
	}
	return err
}

// noteHead records a commit in the row that stays on its page.
func (c *connection) noteHead(m store.Mark) error {
	_, err := c.Exec(`UPDATE journal_log SET id = ?, number = ?, nonce = ?`, m.ID, m.Commit, m.Nonce)
	return err
}

// headOf reads the latest commit as noteHead recorded it; of a file of an earlier version, as its tables have it. It reports false, and
// the zero mark, for one that does not even record where its log began.
func headOf(from rows) (m store.Mark, records bool, err error) {
	var columns, own int
	err = from.QueryRow(`SELECT COUNT(*), COALESCE(SUM(name = 'nonce'), 0) FROM pragma_table_info('journal_log')`).Scan(&columns, &own)
	switch {
	case err != nil || columns == 0:
		return m, false, err
	case own == 0:
		m, err = rawPosition(from)
	default:
		err = from.QueryRow(`SELECT id, number, nonce FROM journal_log`).Scan(&m.ID, &m.Commit, &m.Nonce)
	}
	return m, true, err
}

// headWithoutLog is headOf of a file without its log. schema is SQLite's count of changes of its tables, which a copy by SQLite raises.
func headWithoutLog(path string) (m store.Mark, schema int, records bool, err error) {
	db, err := database.OpenTorn(path)
	if err != nil {
		return m, 0, false, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	if err := db.QueryRow(`PRAGMA schema_version`).Scan(&schema); err != nil {
		return m, 0, false, err
	}
	m, records, err = headOf(db)
	return m, schema, records, err
}

// logOf reads which log a file had when it was last written, and after which commit that began; "" if that was not recorded yet.
func logOf(from rows) (salts string, since int64, err error) {
	err = from.QueryRow(`SELECT salts, since FROM journal_log`).Scan(&salts, &since)
	return salts, since, err
}

// checkLog refuses a file with the log of another one, before anything can join the two. Programs that use the file meanwhile
// may copy their log into it, so what does not fit is looked at again.
func checkLog(path string) error {
	for range rereadTries {
		salts := logSalts(path)
		if salts == "" {
			return nil
		}
		without, _, records, err := headWithoutLog(path)
		if err != nil {
			return nil // nothing was copied into it yet, or it is no journal
		}
		with, fits, err := lookInto("file:" + (&url.URL{Path: path}).EscapedPath() + "?mode=ro&_pragma=busy_timeout(5000)")
		if err != nil && !fits.torn {
			return nil // opening it says why
		}
		since := with.Commit - 1 // its one change is not recorded yet
		switch {
		case fits.salts == salts:
			since = fits.since
		case fits.salts == "" && !records: // from a version that did not record it
			since = 0
		}
		if !fits.torn && since <= without.Commit && without.Commit <= with.Commit && fits.has(without) {
			return nil
		}
		time.Sleep(rereadPause)
	}
	return &DamagedError{Path: path, Err: errOtherLog}
}

// logView holds what a file says about its log, and the commits that it has.
type logView struct {
	salts  string
	since  int64
	nonces map[int64]string
	torn   bool // its parts are not of one time
}

// has reports whether a commit is one of the file's. Those too old to be kept count as such.
func (v logView) has(m store.Mark) bool {
	nonce, kept := v.nonces[m.Commit]
	return !kept || nonce == m.Nonce
}

// lookInto reads a file without changing anything: it is closed again without its log being copied.
func lookInto(name string) (at store.Mark, v logView, err error) {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return at, v, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	db.SetMaxOpenConns(1)
	tx, err := db.Begin()
	if err != nil {
		return at, v, err
	}
	defer tx.Rollback() //nolint:errcheck // it was only read
	var tables, own, pages int
	err = tx.QueryRow(`SELECT COUNT(*), COALESCE(SUM(name = 'journal_log'), 0) FROM sqlite_master`).Scan(&tables, &own)
	if err == nil {
		err = tx.QueryRow(`PRAGMA page_count`).Scan(&pages)
	}
	v.torn = tables == 0 && pages > 1
	if err != nil || own == 0 {
		return at, v, err // it is from a version that did not record it
	}
	if at, _, err = headOf(tx); err == nil {
		v.salts, v.since, err = logOf(tx)
	}
	if v.torn = errors.Is(err, sql.ErrNoRows); err != nil {
		return at, v, err
	}
	if last, err := rawPosition(tx); err != nil || last != at {
		v.torn = err == nil
		return at, v, err
	}
	rows, err := tx.Query(`SELECT number, nonce FROM journal_commits`)
	if err != nil {
		return at, v, err
	}
	defer rows.Close()
	for v.nonces = map[int64]string{}; rows.Next(); {
		var number int64
		var nonce string
		if err := rows.Scan(&number, &nonce); err != nil {
			return at, v, err
		}
		v.nonces[number] = nonce
	}
	return at, v, rows.Err()
}
