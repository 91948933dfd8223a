package store

import (
	"context"
	"database/sql"
	"errors"

	"billfold/ledger"
)

// Cursor is the position on the chain of the latest deposit that was acknowledged. The zero value precedes every position.
type Cursor struct{ Block, Trx, Op, Virtual uint32 }

// Cursors stores, for each account, up to where deposits were acknowledged.
type Cursors struct{ engine Engine }

// Cursor reads the cursor of an account; zero if nothing was acknowledged yet.
func (c *Cursors) Cursor(ctx context.Context, account ledger.AccountID) (at Cursor, err error) {
	db := c.engine.Reader()
	if db == nil {
		return at, nil
	}
	err = db.QueryRowContext(ctx, `SELECT block, trx, op, virtual FROM deposit_cursors WHERE account = ?`, account.String()).
		Scan(&at.Block, &at.Trx, &at.Op, &at.Virtual)
	if errors.Is(err, sql.ErrNoRows) {
		return at, nil
	}
	return at, c.engine.Explain(err)
}

// All reads the cursors of all accounts for which something was acknowledged.
func (c *Cursors) All(ctx context.Context) (all map[ledger.AccountID]Cursor, err error) {
	all = map[ledger.AccountID]Cursor{}
	db := c.engine.Reader()
	if db == nil {
		return all, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT account, block, trx, op, virtual FROM deposit_cursors`)
	if err != nil {
		return nil, c.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		var at Cursor
		if err := rows.Scan(&text, &at.Block, &at.Trx, &at.Op, &at.Virtual); err != nil {
			return nil, c.engine.Explain(err)
		}
		account, err := ledger.ParseAccountID(text)
		if err != nil {
			return nil, err
		}
		all[account] = at
	}
	return all, c.engine.Explain(rows.Err())
}

// Advance moves the cursor of an account to a later position; it reports false if the cursor is there or further already.
func (c *Cursors) Advance(ctx context.Context, account ledger.AccountID, to Cursor) (moved bool, err error) {
	err = change(ctx, c.engine, func(tx Tx) (err error) {
		moved, err = changedRow(tx.Exec(`INSERT INTO deposit_cursors (account, block, trx, op, virtual) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (account) DO UPDATE
			SET block = excluded.block, trx = excluded.trx, op = excluded.op, virtual = excluded.virtual
			WHERE (deposit_cursors.block, deposit_cursors.trx, deposit_cursors.op, deposit_cursors.virtual)
				< (excluded.block, excluded.trx, excluded.op, excluded.virtual)`,
			account.String(), int64(to.Block), int64(to.Trx), int64(to.Op), int64(to.Virtual)))
		return err
	})
	return moved && err == nil, err
}
