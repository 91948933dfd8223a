package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// Seized is a store that is about to move. It holds the lock of the one writer from before anything is read until the file
// itself says where it went: whoever waited for that lock finds it there, in this run and in any later one.
type Seized struct {
	path  string
	db    *sql.DB // for the checks
	c     *connection
	tx    *transaction
	ID    string            // the identity of the store; "" if it was never claimed
	Began *store.MovedError // a move that began and did not end; nil if there was none
}

// Seize takes the store at path, which it brings to the current version, from every program that uses it. Errors:
// *store.MovedError if it has moved, *store.LostError if it is not the one that was written last, those of the disk.
func Seize(ctx context.Context, path string) (*Seized, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("there is no payment journal: %w", err)
	}
	f := &file{path: path, mark: markFile{path: filepath.Join(filepath.Dir(path), MarkName)}, seized: true}
	if err := errors.Join(f.mark.checkUsable(), f.start()); err != nil {
		return nil, err
	}
	s := &Seized{path: path, db: f.db.Load()}
	if err := s.lock(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	at, err := f.Position(ctx)
	if err == nil {
		err = f.Check(ctx, at.ID)
	}
	if err == nil {
		s.ID = at.ID
		s.Began, err = movedTo(s.tx, path)
	}
	if err == nil && s.Began != nil && s.Began.Done {
		err = s.Began
	}
	if err == nil {
		err = s.checkArchives(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// checkArchives refuses a store of which a part is in files beside it, which no other store can read.
func (s *Seized) checkArchives(ctx context.Context) error {
	list, err := store.ReadArchives(ctx, s)
	if err != nil || len(list) == 0 {
		return err
	}
	return fmt.Errorf("a part of the store %s is in %s beside it, which servers that share a store cannot read: it cannot be moved; use it where it is",
		s.path, list[0].Name)
}

// lock begins a transaction on the file that is at the path now.
func (s *Seized) lock() error {
	before, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	if s.c, err = connect(s.path); err == nil {
		s.tx, err = s.c.begin()
	}
	if err != nil {
		return fmt.Errorf("%s is in use, and does not become free: %w", s.path, explain(s.path, err))
	}
	if now, err := os.Stat(s.path); err != nil || !os.SameFile(now, before) {
		return store.ErrReplaced
	}
	return nil
}

// QueryContext reads from the store.
func (s *Seized) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.c.conn.QueryContext(ctx, query, args...)
}

// Begin records that the store moves into another one, with that identity, at place. From then on nobody else writes to it.
func (s *Seized) Begin(id, place string) error {
	return s.record(`INSERT INTO journal_moved (store, place, moved_at, done) VALUES (?, ?, ?, 0)`, id, place, time.Now().Unix())
}

// End records that the store has moved.
func (s *Seized) End() error { return s.record(`UPDATE journal_moved SET done = 1`) }

// Abandon records that the store stays where it is.
func (s *Seized) Abandon() error { return s.record(`DELETE FROM journal_moved WHERE done = 0`) }

// record makes a statement in a commit of its own, and takes the lock again.
func (s *Seized) record(statement string, args ...any) error {
	_, err := s.tx.Exec(statement, args...)
	if err == nil {
		_, err = s.tx.numberCommit()
	}
	if err == nil {
		err = s.tx.commit()
	}
	if err == nil {
		s.tx, err = s.c.begin()
	}
	return explain(s.path, err)
}

// Close releases the store.
func (s *Seized) Close() error {
	var err error
	if s.c != nil {
		err = s.c.close() // its transaction ends with it
	}
	return errors.Join(err, s.db.Close())
}

// movedTo reads where a store went; nil if it is where it was.
func movedTo(from rows, path string) (*store.MovedError, error) {
	m := &store.MovedError{Path: path}
	var done int
	err := from.QueryRow(`SELECT store, place, done FROM journal_moved`).Scan(&m.Store, &m.Place, &done)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	m.Done = done != 0
	return m, err
}

// checkStays refuses a store that has moved or is about to.
func checkStays(from rows, path string) error {
	m, err := movedTo(from, path)
	if err == nil && m != nil {
		err = m
	}
	return err
}

// holdToReplace takes the lock of the writer of the file at path, whatever is in it, if it still has the commit at. It reports
// false if it has another one by now. A file that is missing or damaged has nobody who writes to it: release does nothing then.
func holdToReplace(path string, at store.Mark) (release func(), same bool, err error) {
	none := func() {}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return none, true, nil
	}
	c, err := connect(path)
	if err == nil {
		if err = c.run(`BEGIN IMMEDIATE`); err != nil {
			_ = c.close() // the fault that counts is the one before
		}
	}
	if database.Held(err) {
		return nil, false, fmt.Errorf("%s is in use: %w", path, database.Explain(path, err))
	}
	if err != nil {
		return none, true, nil
	}
	now, _ := rawPosition(c)
	return func() { _ = c.close() }, now == at, nil
}

// rawPosition reads how far a file has come, if it says so.
func rawPosition(from rows) (store.Mark, error) {
	id, err := identity(from)
	if err != nil {
		return store.Mark{}, err
	}
	return position(from, id)
}

// positionAt is rawPosition of the file at path; the zero mark if it cannot be read.
func positionAt(path string) store.Mark {
	if _, err := os.Stat(path); err != nil {
		return store.Mark{}
	}
	db, err := database.Open(path, database.ReadOnly)
	if err != nil {
		return store.Mark{}
	}
	defer db.Close() //nolint:errcheck // it was only read
	at, _ := rawPosition(db)
	return at
}
