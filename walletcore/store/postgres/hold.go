package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"billfold/walletcore/store"
)

// What ends a hold.
const (
	byMarks  = "marks"  // every server that lived compares its mark, and none lacks anything
	bySearch = "loss"   // something is missing: those servers write again what they remember, and one searches the ledger
	byPerson = "person" // an older copy, or something that no program can decide
)

const (
	// walTimeline is the history that the database writes now: each promotion begins another.
	walTimeline = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`

	// line also names the cluster, which a dump that was restored into another one does not have.
	line = `((SELECT system_identifier FROM pg_control_system()) || '/' || ` + walTimeline + `)`

	// sameLine is the condition that a statement is carried out in the history that all servers have compared their marks in.
	sameLine = `split_part(timeline, '/', 2) = ` + walTimeline
)

// newLine holds a store whose database goes on from a copy of another one. Until every server that lived has compared its
// mark, nobody knows whether the copy has everything; one that lacks nothing itself must wait as well.
func (w *writer) newLine(ctx context.Context) error {
	var before, present string
	if err := w.conn.QueryRowContext(ctx, `SELECT timeline, `+line+` FROM store_meta`).Scan(&before, &present); err != nil {
		return err
	}
	switch before {
	case present:
		return nil
	case "": // nobody has used the store yet, or it comes from a version that did not look
		_, err := w.conn.ExecContext(ctx, `UPDATE store_meta SET timeline = ? WHERE timeline = ''`, present)
		return err
	}
	why := fmt.Sprintf("the database was promoted or restored (%s, before %s), and each server compares what it knows", present, before)
	return w.hold(ctx, cause{why: why, kind: byMarks, line: present})
}

// cause is why a store is held.
type cause struct {
	why, kind string
	line      string    // of the database; "" = the one that is known
	lacks     bool      // this server misses something
	until     time.Time // a time before what is missing was written, by the database's clock; zero = not known
}

// hold keeps all servers from paying anything new. A hold that is there stays, and is ended as the stricter of both wants.
func (w *writer) hold(ctx context.Context, c cause) error {
	w.opt.Logger.Error("store: nothing new is paid", "why", c.why)
	tx, err := w.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if err := w.holdIn(ctx, tx, c); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	w.health.hold(c.why, c.lacks)
	return nil
}

func (w *writer) holdIn(ctx context.Context, tx *sql.Tx, c cause) error {
	var since, from int64
	var why, kind string
	err := tx.QueryRowContext(ctx, `SELECT held_since, held_why, held_kind, held_from FROM store_meta FOR UPDATE`).
		Scan(&since, &why, &kind, &from)
	if err != nil {
		return err
	}
	if since == 0 {
		if _, err := tx.ExecContext(ctx, `DELETE FROM held_for`); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, lived, 2*w.opt.Lease.Milliseconds()); err != nil {
			return err
		}
	}
	if c.lacks { // it has to write again what it remembers
		if _, err := tx.ExecContext(ctx, `INSERT INTO held_for (server) VALUES (?) ON CONFLICT DO NOTHING`, w.Server()); err != nil {
			return err
		}
		first, err := w.beforeLoss(ctx, tx, c.until)
		if err != nil {
			return err
		}
		if from == 0 || first < from {
			from = first
		}
		if from == 0 && c.kind == bySearch {
			c.kind = byPerson // nobody knows where to begin
		}
	}
	if since != 0 && strictness(kind) >= strictness(c.kind) {
		c.why, c.kind = why, kind
	}
	_, err = tx.ExecContext(ctx, `UPDATE store_meta SET held_since = CASE held_since WHEN 0 THEN `+now+` ELSE held_since END, held_why = ?,
		held_kind = ?, held_from = ?, timeline = CASE CAST(? AS TEXT) WHEN '' THEN timeline ELSE ? END`, c.why, c.kind, from, c.line, c.line)
	return err
}

// lived lists the servers that lived when the store was last written: what they know is compared.
const lived = `INSERT INTO held_for (server) SELECT id FROM servers
	WHERE expires_at > 0 AND expires_at >= (SELECT MAX(expires_at) FROM servers) - ? ON CONFLICT DO NOTHING`

func strictness(kind string) int {
	switch kind {
	case byMarks:
		return 1
	case bySearch:
		return 2
	}
	return 3
}

// clockFault is what the clocks of servers, which date payments, may be wrong by.
const clockFault = time.Hour

// beforeLoss returns a block from before everything that the store lacks: the newest proven one that a payment names which was
// made well before until. 0 when there is none.
func (w *writer) beforeLoss(ctx context.Context, tx *sql.Tx, until time.Time) (block int64, err error) {
	const named = `CASE WHEN sure_block > 0 THEN sure_block WHEN ref_block > 0 THEN ref_block ELSE 1 END`
	err = tx.QueryRowContext(ctx, `SELECT COALESCE(
		(SELECT MAX(`+named+`) FROM payments WHERE prepared_at < ?), (SELECT MIN(`+named+`) FROM payments), (SELECT MIN(block) FROM anchors), 0)`,
		until.Add(-clockFault).UnixMilli()).Scan(&block)
	if block > 0 {
		block = max(1, block-blocksBehind)
	}
	return block, err
}

// blocksBehind is how many blocks a daemon may have been behind another one that was asked before.
const blocksBehind = 100

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

// endHold ends a hold for which no server is waited for.
const endHold = `UPDATE store_meta SET held_since = 0, held_why = '', held_kind = '', held_from = 0, generation = generation + 1
	WHERE held_since > 0 AND NOT EXISTS (SELECT 1 FROM held_for)`

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
// beside the servers.
func (o Options) Claim(ctx context.Context, address, key, id string) error {
	return o.alter(ctx, address, func(c *pgx.Conn, have int) error {
		if err := checkVersion(have, have); err != nil {
			return err
		}
		var taken bool
		if err := c.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM payments WHERE request_key = $1)`, key).Scan(&taken); err != nil {
			return err
		}
		if taken {
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
