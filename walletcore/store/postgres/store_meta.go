package postgres

import (
	"context"
	"database/sql"
)

// meta is what the store says about itself.
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
