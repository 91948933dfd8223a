package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// connection is the writer's own connection, with the statements that it prepared: that takes
// longer than carrying them out.
type connection struct {
	db      *sql.DB
	conn    *sql.Conn
	queries map[string]*sql.Stmt              // by their texts, which are constants
	execs   map[string]driver.StmtExecContext // those that return no rows, likewise
	args    []driver.NamedValue               // of the statement that is carried out

	latest  *transaction // nil = something of it was taken back, or there was none
	version uint32       // the file's, as the latest transaction left it
}

// connect opens a connection of its own to the file at path, which is there.
func connect(path string) (*connection, error) {
	db, err := database.Open(path, database.Durable)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &connection{db: db, conn: conn, queries: map[string]*sql.Stmt{}, execs: map[string]driver.StmtExecContext{}}, nil
}

// close ends the connection, and with it a transaction that was begun. Its statements end before: the driver leaves that to
// its callers.
func (c *connection) close() error {
	for _, s := range c.queries {
		_ = s.Close() // it ends with the connection
	}
	_ = c.conn.Raw(func(any) error {
		for _, s := range c.execs {
			_ = s.(driver.Stmt).Close() // likewise
		}
		return nil
	})
	return errors.Join(c.conn.Close(), c.db.Close())
}

// transaction is one of a connection, and the next ones as well while nothing is taken back and nobody else writes to
// the file. Those who write in it may tell by it that everything they wrote before is there, and nothing behind that.
type transaction struct {
	*connection
	last store.Mark // the commit before; the zero mark has to be read
}

func (c *connection) begin() (*transaction, error) {
	if err := c.run(`BEGIN IMMEDIATE`); err != nil {
		return nil, err
	}
	version, err := database.Version(c.conn)
	if err != nil {
		return nil, errors.Join(err, c.run(`ROLLBACK`))
	}
	if c.latest == nil || version != c.version {
		c.latest = &transaction{connection: c}
	}
	return c.latest, nil
}

func (t *transaction) commit() error {
	if err := t.run(`COMMIT`); err != nil {
		return err
	}
	var err error
	if t.version, err = database.Version(t.conn); err != nil { // it is made all the same
		t.latest = nil
	}
	return nil
}

// rollback takes back what was done. The fault that led to it counts.
func (t *transaction) rollback() {
	t.latest = nil
	_ = t.run(`ROLLBACK`)
}

// checkpoint brings into the file what nobody reads from the log. What it cannot bring, another one will.
func (c *connection) checkpoint() {
	_, _ = c.conn.ExecContext(context.Background(), `PRAGMA wal_checkpoint(PASSIVE)`)
}

func (c *connection) run(statement string) error {
	_, err := c.Exec(statement)
	return err
}

// Exec carries out a statement, which is prepared once. It goes to the driver itself: database/sql makes copies of what it
// gives to it.
func (c *connection) Exec(query string, args ...any) (result sql.Result, err error) {
	err = c.conn.Raw(func(own any) error {
		s, err := c.preparedExec(own, query)
		if err == nil {
			err = c.convertArgs(args)
		}
		if err == nil {
			result, err = s.ExecContext(context.Background(), c.args)
		}
		return err
	})
	return result, err
}

// convertArgs makes of arguments what the driver takes.
func (c *connection) convertArgs(args []any) error {
	c.args = c.args[:0]
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return err
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return nil
}

func (c *connection) preparedExec(own any, query string) (driver.StmtExecContext, error) {
	if s := c.execs[query]; s != nil {
		return s, nil
	}
	s, err := own.(driver.ConnPrepareContext).PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	c.execs[query] = s.(driver.StmtExecContext)
	return c.execs[query], nil
}

// QueryRow reads a row with a statement that is prepared once.
func (c *connection) QueryRow(query string, args ...any) *sql.Row {
	s, err := c.prepared(query)
	if err != nil { // the row says so
		return c.conn.QueryRowContext(context.Background(), query, args...)
	}
	return s.QueryRowContext(context.Background(), args...)
}

func (c *connection) prepared(query string) (*sql.Stmt, error) {
	if s := c.queries[query]; s != nil {
		return s, nil
	}
	s, err := c.conn.PrepareContext(context.Background(), query)
	if err == nil {
		c.queries[query] = s
	}
	return s, err
}

var _ store.Tx = (*transaction)(nil)
