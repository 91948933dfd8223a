package postgres

import (
	"context"
	"database/sql"
	"slices"

	"billfold/walletcore/store"
)

// desk is the store as somebody changes it who is none of its servers: what is changed there belongs to no server.
type desk struct{ *look }

// Tokens opens the tokens at address, to be read and changed beside the servers.
func (o Options) Tokens(ctx context.Context, address string) (*store.Store, error) {
	l, err := o.look(ctx, address, strictIdle)
	if err != nil {
		return nil, err
	}
	return store.New(&desk{l}), nil
}

// Write makes the changes in one transaction.
func (d *desk) Write(ctx context.Context, changes ...store.Change) error {
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
		refusal, failure := c.Apply(deskTx{tx})
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
		_, _ = d.db.ExecContext(context.WithoutCancel(ctx), tellHint, "desk "+tokensWord) // or the servers see it a moment later
	}
	return nil
}

// KeepsTokens marks that the tokens of all servers are in the store.
func (d *desk) KeepsTokens() {}

// KeepsTokens marks that the tokens of all servers are in the store.
func (f *file) KeepsTokens() {}

// deskTx is a transaction of a desk.
type deskTx struct{ tx *sql.Tx }

// Exec carries out a statement.
func (t deskTx) Exec(query string, args ...any) (sql.Result, error) {
	return t.tx.ExecContext(context.Background(), query, args...)
}

// QueryRow reads a row.
func (t deskTx) QueryRow(query string, args ...any) *sql.Row {
	return t.tx.QueryRowContext(context.Background(), query, args...)
}
