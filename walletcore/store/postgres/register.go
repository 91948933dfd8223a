package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"billfold/walletcore/store"
)

// serverRow holds what the store says about a server.
type serverRow struct {
	name          string
	epoch, number int64
	nonce         string
	leaseEnd      time.Time // end of its lease, by the database's clock; zero = the lease was ended
}

// enter opens the writer's connection if there is none, and makes sure that it leads to the store that this server
// knows, under an epoch of its own.
func (w *writer) enter(ctx context.Context) error {
	if w.suspect.Swap(false) {
		w.drop()
	}
	if w.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, w.config.ConnectTimeout+ackTimeout) // a deadline is safe: no payment is written
	defer cancel()
	c, err := w.db.Conn(ctx)
	if err != nil {
		return unreachable(w.config, err)
	}
	w.conn = c
	if err = w.register(ctx); err != nil {
		w.drop()
	}
	return explain(w.config, err)
}

// register compares the store with what this server knows about it, and takes an epoch if it has none.
func (w *writer) register(ctx context.Context) error {
	var storeID string
	var version, oldestReader int
	err := w.conn.QueryRowContext(ctx, `SELECT store_id, version, oldest_reader FROM store_meta`).Scan(&storeID, &version, &oldestReader)
	if isCode(err, undefinedTable) || errors.Is(err, sql.ErrNoRows) {
		return ErrNoStore
	}
	if err == nil {
		err = checkVersion(version, oldestReader)
	}
	if err != nil {
		return err
	}
	known := w.health.lastCommit()
	if known.Store != "" && known.Store != storeID {
		lost := &store.LostError{Kind: store.Foreign, Path: w.Path(),
			Why: fmt.Sprintf("the store at %s is not the one that this server used before", w.Path())}
		w.health.recordLost(lost)
		return lost
	}
	if err := w.checkTimeline(ctx); err != nil {
		return err
	}
	there, err := w.readRow(ctx)
	if err != nil {
		return err
	}
	forgot := w.describeLoss(known, there)
	if forgot != "" {
		if err := w.hold(ctx, w.lossCause(forgot, there)); err != nil {
			return err
		}
	}
	m, err := readMeta(ctx, w.conn)
	if err != nil {
		return err
	}
	w.health.recordMeta(m)
	running := known.Epoch > 0 && w.registered
	if running && there != nil && there.epoch > known.Epoch && there.number > known.Number {
		w.ousted = true
	}
	if forgot == "" && running && there != nil && there.epoch == known.Epoch {
		return nil // only the connection is new
	}
	return w.takeEpoch(ctx, storeID, known)
}

// serverName returns this server's name in the store.
func (w *writer) serverName(ctx context.Context) (serverName string) {
	if err := w.conn.QueryRowContext(ctx, `SELECT name FROM servers WHERE id = ?`, w.Server()).Scan(&serverName); err != nil {
		return w.label()
	}
	return serverName
}

// warnOfName logs a warning if another live server has the same name.
func (w *writer) warnOfName(ctx context.Context) {
	var name string
	err := w.conn.QueryRowContext(ctx, `SELECT s.name FROM servers s, servers o WHERE s.id = ? AND o.id <> s.id AND o.name = s.name
		AND o.expires_at >= `+now+` LIMIT 1`, w.Server()).Scan(&name)
	if err == nil {
		w.opt.Logger.Warn("store: another live server has the same name; give each its own with --server-name", "name", name)
	}
}

// label returns this server's name for itself, for when the store cannot be asked or has lost it.
func (w *writer) label() string { return cmp.Or(w.opt.Server, w.called, machine()) }

// machine returns the name of this machine, or "".
func machine() string {
	name, _ := os.Hostname()
	return name
}

