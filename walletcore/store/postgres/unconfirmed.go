package postgres

import (
	"context"
	"errors"

	"billfold/walletcore/store/commits"

	"github.com/jackc/pgx/v5"
)

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
