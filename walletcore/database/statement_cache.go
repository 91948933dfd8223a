package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"

	"modernc.org/sqlite"
)

// maxCached limits the memory that the statements of a connection use.
const maxCached = 48

// cachingConnector makes connections that cache their prepared statements: preparing one often takes longer than running it.
type cachingConnector struct{ driver.Connector }

// Connect implements driver.Connector.
func (k cachingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	own, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: own.(Conn), cached: map[string]Statement{}}, nil
}

// Conn lists the interfaces of the driver's connections that database/sql, or other code here, asks for.
type Conn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	sqlite.FileControl
}

// Statement is a statement of the driver.
type Statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// connection caches statements by their texts. A statement is out of the cache while it runs.
type connection struct {
	Conn
	cached map[string]Statement
	kept   bool // see KeepLog
}

// KeepLog keeps the file of a connection from getting its log when everything that uses it here is closed: this connection stays open
// until the program ends. SQLite would copy the log into whatever file is there, also one that somebody has put in its place.
func KeepLog(ctx context.Context, open *sql.Conn) error {
	if _, err := open.ExecContext(ctx, `BEGIN`); err != nil {
		return err
	}
	var n int
	_ = open.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master`).Scan(&n) // so that it holds the file; where it cannot, nobody copies either
	return open.Raw(func(own any) error {
		own.(*connection).kept = true
		return nil
	})
}

// ExecContext implements driver.ExecerContext.
func (c *connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.acquire(ctx, query)
	if err != nil || s == nil {
		return c.Conn.ExecContext(ctx, query, args) // this reports the error, too
	}
	result, err := s.ExecContext(ctx, args)
	return result, c.release(query, s, err)
}

// QueryContext implements driver.QueryerContext.
func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.acquire(ctx, query)
	if err != nil || s == nil {
		return c.Conn.QueryContext(ctx, query, args) // this reports the error, too
	}
	found, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, c.release(query, s, err)
	}
	return &rows{Rows: found, end: func(err error) error { return c.release(query, s, err) }}, nil
}

// acquire returns a statement, cached or new; nil for a text that is not worth caching.
func (c *connection) acquire(ctx context.Context, query string) (Statement, error) {
	if s, ok := c.cached[query]; ok {
		delete(c.cached, query)
		return s, nil
	}
	if !isCacheable(query) {
		return nil, nil
	}
	s, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.(Statement), nil
}

// isCacheable reports false for statements that create tables or change settings, which run once.
func isCacheable(query string) bool {
	for _, word := range []string{"SELECT ", "INSERT ", "UPDATE ", "DELETE "} {
		if strings.HasPrefix(query, word) {
			return true
		}
	}
	return false
}

// release caches a statement that has run, in place of any other one if there are too many. One that failed is closed.
func (c *connection) release(query string, s Statement, failure error) error {
	if _, twice := c.cached[query]; twice || failure != nil {
		_ = s.Close() // the fault that counts is the one before
		return failure
	}
	for other := range c.cached {
		if len(c.cached) < maxCached {
			break
		}
		_ = c.cached[other].Close() // it is no longer needed
		delete(c.cached, other)
	}
	c.cached[query] = s
	return nil
}

// Close implements driver.Conn: the driver leaves statements to its callers.
func (c *connection) Close() error {
	var errs []error
	for _, s := range c.cached {
		errs = append(errs, s.Close())
	}
	clear(c.cached)
	if c.kept {
		return errors.Join(errs...)
	}
	return errors.Join(append(errs, c.Conn.Close())...)
}

// rows are the rows of a statement, which is released with them.
type rows struct {
	driver.Rows
	end func(error) error
}

// Close implements driver.Rows.
func (r *rows) Close() error {
	if r.end == nil {
		return nil
	}
	end := r.end
	r.end = nil
	return end(r.Rows.Close())
}
