package postgres

import (
	"context"
	"database/sql"
	"errors"

	"billfold/walletcore/store"

	"github.com/jackc/pgx/v5"
)

// ErrReadOnly means that a store which was opened read-only was asked to change.
var ErrReadOnly = errors.New("the store was opened read-only")

// readOnlyStore is the store as read from outside its servers.
type readOnlyStore struct {
	config *pgx.ConnConfig
	db     *sql.DB
}

// OpenReadOnly opens the store at address for reading only, even while a server of the same folder runs.
func (o Options) OpenReadOnly(ctx context.Context, address string) (*store.Store, error) {
	l, err := o.openReadOnly(ctx, address, "0") // it locks nothing
	if err != nil {
		return nil, err
	}
	return store.New(l), nil
}

// openReadOnly opens the store for a caller whose transactions may be idle for the given number of milliseconds; "0" = for ever.
func (o Options) openReadOnly(ctx context.Context, address, idle string) (*readOnlyStore, error) {
	config, err := configOf(address)
	if err != nil {
		return nil, err
	}
	own := sessionConfig(config, "look")
	own.RuntimeParams["idle_in_transaction_session_timeout"] = idle
	l := &readOnlyStore{config: config, db: sql.OpenDB(newConnector(own, checkConnection(true)))}
	l.db.SetMaxOpenConns(2)
	var version, oldestReader int
	err = l.db.QueryRowContext(ctx, `SELECT version, oldest_reader FROM store_meta`).Scan(&version, &oldestReader)
	switch {
	case isCode(err, undefinedTable):
		err = ErrNoStore
	case err == nil:
		err = checkVersion(version, oldestReader)
	default:
		err = explain(config, err)
	}
	if err != nil {
		_ = l.db.Close() // the fault that counts is the one before
		return nil, err
	}
	return l, nil
}

// Write refuses changes. Without any it returns nil: everything noted before is written already.
func (l *readOnlyStore) Write(_ context.Context, changes ...store.Change) error {
	if len(changes) > 0 {
		return ErrReadOnly
	}
	return nil
}

// WriteSoon is Write.
func (l *readOnlyStore) WriteSoon(ctx context.Context, changes ...store.Change) error {
	return l.Write(ctx, changes...)
}

// Note refuses a change.
func (l *readOnlyStore) Note(store.Change) error { return ErrReadOnly }

// Reader returns the database.
func (l *readOnlyStore) Reader() *sql.DB { return l.db }

// Explain turns an error of the database into a sentence.
func (l *readOnlyStore) Explain(err error) error {
	return explain(l.config, err)
}

// Path returns the store's name, without secrets.
func (l *readOnlyStore) Path() string { return displayName(l.config) }

// MarkPath returns "": a reader has no mark.
func (l *readOnlyStore) MarkPath() string { return "" }

// Position returns the identity of the store.
func (l *readOnlyStore) Position(ctx context.Context) (m store.Mark, err error) {
	err = l.db.QueryRowContext(ctx, `SELECT store_id FROM store_meta`).Scan(&m.ID)
	return m, l.Explain(err)
}

// Check does nothing: comparing the store with what they know is left to the servers.
func (l *readOnlyStore) Check(context.Context, string) error { return nil }

// Claim refuses with ErrReadOnly.
func (l *readOnlyStore) Claim(context.Context, string) (string, error) { return "", ErrReadOnly }

// Renew refuses with ErrReadOnly.
func (l *readOnlyStore) Renew(context.Context) (string, error) { return "", ErrReadOnly }

// Close closes the connections.
func (l *readOnlyStore) Close() error { return l.db.Close() }

var _ store.File = (*readOnlyStore)(nil)
