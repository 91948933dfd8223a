package postgres

import (
	"context"
	"errors"
	"fmt"

	"billfold/walletcore/store"
)

// Position returns the identity of the store and the latest commit of this server.
func (f *file) Position(ctx context.Context) (m store.Mark, err error) {
	err = f.db.QueryRowContext(ctx, `SELECT store_id, s.mark, s.nonce FROM store_meta, servers s WHERE s.id = ?`, f.Server()).
		Scan(&m.ID, &m.Commit, &m.Nonce)
	return m, f.Explain(err)
}

// Check compares the store with the one that the wallet knows, "" if it knows none. Errors: *store.LostError, those of the database.
func (f *file) Check(ctx context.Context, id string) error {
	if lost := f.health.lostError(f.Path()); lost != nil {
		return lost
	}
	var have string
	if err := f.db.QueryRowContext(ctx, `SELECT store_id FROM store_meta`).Scan(&have); err != nil {
		return f.Explain(err)
	}
	if id != "" && have != id {
		return &store.LostError{Kind: store.Foreign, Path: f.Path(),
			Why: fmt.Sprintf("the store at %s is not the one of this wallet", f.Path())}
	}
	return nil
}

// Claim returns the identity of the store, which it got when it was created.
func (f *file) Claim(ctx context.Context, _ string) (string, error) {
	m, err := f.Position(ctx)
	return m.ID, err
}

// Renew ends the hold of the store for all servers, because a person has looked at what it lacks, and returns its identity.
func (f *file) Renew(ctx context.Context) (string, error) {
	err := f.Write(context.WithoutCancel(ctx), store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		_, failure = tx.Exec(`DELETE FROM held_for`)
		if failure == nil {
			_, failure = tx.Exec(endHold)
		}
		return nil, failure
	}})
	if open, is := errors.AsType[*store.PendingError](err); is { // the caller waits until the hold has ended
		err = open.Outcome()
	}
	if err != nil {
		return "", err
	}
	var m meta
	if err := f.db.QueryRowContext(ctx, `SELECT `+metaColumns+` FROM store_meta`).Scan(m.into()...); err != nil {
		return "", f.Explain(err)
	}
	f.health.recordRewritten()
	f.health.recordMeta(m)
	f.health.recordLost(nil)
	return m.id, nil
}
