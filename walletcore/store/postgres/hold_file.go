package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"billfold/walletcore/store"
)

// compared notes that this server, if it is waited for, lacks nothing, and ends a hold that waits for nothing else.
func (f *file) compared(ctx context.Context, awaited bool) error {
	if awaited {
		if _, err := f.lease.ExecContext(ctx, `DELETE FROM held_for WHERE server = ?`, f.Server()); err != nil {
			return err
		}
	}
	_, err := f.lease.ExecContext(ctx, endHold+` AND held_kind = '`+byMarks+`'`)
	return err
}

// Hold reads why nothing new is paid.
func (f *file) Hold(ctx context.Context) (h store.Hold, err error) {
	var since, from int64
	var kind string
	err = f.db.QueryRowContext(ctx, `SELECT held_why, held_since, held_kind, held_from FROM store_meta`).Scan(&h.Why, &since, &kind, &from)
	if err != nil || since == 0 {
		return store.Hold{}, f.Explain(err)
	}
	h.Since, h.Search, h.From = time.UnixMilli(since).UTC(), kind == bySearch, uint32(max(0, from)) //nolint:gosec // a block's number
	return h, nil
}

// Rewritten notes that the store has again what this server remembers.
func (f *file) Rewritten(ctx context.Context, ambiguous string) error {
	return f.Write(context.WithoutCancel(ctx), store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		if ambiguous != "" {
			_, failure = tx.Exec(`UPDATE store_meta SET held_why = ?, held_kind = '`+byPerson+`' WHERE held_since > 0`, ambiguous)
		}
		if failure == nil {
			_, failure = tx.Exec(`DELETE FROM held_for WHERE server = ?`, f.Server())
		}
		return nil, failure
	}, Kept: f.health.rewritten})
}

// EndHold ends a hold whose search is over.
func (f *file) EndHold(ctx context.Context, h store.Hold, with ...store.Change) error {
	end := store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		ended, err := tx.Exec(endHold+` AND held_kind = '`+bySearch+`' AND held_since = ?`, h.Since.UnixMilli())
		if err != nil {
			return nil, err
		}
		if n, err := ended.RowsAffected(); n == 0 || err != nil {
			return store.ErrStillHeld, err
		}
		return nil, nil
	}}
	return f.Write(context.WithoutCancel(ctx), append([]store.Change{end}, with...)...)
}

// Generation counts the holds that have ended, as this server last saw it.
func (f *file) Generation() (n int64, found bool) { return f.health.known() }

// ErrNotFoundPayment means that there is no payment of this id that was found and not claimed.
var ErrNotFoundPayment = errors.New("there is no payment of this id that was found after a loss and is not claimed yet")

// Claim gives a payment that was found after a loss the request key that it was made under; "" = none that counts. It can be called
// beside the servers, and again. A standby is not insisted on: what a failover loses of it is asked for again.
func (o Options) Claim(ctx context.Context, address, key, id string) error {
	o.MayLose = true
	return o.alter(ctx, address, func(c *pgx.Conn, have int) error {
		if have == 0 {
			return ErrNoStore
		}
		if err := checkVersion(have, have); err != nil {
			return err
		}
		var taken, claimed bool
		if err := c.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM payments WHERE request_key = $1),
			EXISTS (SELECT 1 FROM payments WHERE COALESCE(request_key, '') = $1 AND id = $2 AND origin = 2)`, key, id).
			Scan(&taken, &claimed); err != nil {
			return err
		}
		switch {
		case claimed: // it was said before
			return nil
		case taken:
			return store.ErrKeyTaken
		}
		done, err := c.Exec(ctx, `UPDATE payments SET origin = 2, request_key = NULLIF($1, '') WHERE id = $2 AND origin = 1`, key, id)
		if err == nil && done.RowsAffected() == 0 {
			err = ErrNotFoundPayment
		}
		return err
	})
}

var _ store.Holding = (*file)(nil)
