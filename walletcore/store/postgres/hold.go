package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

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

// clockFault is how far the clocks of servers, which date payments, may be off.
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
