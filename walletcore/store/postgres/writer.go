package postgres

import (
	"database/sql"
	"database/sql/driver"
	"sync/atomic"
	"time"

	"billfold/walletcore/store/commits"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// writer is this server's only way of writing. Only one goroutine uses it.
type writer struct {
	*core
	db          *sql.DB            // with a single connection
	conn        *sql.Conn          // nil after a fault
	warned      atomic.Bool        // the database has sent a warning since the latest COMMIT
	unconfirmed *unconfirmedCommit // a commit that may or may not have been made

	place      string // identifies the folder that this process has locked on this machine; "" if that cannot be told
	registered bool   // this program has an epoch
	ousted     bool   // another program took this one's place
	epochNonce string // nonce of an epoch that was requested and not confirmed
}

// unconfirmedCommit is a commit that was not confirmed.
type unconfirmedCommit struct {
	mark  mark // the mark it made, if it was made
	at    time.Time
	batch []*commits.Change
}

// onNotice records warnings that the database sends besides its answers.
func (w *writer) onNotice(_ *pgconn.PgConn, n *pgconn.Notice) {
	if n.SeverityUnlocalized == "WARNING" {
		w.warned.Store(true)
	}
}

// raw calls with on the underlying connection, for many statements in one round trip.
func (w *writer) raw(with func(c *pgx.Conn) error) error {
	return w.conn.Raw(func(c any) error { return with(c.(*conn).Conn.Conn()) })
}

// drop closes the connection, and with it an unfinished transaction.
func (w *writer) drop() {
	if w.conn == nil {
		return
	}
	_ = w.raw(func(*pgx.Conn) error { return driver.ErrBadConn }) // so that it is not used again
	_ = w.conn.Close()
	w.conn = nil
}
