package sqlite

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"

	"billfold/walletcore/store"
)

// rows is a database or a transaction.
type rows interface {
	QueryRow(query string, args ...any) *sql.Row
}

func identity(from rows) (id string, err error) {
	err = from.QueryRow(`SELECT id FROM journal_identity`).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

func position(from rows, id string) (store.Mark, error) {
	m := store.Mark{ID: id}
	err := from.QueryRow(`SELECT number, nonce FROM journal_commits ORDER BY number DESC LIMIT 1`).Scan(&m.Commit, &m.Nonce)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return m, err
}

// hasCommit reports whether the journal keeps the commit of a mark, and whether it made it. Commits too old to be kept count as made.
func hasCommit(from rows, mark store.Mark) (kept, made bool, err error) {
	var nonce string
	err = from.QueryRow(`SELECT nonce FROM journal_commits WHERE number = ?`, mark.Commit).Scan(&nonce)
	if errors.Is(err, sql.ErrNoRows) {
		return false, true, nil
	}
	return err == nil, nonce == mark.Nonce, err
}

const (
	commitsKept = 1024 // how many commits can be compared with a mark
	pruneEvery  = 128
)

// numberCommit records a commit in itself: its number and a random text of its own.
func (tx *transaction) numberCommit() (m store.Mark, err error) {
	if err := tx.readLast(); err != nil {
		return m, err
	}
	m = store.Mark{ID: tx.last.ID, Commit: tx.last.Commit + 1, Nonce: randomText(8)}
	if _, err = tx.Exec(`INSERT INTO journal_commits (number, nonce) VALUES (?, ?)`, m.Commit, m.Nonce); err == nil {
		err = tx.noteLog(m.Commit)
	}
	if err == nil {
		err = tx.noteHead(m)
	}
	tx.last = m
	return m, err
}

// readLast reads which commit was the last, unless that is known.
func (t *transaction) readLast() (err error) {
	if t.last.ID != "" {
		return nil
	}
	if t.last.ID, err = identity(t); err == nil {
		t.last, err = position(t, t.last.ID)
	}
	return err
}

// prune deletes, every pruneEvery commits, those too old to be compared with a mark.
func (tx *transaction) prune(m store.Mark) error {
	if m.Commit%pruneEvery != 0 {
		return nil
	}
	_, err := tx.Exec(`DELETE FROM journal_commits WHERE number <= ?`, m.Commit-commitsKept)
	return err
}

func randomText(size int) string {
	raw := make([]byte, size)
	n, _ := rand.Read(raw) // it never fails
	return hex.EncodeToString(raw[:n])
}
