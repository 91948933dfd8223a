package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"billfold/walletcore/store"
)

// What ends a hold.
const (
	byMarks  = "marks"  // every live server compares its mark, and none lacks anything
	bySearch = "loss"   // rows are missing: the servers concerned write back what they remember, and one searches the ledger
	byPerson = "person" // an older copy, or something that no program can decide
)

const (
	// walTimeline is the timeline that the database writes now: each promotion starts another.
	walTimeline = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`

	// timelineID also identifies the cluster, because a dump restored into another cluster may have the same timeline.
	timelineID = `((SELECT system_identifier FROM pg_control_system()) || '/' || ` + walTimeline + `)`

	// sameTimeline is the condition that the statement runs on the timeline for which all servers have compared their marks.
	sameTimeline = `split_part(timeline, '/', 2) = ` + walTimeline
)

// cause is the reason why a store is held, and how the hold ends.
type cause struct {
	why, kind string
	timeline  string    // of the database; "" = the known one
	lacks     bool      // the store lacks something that this server remembers
	until     time.Time // a time before the missing rows were written, by the database's clock; zero = unknown
}

// awaitAlive records the servers that were alive when the store was last written: the hold waits until they have compared their marks.
const awaitAlive = `INSERT INTO held_for (server) SELECT id FROM servers
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

// endHold ends a hold that waits for no server.
const endHold = `UPDATE store_meta SET held_since = 0, held_why = '', held_kind = '', held_from = 0, generation = generation + 1
	WHERE held_since > 0 AND NOT EXISTS (SELECT 1 FROM held_for)`

// checkTimeline holds a store whose database continues from a copy of another one. Until every server that was alive has
// compared its mark, nobody knows whether the copy is complete; a server that lacks nothing itself must wait as well.
func (w *writer) checkTimeline(ctx context.Context) error {
	var before, present string
	if err := w.conn.QueryRowContext(ctx, `SELECT timeline, `+timelineID+` FROM store_meta`).Scan(&before, &present); err != nil {
		return err
	}
	switch before {
	case present:
		return nil
	case "": // the store is unused, or comes from a version that did not record it
		_, err := w.conn.ExecContext(ctx, `UPDATE store_meta SET timeline = ? WHERE timeline = ''`, present)
		return err
	}
	why := fmt.Sprintf("the database was promoted or restored (%s, before %s), and each server compares what it knows", present, before)
	return w.hold(ctx, cause{why: why, kind: byMarks, timeline: present})
}

// hold keeps all servers from paying anything new. An existing hold stays; of the two ways to end it, the stricter one applies.
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
	w.health.recordHold(c.why, c.lacks)
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
		if _, err := tx.ExecContext(ctx, awaitAlive, 2*w.opt.Lease.Milliseconds()); err != nil {
			return err
		}
	}
	if c.lacks { // this server has to write back what it remembers
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
			c.kind = byPerson // no block is known to start the search at
		}
	}
	if since != 0 && strictness(kind) >= strictness(c.kind) {
		c.why, c.kind = why, kind
	}
	_, err = tx.ExecContext(ctx, `UPDATE store_meta SET held_since = CASE held_since WHEN 0 THEN `+now+` ELSE held_since END, held_why = ?,
		held_kind = ?, held_from = ?, timeline = CASE CAST(? AS TEXT) WHEN '' THEN timeline ELSE ? END`,
		c.why, c.kind, from, c.timeline, c.timeline)
	return err
}

// clockFault is the time by which the clocks of servers, which date payments, may be off.
const clockFault = time.Hour

// beforeLoss returns a block from before everything that the store lacks: the newest proven block named by a payment
// that was made well before until, but none from before the first payment, because older payments were never in the
// store. It returns 0 if there is none.
func (w *writer) beforeLoss(ctx context.Context, tx *sql.Tx, until time.Time) (block int64, err error) {
	const (
		named   = `CASE WHEN sure_block > 0 THEN sure_block WHEN ref_block > 0 THEN ref_block ELSE 1 END`
		certain = `CASE WHEN sure_block > 0 THEN sure_block ELSE GREATEST(ref_block - ?, 1) END`
	)
	var first int64
	err = tx.QueryRowContext(ctx, `SELECT COALESCE(
		(SELECT MAX(`+named+`) FROM payments WHERE prepared_at < ?), (SELECT MIN(`+named+`) FROM payments),
		(SELECT MIN(block) FROM anchors), 0), COALESCE((SELECT MIN(`+certain+`) FROM payments), 1)`,
		until.Add(-clockFault).UnixMilli(), longestFork).Scan(&block, &first)
	if block > 0 {
		block = max(first, block-blocksBehind)
	}
	return block, err
}

const (
	blocksBehind = 100 // how many blocks a daemon may have been behind another one that was asked before
	longestFork  = 20  // how many blocks the head named by a payment may be ahead of the chain that prevails
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
