package postgres

import (
	"context"
	"time"

	"billfold/walletcore/store"
)

// recordCompared records that this server, if the hold waits for it, lacks nothing, and ends a hold that waits for nothing else.
func (f *file) recordCompared(ctx context.Context, awaited bool) error {
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

// NoteRewritten records that the store has again what this server remembers.
func (f *file) NoteRewritten(ctx context.Context, ambiguous string) error {
	return f.Write(context.WithoutCancel(ctx), store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		if ambiguous != "" {
			_, failure = tx.Exec(`UPDATE store_meta SET held_why = ?, held_kind = '`+byPerson+`' WHERE held_since > 0`, ambiguous)
		}
		if failure == nil {
			_, failure = tx.Exec(`DELETE FROM held_for WHERE server = ?`, f.Server())
		}
		return nil, failure
	}, Kept: f.health.recordRewritten})
}

// EndHold ends a hold whose search, from h.From on, is finished. While that ran, another server may have found that more is missing.
func (f *file) EndHold(ctx context.Context, h store.Hold, with ...store.Change) error {
	end := store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		ended, err := tx.Exec(endHold+` AND held_kind = '`+bySearch+`' AND held_since = ? AND held_from >= ?`, h.Since.UnixMilli(), h.From)
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

// Generation returns the number of holds that have ended, as last seen by this server, and whether there are found
// payments that are not claimed.
func (f *file) Generation() (n int64, found bool) { return f.health.generation() }

var (
	_ store.Holding    = (*file)(nil)
	_ store.Recovering = (*file)(nil)
)
