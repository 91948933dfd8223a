package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"billfold/walletcore/store"

	"github.com/jackc/pgx/v5"
)

// meta holds what the store says about itself.
type meta struct {
	id, held   string
	generation int64
	orphans    bool
}

// metaColumns are the columns of a meta.
const metaColumns = `store_id, held_why, generation, EXISTS (SELECT 1 FROM payments WHERE origin = 1)`

func (m *meta) into() []any { return []any{&m.id, &m.held, &m.generation, &m.orphans} }

func readMeta(ctx context.Context, c *sql.Conn) (m meta, err error) {
	err = c.QueryRowContext(ctx, `SELECT `+metaColumns+` FROM store_meta`).Scan(m.into()...)
	return m, err
}

// ErrNoStore means that the database holds no store yet.
var ErrNoStore = errors.New("the database has no store yet; billfold store init makes one")

// ErrStoreThere means that the database holds a store already.
var ErrStoreThere = errors.New("the database has a store already")

// schemaLock is the number of the advisory lock held while the schema is changed.
const schemaLock = 0x62696c6c

// ErrUnconfirmed means that the database may have made a change and did not say so. After any other error of Init, Import and
// Migrate it has not.
var ErrUnconfirmed = errors.New("the database did not confirm it")

var errTrial = errors.New("it was only tried")

// TryInit reports why Init could not make a store at address: it makes one, and takes it back. Errors: those of Init.
func (o Options) TryInit(ctx context.Context, address string) error {
	err := o.Init(ctx, address, store.NewID(), func(*pgx.Conn) error { return errTrial })
	if errors.Is(err, errTrial) {
		return nil
	}
	return err
}

// Init creates an empty store with the identity id in a database that has none, and calls fill, if not nil, to write to
// it in the same transaction. Errors: ErrStoreThere, *UnfitError, those of the database and of fill.
func (o Options) Init(ctx context.Context, address, id string, fill func(*pgx.Conn) error) error {
	return o.alter(ctx, address, func(c *pgx.Conn, have int) error {
		if have > 0 {
			return ErrStoreThere
		}
		if err := o.migrate(ctx, c, 0); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `INSERT INTO store_meta (one, store_id, version, oldest_reader, generation, held_since, held_why)
			VALUES (1, $1, $2, $2, 1, 0, '')`, id, len(migrations()))
		if err == nil && fill != nil {
			err = fill(c)
		}
		return err
	})
}

// Migrate brings the schema to the version of this program and returns both versions.
func (o Options) Migrate(ctx context.Context, address string) (before, after int, err error) {
	after = len(migrations())
	err = o.alter(ctx, address, func(c *pgx.Conn, have int) error {
		if before = have; have == 0 {
			return ErrNoStore
		}
		if err := checkVersion(have, have); err != nil && have > len(migrations()) {
			return err
		}
		if err := checkNoServers(ctx, c); err != nil && have < after {
			return err
		}
		if err := o.migrate(ctx, c, have); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `UPDATE store_meta SET version = $1, oldest_reader = $1`, len(migrations()))
		return err
	})
	return before, after, err
}

// checkNoServers refuses while a server uses the store, because that would go on working as its own version does.
func checkNoServers(ctx context.Context, c *pgx.Conn) error {
	var name string
	err := c.QueryRow(ctx, `SELECT name FROM servers WHERE expires_at >= `+now+` ORDER BY name LIMIT 1`).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("the server %q uses the store, or did a moment ago; end all servers first", name)
	}
	return err
}

// migrate makes the migrations after version have.
func (o Options) migrate(ctx context.Context, c *pgx.Conn, have int) error {
	for _, step := range migrations()[min(have, len(migrations())):] {
		for _, statement := range step {
			if _, err := c.Exec(ctx, statement); err != nil {
				return err
			}
		}
	}
	return nil
}

// alter changes the schema in one transaction. with gets the present version, 0 if there is none.
func (o Options) alter(ctx context.Context, address string, with func(c *pgx.Conn, have int) error) error {
	config, err := configOf(address)
	if err != nil {
		return err
	}
	config.RuntimeParams["application_name"] = "billfold store"
	c, err := pgx.ConnectConfig(context.WithValue(ctx, dialing{}, true), config)
	if err != nil {
		return unreachable(config, err)
	}
	ctx = context.WithoutCancel(ctx)
	defer c.Close(ctx) //nolint:errcheck // the commit's result is what counts //nolint:errcheck
	if err := checkConnection(o.MayLose)(ctx, c); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `BEGIN`); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, schemaLock); err != nil {
		return err
	}
	var there *string
	have := 0
	err = c.QueryRow(ctx, `SELECT to_regclass('store_meta')::text`).Scan(&there)
	if err == nil && there != nil {
		err = c.QueryRow(ctx, `SELECT version FROM store_meta`).Scan(&have)
	}
	if err == nil {
		err = with(c, have)
	}
	if err != nil {
		_, _ = c.Exec(ctx, `ROLLBACK`) // the fault that led to it counts
		return explain(config, err)
	}
	if _, err = c.Exec(ctx, `COMMIT`); err != nil && !isRefusedCommit(err) {
		return fmt.Errorf("%w: %w", ErrUnconfirmed, explain(config, err))
	}
	return err
}

// checkVersion refuses a store of another version of the program.
func checkVersion(version, oldestReader int) error {
	known := len(migrations())
	switch {
	case oldestReader > known:
		return &store.NewerError{Version: version, Known: known}
	case version < known:
		return fmt.Errorf("the store has version %d, and this program needs %d; billfold store migrate brings it up to date",
			version, known)
	}
	return nil
}
