package storetest

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"
	"sync"
	"time"

	"billfold/walletcore/database"
)

// ErrFault is the error of a statement that Faults breaks.
var ErrFault = errors.New("disk I/O error (made by a test)")

// Faults breaks statements of a store in an SQLite file: the n-th one after Arm, or that and all that follow. Reads, writes,
// BEGIN and COMMIT count alike. A statement that breaks is not run, as where the disk fails.
type Faults struct {
	mu   sync.Mutex
	left int    // until one breaks; 0 = none does
	only string // texts of statements that count begin with it
	rest bool   // all that follow break as well
	hit  string
	seen int
	run  map[string]int // statements that were run, by their texts
}

// Arm has the n-th statement from now on break and, with rest, all after it.
func (f *Faults) Arm(n int, rest bool) { f.ArmAt("", n, rest) }

// ArmAt is Arm where only statements count that begin with a text. With rest all statements after the n-th break, whatever they are.
func (f *Faults) ArmAt(text string, n int, rest bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left, f.only, f.rest, f.hit, f.seen = n, text, rest, "", 0
}

// Disarm lets all statements run again, and returns the first one that broke, "" if there was none.
func (f *Faults) Disarm() (hit string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = 0
	return f.hit
}

// AwaitRest waits until nothing was asked of the store for a moment, so that the n-th statement is the same one each time.
func (f *Faults) AwaitRest() {
	count := func() int {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.seen
	}
	for seen, still := count(), 0; still < 3; time.Sleep(4 * time.Millisecond) {
		if now := count(); now == seen {
			still++
		} else {
			seen, still = now, 0
		}
	}
}

// Count returns how many statements that begin with a text are run while work is done.
func (f *Faults) Count(text string, work func()) (n int) {
	count := func() (n int) {
		f.mu.Lock()
		defer f.mu.Unlock()
		for query, times := range f.run {
			if strings.HasPrefix(query, text) {
				n += times
			}
		}
		return n
	}
	before := count()
	work()
	return count() - before
}

func (f *Faults) next(query string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen++
	if f.run == nil {
		f.run = map[string]int{}
	}
	f.run[query]++
	if f.left == 0 || f.hit == "" && !strings.HasPrefix(query, f.only) || strings.HasPrefix(query, "ROLLBACK") && !strings.Contains(query, "SAVEPOINT") { // which a lost connection does as well
		return nil
	}
	if f.left > 1 {
		f.left--
		return nil
	}
	if f.hit == "" {
		f.hit = query
	}
	if !f.rest {
		f.left = 0
	}
	return ErrFault
}

// Between makes connections whose statements can break: see sqlite.Options.
func (f *Faults) Between(c driver.Connector) driver.Connector { return faultyConnector{c, f} }

type faultyConnector struct {
	driver.Connector
	faults *Faults
}

// Connect implements driver.Connector.
func (c faultyConnector) Connect(ctx context.Context) (driver.Conn, error) {
	own, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &faultyConn{own.(database.Conn), c.faults}, nil
}

type faultyConn struct {
	database.Conn
	faults *Faults
}

// ExecContext implements driver.ExecerContext.
func (c *faultyConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.faults.next(query); err != nil {
		return nil, err
	}
	return c.Conn.ExecContext(ctx, query, args)
}

// QueryContext implements driver.QueryerContext.
func (c *faultyConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.faults.next(query); err != nil {
		return nil, err
	}
	return c.Conn.QueryContext(ctx, query, args)
}

// BeginTx implements driver.ConnBeginTx.
func (c *faultyConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if err := c.faults.next("BEGIN"); err != nil {
		return nil, err
	}
	return c.Conn.BeginTx(ctx, o)
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *faultyConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	own, err := c.Conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return &faultyStatement{own.(database.Statement), query, c.faults}, nil
}

type faultyStatement struct {
	database.Statement
	query  string
	faults *Faults
}

// ExecContext implements driver.StmtExecContext.
func (s *faultyStatement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := s.faults.next(s.query); err != nil {
		return nil, err
	}
	return s.Statement.ExecContext(ctx, args)
}

// QueryContext implements driver.StmtQueryContext.
func (s *faultyStatement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := s.faults.next(s.query); err != nil {
		return nil, err
	}
	return s.Statement.QueryContext(ctx, args)
}