// readRow reads what the store says about this server; nil if the store does not know it.
func (w *writer) readRow(ctx context.Context) (*serverRow, error) {
	r := new(serverRow)
	var left int64
	err := w.conn.QueryRowContext(ctx, `SELECT name, epoch, mark, nonce, expires_at FROM servers WHERE id = ?`, w.Server()).
		Scan(&r.name, &r.epoch, &r.number, &r.nonce, &left)
	if left > 0 {
		r.leaseEnd = time.UnixMilli(left)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return r, err
}

// describeLoss returns what is missing from a store that has less than it confirmed; "" if nothing is.
func (w *writer) describeLoss(known mark, there *serverRow) string {
	switch {
	case known.Number == 0:
		return ""
	case there == nil:
		return fmt.Sprintf("it does not know the server %s, which had made %d commits", w.label(), known.Number)
	case there.number < known.Number:
		return fmt.Sprintf("it has %d of the %d commits that it confirmed to the server %s", there.number, known.Number, cmp.Or(w.opt.Server, there.name))
	case there.number == known.Number && there.nonce != known.Nonce:
		return fmt.Sprintf("commit %d of the server %s is not the one that it confirmed", known.Number, cmp.Or(w.opt.Server, there.name))
	}
	return ""
}

// oldCopy is the lag from which on no failover explains a database that is behind: then it is an older copy.
const oldCopy = time.Minute

// lossCause returns how the hold ends for a store that lacks what it confirmed to this server.
func (w *writer) lossCause(why string, there *serverRow) cause {
	c := cause{why: why, kind: byPerson, lacks: true, until: w.health.lastWritten()}
	switch {
	case there == nil:
	case there.leaseEnd.IsZero(): // another server took this one for gone
		c.kind = bySearch
	default:
		if kept := there.leaseEnd.Add(-w.opt.Lease); c.until.Sub(kept) < oldCopy {
			c.kind, c.until = bySearch, kept
		}
	}
	return c
}

// leaseOver is the SQL condition that the lease of a server has ended. A lease that ends later than any can was given
// before the database's clock was set back; a live server corrects its own at its next check.
const leaseOver = `(expires_at < ` + now + ` OR expires_at > ` + now + ` + 120000)`

// takeEpoch makes this program the one that writes as this server: from now on whoever did before is refused. A program
// whose place was taken waits for the end of the other's lease, whatever the two have in common. The mark never goes
// back: the hold of a store that has lost rows is in that store, and another copy in its place has to be compared with
// everything that was confirmed.
func (w *writer) takeEpoch(ctx context.Context, storeID string, known mark) error {
	if w.epochNonce == "" {
		w.epochNonce = randomText(8) // identifies an attempt that was not confirmed
	}
	if _, err := w.conn.ExecContext(ctx, `INSERT INTO servers
		(id, name, epoch, mark, nonce, touched, expires_at, version, started_at, place)
		VALUES (?, ?, 0, 0, '', 0, 0, '', 0, '') ON CONFLICT DO NOTHING`, w.Server(), w.label()); err != nil {
		return err
	}
	mine, place := int64(-1), w.place // epochs up to mine, and the place, are this program's alone
	switch {
	case w.ousted: // not even these, as with two copies of one machine
		place = ""
	case w.registered:
		mine = known.Epoch
	}
	next := mark{Store: storeID, Server: w.Server(), Nonce: w.epochNonce}
	err := w.conn.QueryRowContext(ctx, `UPDATE servers SET epoch = epoch + 1, mark = GREATEST(mark, ?) + 1, nonce = ?,
			name = COALESCE(NULLIF(?, ''), name), version = ?, started_at = `+now+`, follows = 1, locked = GREATEST(locked, ?),
			expires_at = `+now+` + ?, place = ?
		WHERE id = ? AND (`+leaseOver+` OR nonce = ? OR epoch <= ? OR place <> '' AND place = ?) RETURNING epoch, mark, name`,
		known.Number, w.epochNonce, w.opt.Server, w.opt.Version, map[bool]int{false: 1}[w.registered], w.opt.Lease.Milliseconds(), w.place, w.Server(),
		w.epochNonce, mine, place).
		Scan(&next.Epoch, &next.Number, &w.called)
	if errors.Is(err, sql.ErrNoRows) {
		return &RunsError{Name: w.serverName(ctx), Ousted: w.registered}
	}
	if err != nil {
		return err
	}
	if w.registered {
		w.opt.Logger.Warn("store: this server has started a new epoch", "epoch", next.Epoch)
		w.reentered.Store(true)
	}
	w.epochNonce, w.registered, w.ousted = "", true, false
	w.health.recordCommit(next, time.Time{})
	w.health.recordPlace()
	if err := w.mark.create(next); err != nil {
		return &FolderError{err}
	}
	return nil
}

// handleFence handles a commit that found another mark or epoch than this server's, and takes a new epoch. The connection is fine.
func (w *writer) handleFence() error {
	ctx := context.Background()
	if _, err := w.conn.ExecContext(ctx, `ROLLBACK`); err != nil {
		return err
	}
	known := w.health.lastCommit()
	there, err := w.readRow(ctx)
	if err != nil {
		return err
	}
	if there != nil && there.epoch == known.Epoch && there.number == known.Number && there.nonce == known.Nonce {
		return errors.New("the row of this server cannot be written")
	}
	if there != nil && there.number > known.Number && w.describeLoss(known, there) == "" { // another program writes as this server
		w.ousted = true
		err = w.takeEpoch(ctx, known.Store, known)
	} else {
		err = w.register(ctx)
	}
	if err != nil {
		return err
	}
	return fencedError{}
}
