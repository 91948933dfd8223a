package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// connector opens connections whose statements are written as for SQLite, with ? for values.
type connector struct {
	driver.Connector
	texts        *sync.Map     // statements as PostgreSQL writes them, by their SQLite form; there are few
	queryTimeout time.Duration // how long the answer to a query may take to begin; 0 = for ever
}

// newConnector returns a connector that checks each connection before it is used.
func newConnector(config *pgx.ConnConfig, ready func(context.Context, *pgx.Conn) error) connector {
	return connector{Connector: stdlib.GetConnector(*config, stdlib.OptionAfterConnect(ready)), texts: new(sync.Map)}
}

// dialing marks the contexts in which a connection is being opened.
type dialing struct{}

// Connect opens a connection.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(context.WithValue(ctx, dialing{}, true))
	if err != nil {
		return nil, err
	}
	return &conn{made.(*stdlib.Conn), c.texts, c.queryTimeout}, nil
}

var errNoCancel = errors.New("a running statement is not cancelled")

// dial opens a connection that ends when the other side is gone. It refuses requests to cancel a statement, which pgx
// sends over a connection of their own: they would make a primary show a commit before its standby has it.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	if ctx.Value(dialing{}) == nil {
		return nil, errNoCancel
	}
	d := net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 3 * time.Second, Interval: time.Second, Count: 4},
		Control:         setAckTimeout,
	}
	return d.DialContext(ctx, network, address)
}

// conn is one connection.
type conn struct {
	*stdlib.Conn
	texts        *sync.Map
	queryTimeout time.Duration
}

// PrepareContext prepares a statement.
func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	return c.Conn.PrepareContext(ctx, c.numbered(query))
}

// ExecContext runs a statement.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, c.numbered(query), clean(args))
}

// QueryContext reads rows. It returns once the first one has arrived.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.queryTimeout > 0 {
		line := c.Conn.Conn().PgConn().Conn()
		end := time.AfterFunc(c.queryTimeout, func() { _ = line.SetDeadline(time.Now()) }) // fails a read that is waiting
		defer end.Stop()
	}
	return c.Conn.QueryContext(ctx, c.numbered(query), clean(args))
}

// numbered replaces each ? by $1, $2 and so on. No statement has a question mark elsewhere.
func (c *conn) numbered(query string) string {
	if !strings.Contains(query, "?") {
		return query
	}
	if known, ok := c.texts.Load(query); ok {
		return known.(string)
	}
	var b strings.Builder
	n := 0
	for part := range strings.SplitSeq(query, "?") {
		if n++; n > 1 {
			b.WriteString("$" + strconv.Itoa(n-1))
		}
		b.WriteString(part)
	}
	c.texts.Store(query, b.String())
	return b.String()
}

// clean replaces what PostgreSQL refuses in text: an error would abort the transaction for everyone in it.
func clean(args []driver.NamedValue) []driver.NamedValue {
	for i := range args {
		if text, ok := args[i].Value.(string); ok {
			args[i].Value = cleanText(text)
		}
	}
	return args
}

func cleanText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// oldest is the first version of PostgreSQL that is supported.
const oldest = 140000

// strictIdle is the time, in milliseconds, for which a transaction that others wait for may be idle.
const strictIdle = "1000"

// sessionConfig returns config with the settings of every connection. A program that stops in the middle of a
// transaction keeps the others waiting for at most a second, and the database soon notices that a client is gone.
func sessionConfig(config *pgx.ConnConfig, use string) *pgx.ConnConfig {
	c := config.Copy()
	for name, value := range map[string]string{
		"application_name":                    "billfold " + use,
		"idle_in_transaction_session_timeout": strictIdle,
		"lock_timeout":                        "5000",
		"client_connection_check_interval":    "2000",
		"default_transaction_isolation":       "read committed",
		"statement_timeout":                   "0",
	} {
		c.RuntimeParams[name] = value
	}
	return c
}

var errNoStandby = &UnfitError{"it has no synchronous standby, so a failover may lose payments: " +
	"set synchronous_standby_names, or accept the loss with --store-may-lose"}

// checkConnection returns the check of a new connection: with a database that loses what it confirmed, payments could be made twice.
func checkConnection(mayLose bool) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, c *pgx.Conn) error {
		var fsync, pages, standbys, waits string
		var version int
		var process uint32
		var recovering bool
		err := c.QueryRow(ctx, `SELECT current_setting('fsync'), current_setting('full_page_writes'),
			current_setting('synchronous_standby_names'), current_setting('synchronous_commit'),
			current_setting('server_version_num')::int, pg_is_in_recovery(), pg_backend_pid()::bigint`).
			Scan(&fsync, &pages, &standbys, &waits, &version, &recovering, &process)
		switch {
		case err != nil:
			return err
		case version < oldest:
			return &UnfitError{"it is older than PostgreSQL 14"}
		case process != c.PgConn().PID(): // the first answer came from another session than this one
			return &UnfitError{throughPooler}
		case recovering:
			return errStandby
		case fsync != "on" || pages != "on":
			return &UnfitError{"it may lose what it confirmed when the power fails: set fsync = on and full_page_writes = on"}
		case standbys == "" && !mayLose:
			return errNoStandby
		}
		if waits == "off" || waits == "local" || waits == "remote_write" {
			_, err = c.Exec(ctx, `SET synchronous_commit = on`)
		}
		return err
	}
}
