package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"time"

	"billfold/walletcore/store/commits"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// writer is this server's only way of writing. Only one goroutine uses it.
type writer struct {
	called string // the name of this server, as the store last had it; "" = not known yet
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

func (w *writer) begin() *transaction {
	next := w.health.lastCommit()
	next.Number, next.Nonce = next.Number+1, randomText(8)
	return &transaction{w: w, mark: next, tokens: map[string]bool{}}
}

const (
	// patience is the time for which a commit is retried while the database comes back, before its callers are refused.
	patience   = 2 * time.Second
	retryPause = 100 * time.Millisecond
)

// commit makes a batch in one transaction. A change that is refused leaves the others alone; a failure fails them all.
// open reports that the commit may have been made.
func (w *writer) commit(batch []*commits.Change) (failure error, open bool) {
	if isEmpty(batch) {
		return nil, false
	}
	for started := time.Now(); ; time.Sleep(retryPause) {
		failure = w.try(batch)
		if failure == nil {
			return nil, false
		}
		for w.unconfirmed != nil && time.Since(started) < patience {
			switch there, err := w.checkCommitted(); {
			case err != nil:
				time.Sleep(retryPause)
			case there:
				w.unconfirmed = nil
				return nil, false
			default:
				w.unconfirmed = nil // it is tried again
			}
		}
		if w.unconfirmed != nil {
			return failure, true
		}
		if !isPassing(failure) || time.Since(started) > patience {
			return w.unwritable(failure), false
		}
	}
}

// isEmpty reports whether there is nothing to write: a caller only waits for what was noted before.
func isEmpty(batch []*commits.Change) bool {
	for _, c := range batch {
		if len(c.Parts) > 0 {
			return false
		}
	}
	return true
}

// try makes a batch once.
func (w *writer) try(batch []*commits.Change) error {
	if err := w.enter(context.Background()); err != nil {
		return err
	}
	tx := w.begin()
	err := tx.execute(batch)
	if err == nil {
		return w.complete(tx, batch)
	}
	if errors.Is(err, errFence) {
		err = w.handleFence()
	} else if w.conn != nil {
		if _, stuck := w.conn.ExecContext(context.Background(), `ROLLBACK`); stuck != nil { // the fault that led to it counts
			w.drop()
		}
	}
	if isConnectionError(err) {
		w.drop()
	}
	return explain(w.config, err)
}

// complete commits. Only an answer that it is done, and done for good, proves anything: a database that shuts down may
// have made the commit, and one that is told not to wait for its standby warns and goes on.
func (w *writer) complete(tx *transaction, batch []*commits.Change) error {
	w.warned.Store(false)
	var tag pgconn.CommandTag
	err := w.raw(func(c *pgx.Conn) (err error) {
		tag, err = c.Exec(context.Background(), `COMMIT`)
		return err
	})
	switch {
	case err == nil && tag.String() == "COMMIT" && !w.warned.Load():
		w.advance(tx.mark, tx.time)
		return nil
	case err == nil && tag.String() != "COMMIT":
		return errors.New("the database rolled the transaction back")
	case err == nil:
		err = errWarned
	case isRefusedCommit(err):
		return err
	}
	w.unconfirmed = &unconfirmedCommit{mark: tx.mark, at: tx.time, batch: batch}
	w.drop()
	return unreachable(w.config, err)
}

// resolveUnconfirmed finds out what became of an unconfirmed commit; it reports false if that is still unknown.
func (w *writer) resolveUnconfirmed() bool {
	if w.unconfirmed == nil {
		return true
	}
	there, err := w.checkCommitted()
	if err != nil {
		w.health.recordRefusal(err)
		return false
	}
	batch := w.unconfirmed.batch
	w.unconfirmed = nil
	if there {
		w.hints.record(batch)
	}
	var again []*commits.Change
	for _, c := range batch {
		switch {
		case there:
			c.Keep()
			c.Resolve(c.Err)
		case c.Noted():
			again = append(again, c)
		default:
			c.Resolve(w.unwritable(errNotMade))
		}
	}
	w.queue.PutBack(again)
	return true
}

// checkCommitted finds out whether the unconfirmed commit was made. It waits for any transaction of the old connection, which holds
// the row of this server as long as it lives. It also writes to the row, so that the answer holds for the database's standby as well.
func (w *writer) checkCommitted() (there bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), w.config.ConnectTimeout+ackTimeout)
	defer cancel()
	if w.conn == nil {
		if w.conn, err = w.db.Conn(ctx); err != nil {
			w.conn = nil
			return false, unreachable(w.config, err)
		}
	}
	w.warned.Store(false)
	r := new(serverRow)
	err = w.raw(func(c *pgx.Conn) error {
		return c.QueryRow(context.Background(), `WITH old AS (SELECT id, epoch, mark, nonce FROM servers WHERE id = $1 FOR UPDATE)
			UPDATE servers s SET touched = s.touched + 1 FROM old WHERE s.id = old.id RETURNING old.epoch, old.mark, old.nonce`,
			w.Server()).Scan(&r.epoch, &r.number, &r.nonce)
	})
	forgot := errors.Is(err, pgx.ErrNoRows)
	if err == nil && w.warned.Load() {
		err = errWarned
	}
	if err != nil && !forgot {
		w.drop()
		return false, unreachable(w.config, err)
	}
	made := w.unconfirmed.mark
	if !forgot && r.number == made.Number && r.nonce == made.Nonce {
		w.advance(made, w.unconfirmed.at)
		return true, nil
	}
	if !forgot && r.number > made.Number { // another program has the place; it wrote after the old transaction had ended
		if there, err = w.hasPaymentOf(w.unconfirmed.batch); err != nil {
			w.drop()
			return false, unreachable(w.config, err)
		}
		return there, nil
	}
	// It was not made. The next commit finds out whether the store is otherwise the same.
	w.drop()
	return false, nil
}

// hasPaymentOf reports whether the store has a new payment of a batch, and with it the whole batch. A batch without one
// counts as not made, because everything else can be written again.
func (w *writer) hasPaymentOf(batch []*commits.Change) (there bool, err error) {
	var ids []string
	for _, a := range addsOf(batch) {
		if a.change.Err == nil {
			ids = append(ids, a.entry.ID.String())
		}
	}
	err = w.raw(func(c *pgx.Conn) error {
		return c.QueryRow(context.Background(), `SELECT EXISTS (SELECT 1 FROM payments WHERE id = ANY($1))`, ids).Scan(&there)
	})
	return there, err
}
