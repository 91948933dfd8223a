package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"

	"modernc.org/sqlite"
)

// mostKept bounds the memory that the statements of a connection use.
const mostKept = 48

// keeper makes connections that keep the statements they prepared: to prepare one often takes longer than to carry it out.
type keeper struct{ driver.Connector }

// Connect implements driver.Connector.
func (k keeper) Connect(ctx context.Context) (driver.Conn, error) {
	own, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{bare: own.(bare), kept: map[string]statement{}}, nil
}

// bare is what the driver's connections can do and database/sql, or somebody else here, asks for.
type bare interface {
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
	bare
	kept map[string]statement
}

// ExecContext implements driver.ExecerContext.
func (c *connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.take(ctx, query)
	if err != nil || s == nil {
		return c.bare.ExecContext(ctx, query, args) // it says what is wrong, too
	}
	result, err := s.ExecContext(ctx, args)
	return result, c.end(query, s, err)
}

// QueryContext implements driver.QueryerContext.
func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.take(ctx, query)
	if err != nil || s == nil {
		return c.bare.QueryContext(ctx, query, args) // it says what is wrong, too
	}
	found, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, c.end(query, s, err)
	}
	return &rows{Rows: found, end: func(err error) error { return c.end(query, s, err) }}, nil
}

// take returns a statement, of those that are kept or new; nil for a text that is not worth keeping.
func (c *connection) take(ctx context.Context, query string) (statement, error) {
	if s, ok := c.kept[query]; ok {
		delete(c.kept, query)
		return s, nil
	}
	if !worthKeeping(query) {
		return nil, nil
	}
	s, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.(statement), nil
}

// worthKeeping is false for what makes tables or settings: it is done once.
func worthKeeping(query string) bool {
	for _, word := range []string{"SELECT ", "INSERT ", "UPDATE ", "DELETE "} {
		if strings.HasPrefix(query, word) {
			return true
		}
	}
	return false
}

// end keeps a statement that was carried out, in place of any other where there are too many. One that failed ends.
func (c *connection) end(query string, s statement, failure error) error {
	if _, twice := c.kept[query]; twice || failure != nil {
		_ = s.Close() // the fault that counts is the one before
		return failure
	}
	for other := range c.kept {
		if len(c.kept) < mostKept {
			break
		}
		_ = c.kept[other].Close() // it did what it had to
		delete(c.kept, other)
	}
	c.kept[query] = s
	return nil
}

// Close implements driver.Conn: the driver leaves statements to its callers.
func (c *connection) Close() error {
	var errs []error
	for _, s := range c.kept {
		errs = append(errs, s.Close())
	}
	clear(c.kept)
	return errors.Join(append(errs, c.bare.Close())...)
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
