package deposit

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"billfold/ledger"
)

const schema = `CREATE TABLE IF NOT EXISTS deposit_cursors (
	account VARCHAR(24) PRIMARY KEY,
	block BIGINT NOT NULL, trx BIGINT NOT NULL, op BIGINT NOT NULL, virtual BIGINT NOT NULL
)`

// cursors is the file of what was acknowledged.
type cursors struct {
	path string

	mu sync.Mutex
	db *sql.DB // nil until it is needed
}

func (c *cursors) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return nil
	}
	return c.db.Close()
}

// openLocked opens the file; it is made when create is set, else nil stands for
// a file that does not exist.
func (c *cursors) openLocked(create bool) (*sql.DB, error) {
	if c.db != nil {
		return c.db, nil
	}
	if _, err := os.Stat(c.path); errors.Is(err, fs.ErrNotExist) && !create {
		return nil, nil
	}
	f, err := os.OpenFile(c.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	_ = f.Close()
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: c.path}).EscapedPath()+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(5000)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec(schema); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	c.db = db
	return db, nil
}

func (c *cursors) read(ctx context.Context, account ledger.AccountID) (Position, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	db, err := c.openLocked(false)
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
	c.mu.Lock()
	defer c.mu.Unlock()
	db, err := c.openLocked(true)
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
