package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"billfold/walletcore/database"
)

// LostKind is what is wrong with a journal whose wallet knows of another.
type LostKind string

// The kinds.
const (
	Missing LostKind = "missing" // the wallet had a journal, and there is no file
	Foreign LostKind = "foreign" // the file is another wallet's, or went on somewhere else
	Older   LostKind = "older"   // the file had come further before: it is a copy of earlier days
	NoMark  LostKind = "no mark" // nothing says how far it had come
)

// LostError says that the file is not the journal that the wallet wrote last. What was
// sent meanwhile is not in it: a request key that was used could be used again.
type LostError struct {
	Kind LostKind
	Path string
	Why  string

	Have, Want int64 // of Older: how many changes the file has, and how many were written
}

func (e *LostError) Error() string { return e.Why }

// NewID makes an identity.
func NewID() string { return randomText(16) }

func randomText(size int) string {
	raw := make([]byte, size)
	rand.Read(raw) //nolint:errcheck // it never fails
	return hex.EncodeToString(raw)
}

// Path is where the file is, or would be.
func (j *Journal) Path() string { return j.path }

// MarkPath is where its mark is.
func (j *Journal) MarkPath() string { return filepath.Join(filepath.Dir(j.path), MarkName) }

// Identity reads which journal this is; "" when there is no file, or it was never claimed.
func (j *Journal) Identity(ctx context.Context) (string, error) {
	db := j.db.Load()
	if db == nil {
		return "", nil
	}
	return identity(ctx, db)
}

type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func identity(ctx context.Context, from rowQuerier) (id string, err error) {
	err = from.QueryRowContext(ctx, `SELECT id FROM journal_identity`).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// Position is the mark that the journal itself has: its identity and its latest commit.
func (j *Journal) Position(ctx context.Context) (Mark, error) {
	db := j.db.Load()
	if db == nil {
		return Mark{}, nil
	}
	id, err := identity(ctx, db)
	if err != nil {
		return Mark{}, database.Explain(j.path, err)
	}
	m, err := position(ctx, db, id)
	return m, database.Explain(j.path, err)
}

func position(ctx context.Context, from rowQuerier, id string) (Mark, error) {
	m := Mark{ID: id}
	err := from.QueryRowContext(ctx, `SELECT number, nonce FROM journal_commits ORDER BY number DESC LIMIT 1`).Scan(&m.Commit, &m.Nonce)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return m, err
}

// Claim makes this the journal with the identity id, making the file where it is
// missing, and returns the identity that it has: another one when it was claimed
// before. File and mark are on disk on return.
func (j *Journal) Claim(ctx context.Context, id string) (string, error) {
	have := id
	err := j.wait(ctx, func(tx *sql.Tx) (refusal, failure error) {
		switch known, err := identity(context.Background(), tx); {
		case err != nil:
			return nil, err
		case known != "":
			have = known
			return nil, nil
		}
		_, err := tx.Exec(`INSERT INTO journal_identity (id) VALUES (?)`, id)
		return nil, err
	})
	if err != nil {
		return "", err
	}
	at, err := j.Position(ctx)
	if err != nil {
		return "", err
	}
	if _, err := readMark(j.MarkPath()); err == nil {
		return have, nil
	}
	f := markFile{path: j.MarkPath()}
	if err := f.create(at); err != nil {
		return "", j.unwritable(err)
	}
	return have, nil
}

// Renew gives the journal another identity and a mark of its own, making the file where
// it is missing; what is in it stays. Both are on disk on return.
func (j *Journal) Renew(ctx context.Context) (id string, err error) {
	id = NewID()
	err = j.wait(ctx, func(tx *sql.Tx) (refusal, failure error) {
		if _, err := tx.Exec(`DELETE FROM journal_identity`); err != nil {
			return nil, err
		}
		_, err := tx.Exec(`INSERT INTO journal_identity (id) VALUES (?)`, id)
		return nil, err
	})
	if err != nil {
		return "", err
	}
	at, err := j.Position(ctx)
	if err != nil {
		return "", err
	}
	f := markFile{path: j.MarkPath()}
	if err := f.create(at); err != nil {
		return "", j.unwritable(err)
	}
	return id, nil
}

// Check compares the file with what the wallet knows of its journal: the identity,
// "" when it never claimed one, and the mark. Errors: *LostError, those of the disk.
func (j *Journal) Check(ctx context.Context, id string) error {
	have, err := j.Position(ctx)
	if err != nil {
		return err
	}
	mark, err := readMark(j.MarkPath())
	marked := err == nil
	switch {
	case err != nil && !isMissing(err) && !errors.Is(err, errNoMark):
		return err
	case id == "" && marked:
		id = mark.ID
	case id == "":
		return nil
	}
	lost := func(kind LostKind, why string, args ...any) error {
		return &LostError{Kind: kind, Path: j.path, Why: fmt.Sprintf(why, args...)}
	}
	switch {
	case j.db.Load() == nil:
		return lost(Missing, "the payment journal %s is missing", j.path)
	case have.ID != id:
		return lost(Foreign, "the payment journal %s is not the one of this wallet", j.path)
	case !marked:
		return lost(NoMark, "%s, which says how far the payment journal had come, is missing or damaged", j.MarkPath())
	case mark.ID != id:
		return lost(Foreign, "%s is not that of this wallet's payment journal", j.MarkPath())
	case have.Commit < mark.Commit:
		return &LostError{Kind: Older, Path: j.path, Have: have.Commit, Want: mark.Commit, Why: fmt.Sprintf(
			"the payment journal %s is an older copy: it has %d of the %d changes that were written", j.path, have.Commit, mark.Commit)}
	}
	switch same, err := madeIn(ctx, j.db.Load(), mark); {
	case err != nil:
		return err
	case !same:
		return lost(Foreign, "the payment journal %s went on somewhere else: its change %d is not the one that was written here", j.path, mark.Commit)
	}
	return nil
}

// madeIn reports whether a journal made the commit of a mark; those of long ago
// are not kept, and count as made.
func madeIn(ctx context.Context, from rowQuerier, mark Mark) (bool, error) {
	var nonce string
	err := from.QueryRowContext(ctx, `SELECT nonce FROM journal_commits WHERE number = ?`, mark.Commit).Scan(&nonce)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return nonce == mark.Nonce, err
}

const (
	commitsKept = 1024 // how many commits can be compared with a mark
	pruneEvery  = 128
)

// number notes a commit in itself: its number and a random text of its own.
func (j *Journal) number(tx *sql.Tx) (Mark, error) {
	id, err := identity(context.Background(), tx)
	if err != nil {
		return Mark{}, err
	}
	m, err := position(context.Background(), tx, id)
	if err != nil {
		return Mark{}, err
	}
	m.Commit, m.Nonce = m.Commit+1, randomText(8)
	_, err = tx.Stmt(j.ready.commit).Exec(m.Commit, m.Nonce)
	if err == nil && m.Commit%pruneEvery == 0 {
		_, err = tx.Exec(`DELETE FROM journal_commits WHERE number <= ?`, m.Commit-commitsKept)
	}
	return m, err
}
