package postgres

import (
	"context"
	"database/sql"
	"errors"
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
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return d.Explain(err)
	}
	defer conn.Close() //nolint:errcheck // the commit's result is what counts
	tx, err := conn.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return d.Explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	log := &transaction{w: &writer{core: &core{config: d.config}, conn: conn}}
	for _, c := range changes {
		if c.Tokens {
			if _, err := tx.ExecContext(context.WithoutCancel(ctx), aloneWithTokens); err != nil {
				return d.Explain(err)
			}
		}
		refusal, failure := c.Apply(adminTx{log, d.readOnlyStore, conn, tx})
		if refusal != nil {
			return refusal
		}
		if failure != nil {
			return d.Explain(failure)
		}
	}
	if err := log.writeRecords(); err != nil {
		return d.Explain(err)
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
type adminTx struct {
	log   *transaction // of conn, for records of the audit log
	store *readOnlyStore
	conn  *sql.Conn // of tx
	tx    *sql.Tx
}

// LastRecord returns the latest record of the audit log, to which nobody else appends until the commit.
func (t adminTx) LastRecord() (store.AuditRecord, error) { return t.log.LastRecord() }

// AddRecord appends a record.
func (t adminTx) AddRecord(r store.AuditRecord) { t.log.AddRecord(r) }

// Rehearse writes r as a server would, and takes it back.
func (t adminTx) Rehearse(r store.Rehearsal) (refusal, failure error) {
	return t.store.rehearseIn(context.Background(), t.conn, r)
}

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

// Claim is Journal.ClaimFound on the store at address. It does not insist on a standby: what a failover loses of it is asked for again.
func (o Options) Claim(ctx context.Context, address string, try bool, claims ...store.Claim) error {
	kept, err := o.OpenAside(ctx, address)
	if err != nil {
		return err
	}
	return errors.Join(kept.Journal.ClaimFound(ctx, try, claims...), kept.Close())
}

// Unclaim is Journal.UnclaimFound on the store at address.
func (o Options) Unclaim(ctx context.Context, address, key, id string, answered bool) (found string, err error) {
	kept, err := o.OpenAside(ctx, address)
	if err != nil {
		return "", err
	}
	found, err = kept.Journal.UnclaimFound(ctx, key, id, answered)
	return found, errors.Join(err, kept.Close())
}

// Claimed has new payments compared again after a claim was taken back.
func (d *adminStore) Claimed(tx store.Tx, undone bool) error {
	if !undone {
		return nil
	}
	_, err := tx.Exec(`UPDATE store_meta SET generation = generation + 1`)
	return err
}

// NoteAnswered records that a request under the key of a claimed payment is answered with it: from then on the claim stays.
func (f *file) NoteAnswered(ctx context.Context, id string) error {
	return f.Write(ctx, store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		done, failure := tx.Exec(`UPDATE payments SET origin = 3 WHERE id = ? AND origin IN (2, 3)`, id)
		if failure != nil {
			return nil, failure
		}
		if n, failure := done.RowsAffected(); n == 0 || failure != nil {
			return store.ErrNotClaimed, failure
		}
		return nil, nil
	}})
}
