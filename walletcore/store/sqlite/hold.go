package sqlite

import (
	"context"
	"sync"
	"time"

	"billfold/walletcore/store"
)

// holdState holds what journal_hold says, and whether there are found payments that are not claimed.
type holdState struct {
	generation, since int64
	why               string
	found             bool
	moved             *store.MovedError
}

// holdCache is a holdState that is not older than holdFresh. The commit of a payment compares the file itself.
type holdCache struct {
	mu   sync.Mutex
	at   time.Time
	last holdState
	err  error
}

// holdFresh is the time for which a reading of the hold serves: every payment and every screen asks for it.
const holdFresh = 200 * time.Millisecond

// held reads the hold. A file that is not there yet is not held.
func (f *file) held() (holdState, error) {
	db := f.db.Load()
	if db == nil {
		return holdState{generation: 1}, nil
	}
	c := &f.hold
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.at) >= holdFresh || now.Before(c.at) {
		c.err = db.QueryRow(`SELECT generation, held_since, held_why, EXISTS (SELECT 1 FROM payments WHERE origin = 1)
			FROM journal_hold`).Scan(&c.last.generation, &c.last.since, &c.last.why, &c.last.found)
		if c.err == nil {
			c.last.moved, c.err = movedTo(db, f.path)
		}
		c.at = now
	}
	return c.last, f.Explain(c.err)
}

// forgetHold has the next caller read the hold.
func (f *file) forgetHold() {
	f.hold.mu.Lock()
	defer f.hold.mu.Unlock()
	f.hold.at = time.Time{}
}

// Fault returns why nothing is paid: the store has moved, or the file lacked payments that are on the ledger.
func (f *file) Fault() error {
	h, err := f.held()
	if err == nil && h.moved != nil {
		return &store.LostError{Kind: store.Moved, Path: f.path, Why: h.moved.Error()}
	}
	if err != nil || h.since == 0 { // a file that cannot be read fails where it is used
		return nil
	}
	return &store.LostError{Kind: store.Behind, Path: f.path, Why: h.why}
}

// Hold reads why nothing new is paid. A person ends it, by claiming what was found or by accepting it.
func (f *file) Hold(context.Context) (store.Hold, error) {
	f.forgetHold()
	h, err := f.held()
	if err != nil || h.since == 0 {
		return store.Hold{}, err
	}
	return store.Hold{Why: h.why, Since: time.UnixMilli(h.since).UTC()}, nil
}

// Generation returns the number of holds that have ended, and whether there are found payments that are not claimed. When that
// cannot be read it reports that there are.
func (f *file) Generation() (n int64, found bool) {
	h, err := f.held()
	return h.generation, h.found || err != nil
}

// Claimed ends the hold once everything that was found is claimed, and has new payments compared again after a claim was taken back.
func (f *file) Claimed(tx store.Tx, undone bool) error {
	f.forgetHold()
	if undone {
		_, err := tx.Exec(`UPDATE journal_hold SET generation = generation + 1`)
		return err
	}
	var left int
	if err := tx.QueryRow(`SELECT COUNT(*) FROM payments WHERE origin = 1`).Scan(&left); err != nil || left > 0 {
		return err
	}
	return store.EndFileHold(tx)
}

// NoteAnswered records that a request under the key of a claimed payment is answered with it: from then on the claim stays.
func (f *file) NoteAnswered(ctx context.Context, id string) error {
	return f.Write(ctx, store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		done, failure := tx.Exec(`UPDATE payments SET origin = 3 WHERE id = ? AND origin IN (2, 3)`, id)
		if failure != nil {
			return nil, failure
		}
		if n, failure := done.RowsAffected(); n == 0 || failure != nil {
			return store.ErrNotClaimed, failure
		}
		return nil, nil
	}})
}

var (
	_ store.Holding  = (*file)(nil)
	_ store.Claiming = (*file)(nil)
)
