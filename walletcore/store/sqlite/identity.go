package sqlite

import (
	"context"
	"errors"
	"fmt"

	"billfold/walletcore/store"
)

// Position returns the mark that the journal itself holds: its identity and its latest commit.
func (f *file) Position(context.Context) (store.Mark, error) {
	db := f.db.Load()
	if db == nil {
		return store.Mark{}, nil
	}
	id, err := identity(db)
	if err != nil {
		return store.Mark{}, f.Explain(err)
	}
	m, err := position(db, id)
	return m, f.Explain(err)
}

// Claim sets the journal's identity to id, creating the file if it is missing, and returns the identity that it has:
// another one if it was claimed before. File and mark are on disk on return.
func (f *file) Claim(ctx context.Context, id string) (string, error) {
	have := id
	err := f.Write(ctx, store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		switch known, err := identity(tx); {
		case err != nil:
			return nil, err
		case known != "":
			have = known
			return nil, nil
		}
		_, err := tx.Exec(`INSERT INTO journal_identity (id) VALUES (?)`, id)
		return nil, err
	}})
	if err != nil {
		return "", err
	}
	at, err := f.Position(ctx)
	if err != nil {
		return "", err
	}
	if _, err := readMark(f.MarkPath()); err == nil {
		return have, nil
	}
	if err := f.mark.create(at); err != nil {
		return "", f.unwritable(err)
	}
	return have, nil
}

// Renew sets a new identity and mark for the journal, creating the file if it is missing; its
// contents stay. Both are on disk on return.
func (f *file) Renew(ctx context.Context) (id string, err error) {
	id = store.NewID()
	err = f.Write(ctx, store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		if _, err := tx.Exec(`DELETE FROM journal_identity`); err != nil {
			return nil, err
		}
		tx.(*transaction).last = store.Mark{} // it still has the old identity
		_, err := tx.Exec(`INSERT INTO journal_identity (id) VALUES (?)`, id)
		if err == nil { // a person has looked at what it lacked
			err = errors.Join(store.EndFileHold(tx), store.ForgetSigners(tx))
		}
		return nil, err
	}})
	f.forgetHold()
	if err != nil {
		return "", err
	}
	at, err := f.Position(ctx)
	if err != nil {
		return "", err
	}
	if err := f.mark.create(at); err != nil {
		return "", f.unwritable(err)
	}
	return id, nil
}

// Check compares the file with what the wallet knows about its journal: the identity, "" if it never claimed one, and
// the mark. Errors: *store.LostError, those of the disk.
func (f *file) Check(ctx context.Context, id string) error {
	mark, err := readMark(f.MarkPath()) // before the file is read, because the file is written first
	have, failure := f.Position(ctx)
	if failure != nil {
		return failure
	}
	marked, damaged, unowned := err == nil, errors.Is(err, errNoMark), id == "" && have.ID != ""
	switch {
	case err != nil && !isMissing(err) && !damaged:
		return err
	case id == "" && marked:
		id = mark.ID
	case id == "" && damaged: // there was a mark once, and an older key file knows of none
		id = have.ID
	case unowned:
		return f.checkUnused()
	case id == "":
		return nil
	}
	startedEmpty, err := f.startedEmpty(have)
	if err != nil {
		return err
	}
	lost := func(kind store.LostKind, why string, args ...any) error {
		return &store.LostError{Kind: kind, Path: f.path, Why: fmt.Sprintf(why, args...)}
	}
	switch {
	case f.db.Load() == nil:
		return lost(store.Missing, "the payment journal %s is missing", f.path)
	case startedEmpty:
		return lost(store.Missing, "the payment journal %s is missing; the file that is there was started without it", f.path)
	case have.ID != id:
		return lost(store.Foreign, "the payment journal %s is not the one of this wallet", f.path)
	case !marked && restoredOn(f.MarkPath()) != "":
		return lost(store.NoMark, "the payment journal %s came out of a backup of %s, and lacks what was paid since", f.path, restoredOn(f.MarkPath()))
	case !marked:
		return lost(store.NoMark, "%s, which says how far the payment journal had come, is missing or damaged", f.MarkPath())
	case mark.ID != id:
		return lost(store.Foreign, "%s is not that of this wallet's payment journal", f.MarkPath())
	case have.Commit < mark.Commit:
		return &store.LostError{Kind: store.Older, Path: f.path, Have: have.Commit, Want: mark.Commit, Why: fmt.Sprintf(
			"the payment journal %s is an older copy: it has %d of the %d changes that were written", f.path, have.Commit, mark.Commit)}
	}
	switch _, same, err := hasCommit(f.db.Load(), mark); {
	case err != nil:
		return err
	case !same:
		return lost(store.Foreign, "the payment journal %s was used elsewhere since: its change %d is not the one that was written here",
			f.path, mark.Commit)
	case unowned:
		return f.checkUnused()
	}
	return nil
}

// checkUnused refuses a file that was used with another key file. It may be a copy from before that one was
// lost: keys that are imported now have then paid since, and no start compares what they paid before they were there.
func (f *file) checkUnused() error {
	var used bool
	if err := f.db.Load().QueryRow(`SELECT EXISTS (SELECT 1 FROM payments) OR EXISTS (SELECT 1 FROM only_signed) OR EXISTS (SELECT 1 FROM anchors)`).
		Scan(&used); err != nil || !used {
		return f.Explain(err)
	}
	return &store.LostError{Kind: store.Unowned, Path: f.path, Why: fmt.Sprintf(
		"the payment journal %s was written with another key file, and may be an older copy", f.path)}
}

// startedEmpty reports whether the file has neither an identity nor a payment: something else
// was written first, when there was no file.
func (f *file) startedEmpty(at store.Mark) (bool, error) {
	if f.db.Load() == nil || at.ID != "" {
		return false, nil
	}
	used, err := f.hasPayments()
	return !used, err
}

func (f *file) hasPayments() (used bool, err error) {
	err = f.db.Load().QueryRow(`SELECT EXISTS (SELECT 1 FROM payments)`).Scan(&used)
	return used, f.Explain(err)
}
