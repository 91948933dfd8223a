package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// connection is the writer's own connection, with the statements that it prepared: preparing one takes longer than running it.
type connection struct {
	db      *sql.DB
	conn    *sql.Conn
	queries map[string]*sql.Stmt              // statements that return rows, by their texts, which are constants
	execs   map[string]driver.StmtExecContext // statements that return none, likewise
	args    []driver.NamedValue               // arguments of the statement that is being run

	latest  *transaction // nil = it was rolled back in part or whole, or there was none
	version uint32       // the file's, as the latest transaction left it

	path  string
	salts string // of the log that the file is known to name, see noteLog
}

// connect opens a separate connection to the file at path, which must exist.
func connect(path string) (*connection, error) { return connectThrough(nil, path) }

func connectThrough(between database.Between, path string) (*connection, error) {
	db, err := between.Open(path, database.Durable)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &connection{path: path, db: db, conn: conn, queries: map[string]*sql.Stmt{}, execs: map[string]driver.StmtExecContext{}}, nil
}

// close closes the connection, and with it an unfinished transaction. Its statements are closed
// first: the driver leaves that to its callers.
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

// transaction is a transaction of a connection. It stays the same value for the next ones, as long as nothing is rolled
// back and nobody else writes to the file. So a part that writes in it can tell that everything it wrote before is
// there, and nothing after it.
type transaction struct {
	*connection
	last store.Mark // the commit before; the zero mark must be read
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
		c.latest, c.salts = &transaction{connection: c}, ""
	}
	return c.latest, nil
}

func (t *transaction) commit() error {
	if err := t.run(`COMMIT`); err != nil {
		return err
	}
	var err error
	if t.version, err = database.Version(t.conn); err != nil { // the commit was made all the same
		t.latest = nil
	}
	return nil
}

// rollback undoes what was done. Its own error is dropped: the fault that led to it counts.
func (t *transaction) rollback() {
	t.latest = nil
	_ = t.run(`ROLLBACK`)
}

// checkpoint copies from the log into the file what no reader still needs from the log. What it cannot copy, a later
// checkpoint will. It reports whether nobody else was copying, and whether the file has the whole log now.
func (c *connection) checkpoint() (free, whole bool) {
	var busy, inLog, moved int
	err := c.conn.QueryRowContext(context.Background(), `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &inLog, &moved)
	return err == nil && busy == 0, err == nil && busy == 0 && inLog == moved
}

func (c *connection) run(statement string) error {
	_, err := c.Exec(statement)
	return err
}

// Exec runs a statement, preparing it once. It calls the driver directly, because database/sql copies the arguments.
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

// convertArgs sets c.args to the arguments as the driver takes them.
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

// QueryRow reads a row, preparing the statement once.
func (c *connection) QueryRow(query string, args ...any) *sql.Row {
	s, err := c.prepared(query)
	if err != nil { // the row reports the error
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
