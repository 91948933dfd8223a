package postgres

import (
	"context"
	"database/sql"
	"slices"

	"billfold/walletcore/store"
)

// adminStore is the store as changed from outside its servers; such a change belongs to no server.
type adminStore struct{ *readOnlyStore }

// OpenAside opens the store at address beside its servers, to read and change what belongs to none of them: tokens, claims, pins, and
// notes of what was only signed.
func (o Options) OpenAside(ctx context.Context, address string) (*store.Store, error) {
	l, err := o.openReadOnly(ctx, address, strictIdle)
	if err != nil {
		return nil, err
	}
	return store.New(&adminStore{l}), nil
}

// Write makes the changes in one transaction.
func (d *adminStore) Write(ctx context.Context, changes ...store.Change) error {
	tx, err := d.db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return d.Explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	for _, c := range changes {
		if c.Tokens {
			if _, err := tx.ExecContext(context.WithoutCancel(ctx), aloneWithTokens); err != nil {
				return d.Explain(err)
			}
		}
		refusal, failure := c.Apply(adminTx{tx})
		if refusal != nil {
			return refusal
		}
		if failure != nil {
			return d.Explain(failure)
		}
	}
	if err := tx.Commit(); err != nil {
		return d.Explain(err)
	}
	if slices.ContainsFunc(changes, func(c store.Change) bool { return c.Tokens }) {
		_, _ = d.db.ExecContext(context.WithoutCancel(ctx), notifyHint, "desk "+tokensWord) // or the servers see it a moment later
	}
	return nil
}

// WriteSoon is Write.
func (d *adminStore) WriteSoon(ctx context.Context, changes ...store.Change) error {
	return d.Write(ctx, changes...)
}

// Note is Write: the program ends before anything could be written later.
func (d *adminStore) Note(c store.Change) error { return d.Write(context.Background(), c) }

// KeepsTokens marks a store that holds the tokens of all servers.
func (d *adminStore) KeepsTokens() {}

// KeepsTokens marks a store that holds the tokens of all servers.
func (f *file) KeepsTokens() {}

// adminTx is a transaction of an adminStore.
type adminTx struct{ tx *sql.Tx }

// LockToken keeps servers from counting against what the token stands for until the commit.
func (t adminTx) LockToken(token string) error {
	_, err := t.Exec(lockToken, token)
	return err
}

// Exec runs a statement.
func (t adminTx) Exec(query string, args ...any) (sql.Result, error) {
	return t.tx.ExecContext(context.Background(), query, args...)
}

// QueryRow reads a row.
func (t adminTx) QueryRow(query string, args ...any) *sql.Row {
	return t.tx.QueryRowContext(context.Background(), query, args...)
}
