package deposit

import (
	"context"
	"database/sql"
	"errors"

	"billfold/ledger"
	"billfold/walletcore/database"
)

const schema = `CREATE TABLE IF NOT EXISTS deposit_cursors (
	account VARCHAR(24) PRIMARY KEY,
	block BIGINT NOT NULL, trx BIGINT NOT NULL, op BIGINT NOT NULL, virtual BIGINT NOT NULL
)`

// cursors is the file of what was acknowledged.
type cursors struct{ *database.File }

func (c *cursors) read(ctx context.Context, account ledger.AccountID) (Position, error) {
	db, err := c.Find()
	if db == nil || err != nil {
		return Position{}, err
	}
	p, _, err := position(ctx, db, account)
	return p, err
}

// rows is a database or a transaction of one.
type rows interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func position(ctx context.Context, db rows, account ledger.AccountID) (p Position, known bool, err error) {
	err = db.QueryRowContext(ctx, `SELECT block, trx, op, virtual FROM deposit_cursors WHERE account = ?`, account.String()).
		Scan(&p.Block, &p.Trx, &p.Op, &p.Virtual)
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	return p, err == nil, err
}

// advance moves the cursor to p; false when it is there or further already.
func (c *cursors) advance(ctx context.Context, account ledger.AccountID, p Position) (bool, error) {
	db, err := c.Open()
	if err != nil {
		return false, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // after Commit it does nothing
	at, known, err := position(ctx, tx, account)
	if err != nil || known && p.Compare(at) <= 0 {
		return false, err
	}
	statement := `INSERT INTO deposit_cursors (block, trx, op, virtual, account) VALUES (?, ?, ?, ?, ?)`
	if known {
		statement = `UPDATE deposit_cursors SET block = ?, trx = ?, op = ?, virtual = ? WHERE account = ?`
	}
	if _, err := tx.ExecContext(ctx, statement, p.Block, p.Trx, p.Op, p.Virtual, account.String()); err != nil {
		return false, err
	}
	return true, tx.Commit()
}
