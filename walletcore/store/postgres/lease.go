package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// pruneEvery is the interval at which spends that no limit counts any more are removed.
const pruneEvery = 10 * time.Minute

// keepLease checks the store ten times per lease, extends this server's lease when half of it is over, and compares what
// the store says with what it confirmed.
func (f *file) keepLease() {
	defer close(f.leaseDone)
	tick := time.NewTicker(f.opt.Lease / 10)
	defer tick.Stop()
	pruned := time.Now()
	for {
		select {
		case <-f.quit:
			return
		case <-tick.C:
		}
		done := f.health.startWaiting(&f.health.leasing)
		err := f.checkLease()
		done()
		if err != nil {
			f.health.recordUnreachable(f.Explain(err))
		}
		if err := f.mark.sync(); err != nil {
			f.opt.Logger.Warn("store: the mark of this server cannot be written", "error", err)
		}
		if time.Since(pruned) > pruneEvery && err == nil {
			pruned = time.Now()
			_ = f.Note(store.Change{Late: true, Apply: func(tx store.Tx) (refusal, failure error) {
				return nil, store.PruneSpends(tx)
			}}) // on failure the next round prunes
		}
	}
}

// checkLease checks the store and the lease once.
func (f *file) checkLease() error {
	ctx, cancel := context.WithTimeout(f.leaseCtx, f.config.ConnectTimeout+ackTimeout) // a deadline is safe: it is tried again
	defer cancel()
	known := f.health.lastCommit() // read before the row, so that the row is at least as new
	var m meta
	var nonce string
	var epoch, number, left int64
	var same, awaited, named bool
	err := f.lease.QueryRowContext(ctx, `SELECT `+metaColumns+`, epoch, mark, nonce, expires_at - `+now+`, timeline = `+timelineID+`,
			EXISTS (SELECT 1 FROM held_for WHERE server = id), current_setting('synchronous_standby_names') <> ''
		FROM store_meta, servers WHERE id = ?`, known.Server).
		Scan(append(m.into(), &epoch, &number, &nonce, &left, &same, &awaited, &named)...)
	gone := errors.Is(err, sql.ErrNoRows) || isCode(err, undefinedTable)
	if err != nil && !gone {
		return err
	}
	if err == nil {
		f.health.recordStandby(named || f.opt.MayLose)
	}
	if err == nil && !same {
		f.suspect.Store(true)
		f.wakeWriter()
		return nil
	}
	if gone || m.id != known.Store || epoch != known.Epoch || number < known.Number || number == known.Number && nonce != known.Nonce {
		if known == f.health.lastCommit() { // else the epoch changed while the row was read
			f.wakeWriter()
		}
		return nil
	}
	if number > known.Number && known == f.health.lastCommit() { // a commit in progress, or one by a copy of this machine
		f.wakeWriter()
	} else {
		f.health.recordPlace()
	}
	f.health.recordMeta(m)
	if f.health.isRefusing() && !f.health.isSlow() { // it can be read, so perhaps it can be written again
		f.wakeWriter()
	}
	if m.held != "" && !f.health.isLacking() {
		if err := f.recordCompared(ctx, awaited); err != nil {
			return err
		}
	}
	if whole := f.opt.Lease.Milliseconds(); left > whole/2 && left <= 2*whole { // more was granted before the database's clock was set back
		return nil
	}
	_, err = f.lease.ExecContext(ctx, `UPDATE servers SET expires_at = `+now+` + ? WHERE id = ? AND epoch = ? AND expires_at > 0`,
		f.opt.Lease.Milliseconds(), known.Server, known.Epoch)
	return err
}

// wakeWriter has the writer make a commit, in which it finds out what the store is now.
func (f *file) wakeWriter() {
	nothing := store.Change{Apply: func(store.Tx) (refusal, failure error) { return nil, nil }}
	f.queue.Put(commits.NewUrgent([]store.Change{nothing}))
}

// leaseEnded is the lease end of a server that shut down in good order: negative, with the time when it did.
const leaseEnded = `-` + now

// endLease ends the lease, so that others follow the open payments at once.
func (f *file) endLease() {
	known := f.health.lastCommit()
	ctx, cancel := context.WithTimeout(context.Background(), f.config.ConnectTimeout)
	defer cancel()
	if _, err := f.lease.ExecContext(ctx, `UPDATE servers SET expires_at = `+leaseEnded+` WHERE id = ? AND epoch = ?`,
		known.Server, known.Epoch); err != nil {
		f.opt.Logger.Warn("store: the lease could not be ended, and will expire", "error", err)
	}
}

// Report records whether this server can follow payments, and whether its wallet is locked. If it cannot follow, it leaves its own to others.
func (f *file) Report(ctx context.Context, able, locked bool) error {
	digit := map[bool]int{true: 1}
	return f.Write(context.WithoutCancel(ctx), store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		_, failure = tx.Exec(`UPDATE servers SET follows = ?, locked = ? WHERE id = ?`, digit[able], digit[locked], f.Server())
		return nil, failure
	}})
}

// TakeOver assigns to this server the open payments of servers whose lease has ended or that cannot follow them; it
// reports false if there are none. In the same transaction the epoch of a server that is gone is advanced first:
// whatever it still writes is refused. TakeOver also reports true once after this server got a new epoch, because
// whoever had its place meanwhile may have left payments.
func (f *file) TakeOver(ctx context.Context) (took bool, err error) {
	took = f.reentered.Swap(false)
	rows, err := f.db.QueryContext(ctx, `SELECT s.id, s.epoch FROM servers s WHERE s.id <> ? AND (`+leaseOver+` OR s.follows = 0)
		AND EXISTS (SELECT 1 FROM servers WHERE id = ? AND follows = 1)
		AND EXISTS (SELECT 1 FROM payments WHERE owner = s.id AND `+openPayments+`) ORDER BY s.id`,
		f.Server(), f.Server())
	if err != nil {
		return took, f.Explain(err)
	}
	defer rows.Close()
	gone := map[string]int64{}
	for rows.Next() {
		var id string
		var epoch int64
		if err := rows.Scan(&id, &epoch); err != nil {
			return took, err
		}
		gone[id] = epoch
	}
	if err := rows.Err(); err != nil {
		return took, f.Explain(err)
	}
	for id, epoch := range gone {
		one := false
		err := f.Write(context.WithoutCancel(ctx), store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
			one, failure = takeOver(tx, f.Server(), id, epoch)
			return nil, failure
		}})
		if err != nil {
			return true, err
		}
		took = took || one
	}
	return took, nil
}

func takeOver(tx store.Tx, me, id string, epoch int64) (bool, error) {
	ended, err := tx.Exec(
		`UPDATE servers SET epoch = epoch + 1, expires_at = LEAST(expires_at, 0) WHERE id = ? AND epoch = ? AND `+leaseOver,
		id,
		epoch,
	)
	if err != nil {
		return false, err
	}
	n, err := ended.RowsAffected()
	if err != nil {
		return false, err
	}
	only := ""
	if n == 0 { // it is alive: take its payments only while it does not follow them
		only = ` AND EXISTS (SELECT 1 FROM servers s WHERE s.id = payments.owner AND s.follows = 0)`
	}
	taken, err := tx.Exec(`UPDATE payments SET owner = ?, state = CASE state WHEN 'prepared' THEN 'unknown' ELSE state END
		WHERE owner = ? AND `+openPayments+only, me, id)
	if err != nil {
		return false, err
	}
	n, err = taken.RowsAffected()
	return n > 0, err
}
