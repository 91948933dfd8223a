package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"

	"billfold/walletcore/store"
)

// ErrLooking means that a store which was opened to be looked at is to be changed.
var ErrLooking = errors.New("the store was opened only to look at it")

// look is the store as one sees it who is none of its servers.
type look struct {
	config *pgx.ConnConfig
	db     *sql.DB
}

// Look opens the store at address only to read, also beside a server of the same folder.
func (o Options) Look(ctx context.Context, address string) (*store.Store, error) {
	l, err := o.look(ctx, address, "0") // it locks nothing
	if err != nil {
		return nil, err
	}
	return store.New(l), nil
}

// look opens the store for somebody whose transactions may stand still that long.
func (o Options) look(ctx context.Context, address, idle string) (*look, error) {
	config, err := configOf(address)
	if err != nil {
		return nil, err
	}
	own := session(config, "look")
	own.RuntimeParams["idle_in_transaction_session_timeout"] = idle
	l := &look{config: config, db: sql.OpenDB(newConnector(own, ready(true)))}
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

// Write refuses changes. What was noted before is written already.
func (l *look) Write(_ context.Context, changes ...store.Change) error {
	if len(changes) > 0 {
		return ErrLooking
	}
	return nil
}

// WriteSoon is Write.
func (l *look) WriteSoon(ctx context.Context, changes ...store.Change) error {
	return l.Write(ctx, changes...)
}

// Note refuses a change.
func (l *look) Note(store.Change) error { return ErrLooking }

// Reader is the way to the database.
func (l *look) Reader() *sql.DB { return l.db }

// Explain makes a sentence of an error of the database.
func (l *look) Explain(err error) error {
	return explain(l.config, err)
}

// Path names the store, without a secret.
func (l *look) Path() string { return shown(l.config) }

// MarkPath is nowhere: who looks has no mark.
func (l *look) MarkPath() string { return "" }

// Position is the identity of the store.
func (l *look) Position(ctx context.Context) (m store.Mark, err error) {
	err = l.db.QueryRowContext(ctx, `SELECT store_id FROM store_meta`).Scan(&m.ID)
	return m, l.Explain(err)
}

// Check leaves it to the servers to compare the store with what they know.
func (l *look) Check(context.Context, string) error { return nil }

// Claim refuses.
func (l *look) Claim(context.Context, string) (string, error) { return "", ErrLooking }

// Renew refuses.
func (l *look) Renew(context.Context) (string, error) { return "", ErrLooking }

// Close closes the connections.
func (l *look) Close() error { return l.db.Close() }

var _ store.File = (*look)(nil)
