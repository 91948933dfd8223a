package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"

	"modernc.org/sqlite"
)

// mostCached bounds the memory that the statements of a connection use.
const mostCached = 48

// cachingConnector makes connections that keep the statements they prepared: to prepare one often takes longer than to carry it out.
type cachingConnector struct{ driver.Connector }

// Connect implements driver.Connector.
func (k cachingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	own, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{driverConn: own.(driverConn), cached: map[string]statement{}}, nil
}

// driverConn is what the driver's connections can do and database/sql, or somebody else here, asks for.
type driverConn interface {
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

// statement is one of the driver's.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// connection keeps statements by their texts. One that is carried out is nobody else's until it ends.
type connection struct {
	driverConn
	cached map[string]statement
}

// ExecContext implements driver.ExecerContext.
func (c *connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.acquire(ctx, query)
	if err != nil || s == nil {
		return c.driverConn.ExecContext(ctx, query, args) // it says what is wrong, too
	}
	result, err := s.ExecContext(ctx, args)
	return result, c.release(query, s, err)
}

// QueryContext implements driver.QueryerContext.
func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.acquire(ctx, query)
	if err != nil || s == nil {
		return c.driverConn.QueryContext(ctx, query, args) // it says what is wrong, too
	}
	found, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, c.release(query, s, err)
	}
	return &rows{Rows: found, end: func(err error) error { return c.release(query, s, err) }}, nil
}

// acquire returns a statement, of those that are kept or new; nil for a text that is not worth keeping.
func (c *connection) acquire(ctx context.Context, query string) (statement, error) {
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
	return s.(statement), nil
}

// isCacheable is false for what makes tables or settings: it is done once.
func isCacheable(query string) bool {
	for _, word := range []string{"SELECT ", "INSERT ", "UPDATE ", "DELETE "} {
		if strings.HasPrefix(query, word) {
			return true
		}
	}
	return false
}

// release keeps a statement that was carried out, in place of any other where there are too many. One that failed ends.
func (c *connection) release(query string, s statement, failure error) error {
	if _, twice := c.cached[query]; twice || failure != nil {
		_ = s.Close() // the fault that counts is the one before
		return failure
	}
	for other := range c.cached {
		if len(c.cached) < mostCached {
			break
		}
		_ = c.cached[other].Close() // it did what it had to
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
	return errors.Join(append(errs, c.driverConn.Close())...)
}

// rows are those of a statement, which ends with them.
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
