package postgres

import (
	"billfold/walletcore/store/commits"
	"database/sql"
	"database/sql/driver"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// writer is this server's one way of writing. Only one goroutine uses it.
type writer struct {
	*core
	db          *sql.DB            // of one connection
	conn        *sql.Conn          // nil after a fault
	warned      atomic.Bool        // the database has warned of something since the latest COMMIT was sent
	unconfirmed *unconfirmedCommit // a commit of which nobody knows whether it was made

	place      string // this folder of this machine, which this process has locked; "" where that cannot be told
	registered bool   // this program has an epoch
	ousted     bool   // another program took the place that this one had
	epochNonce string // the nonce of an epoch that was asked for and not confirmed
}

// unconfirmedCommit is a commit that was not confirmed.
type unconfirmedCommit struct {
	mark  mark // which it made, if it was
	at    time.Time
	batch []*commits.Change
}

// onNotice is told what the database says beside its answers.
func (w *writer) onNotice(_ *pgconn.PgConn, n *pgconn.Notice) {
	if n.SeverityUnlocalized == "WARNING" {
		w.warned.Store(true)
	}
}

// raw calls with on the connection itself, for many statements in one round trip.
func (w *writer) raw(with func(c *pgx.Conn) error) error {
	return w.conn.Raw(func(c any) error { return with(c.(*conn).Conn.Conn()) })
}

// drop ends the connection, and with it a transaction that was begun.
func (w *writer) drop() {
	if w.conn == nil {
		return
	}
	_ = w.raw(func(*pgx.Conn) error { return driver.ErrBadConn }) // so that it is not used again
	_ = w.conn.Close()
	w.conn = nil
}
