// Package audit decides by rules whether programs may spend, touch private keys or
// change the password. It logs every decision with its outcome, and who locks and
// unlocks. The records form a hash chain: each holds the hash of the one before, so
// that none can be changed, removed or inserted without all later ones showing it.
// A log that was cut off at the end looks intact, unless the last hash, which Verify
// returns, was kept elsewhere.
//
//	Join   ──┐ with its payment     ┌─► one commit, one fsync for all that wait
//	Append ──┼──► records in order ─┤
//	Note   ──┘ does not wait        └─► soon, with the next commit that somebody waits for
//
// Promises: a spend is recorded before it is sent, and a use of keys or the password
// before it happens; if the record cannot be written, it does not happen. The outcome
// of the latter is on disk before the caller has its answer. Transactions that are
// signed but not sent, and all other outcomes, are written soon after: a loss of power
// can lose the last moment of them, and nothing more is signed once they cannot be
// written. Refuses: memos, keys and passwords in the log.
package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"billfold/walletcore/store"
)

// Record is one record of the log. The hash covers its JSON.
type Record struct {
	Number   int64     `json:"number"` // from 1 on, without gaps
	Time     time.Time `json:"time"`
	Who      string    `json:"who"`                // the token's name, or "anybody"
	Via      string    `json:"via,omitempty"`      // HTTP, websocket or unix socket, and the address of another machine
	Method   string    `json:"method"`             // the operation
	What     string    `json:"what,omitempty"`     // accounts, amount and asset as requested, or as shown to a person
	Decision string    `json:"decision,omitempty"` // allow or deny; ask while a person is asked; "" for the lock
	Rule     string    `json:"rule,omitempty"`     // the reason for the decision
	Of       int64     `json:"of,omitempty"`       // number of the decision whose outcome this is
	Outcome  string    `json:"outcome,omitempty"`  // done, unknown, or the kind of fault
	Previous string    `json:"previous"`           // hash of the previous record, "" for the first
}

// Storage keeps records in order.
type Storage interface {
	// Append returns the change that appends the record that next makes from the latest one.
	Append(next func(tx store.Tx, last store.AuditRecord) (store.AuditRecord, error), kept func()) store.Change

	// Write makes a change and waits for the disk. Note does not wait, unless the latest commit
	// failed or too many changes are pending.
	Write(ctx context.Context, c store.Change) error
	Note(c store.Change) error

	// Records passes every record to see, in order, until that returns an error.
	Records(ctx context.Context, see func(store.AuditRecord) error) error
}

// Log writes and reads records. It may be used by many goroutines, and several programs may
// share its storage.
type Log struct {
	storage Storage
	now     func() time.Time
}

// NewLog returns the log in storage.
func NewLog(storage Storage) *Log { return &Log{storage: storage, now: time.Now} }

// Pending is a record that is being written.
type Pending struct {
	record   Record
	decision *Pending // the decision whose outcome it is; nil = none

	// used by the storage only
	tx      store.Tx // the transaction that wrote it last
	written bool     // it is on disk
}

// Append writes r as the next record and waits until it is on disk. It sets Number, Time
// and Previous.
func (l *Log) Append(r Record) (*Pending, error) { return l.append(r, nil) }

func (l *Log) append(r Record, of *Pending) (*Pending, error) {
	p := l.pending(r, of)
	return p, l.storage.Write(context.Background(), l.change(p))
}

// Note is Append without waiting for the disk, unless the latest commit failed or too many
// changes are pending. of is the decision whose outcome r is, nil = none. If that decision is
// not in the log, because its payment was never recorded, it is written before r.
func (l *Log) Note(r Record, of *Pending) (*Pending, error) {
	p := l.pending(r, of)
	return p, l.storage.Note(l.change(p))
}

// NoteLate is Note for a record that may wait a second for another commit, and that nothing depends on: an error is ignored.
func (l *Log) NoteLate(r Record, of *Pending) {
	c := l.change(l.pending(r, of))
	c.Late = true
	_ = l.storage.Note(c)
}

// Change returns the change that writes r, to be made in one commit with others.
func (l *Log) Change(r Record) store.Change { return l.change(l.pending(r, nil)) }

// Join adds r to the commit of the payment of unit.
func (l *Log) Join(unit *store.CallBatch, r Record) *Pending {
	p := l.pending(r, nil)
	unit.Add(l.change(p))
	return p
}

func (l *Log) pending(r Record, of *Pending) *Pending {
	r.Time = l.now().UTC().Truncate(time.Millisecond)
	return &Pending{record: r, decision: of}
}

// change returns the change that writes p, after the decision that it belongs to.
func (l *Log) change(p *Pending) store.Change {
	own := l.storage.Append(p.recordAfter, func() { p.written = true })
	if p.decision == nil {
		return own
	}
	decision := l.change(p.decision) // which belongs to no other
	return store.Change{
		Last: true,
		Apply: func(tx store.Tx) (refusal, failure error) {
			if !p.decision.isInLog(tx) {
				if refusal, failure = decision.Apply(tx); refusal != nil || failure != nil {
					return refusal, failure
				}
			}
			return own.Apply(tx)
		},
		Kept: func() { decision.Kept(); own.Kept() },
	}
}

// isInLog reports whether tx sees p in the log.
func (p *Pending) isInLog(tx store.Tx) bool { return p.written || p.tx == tx }

// recordAfter returns p as the record after last.
func (p *Pending) recordAfter(tx store.Tx, last store.AuditRecord) (store.AuditRecord, error) {
	r := &p.record
	if r.Number, r.Previous = last.Number+1, last.Hash; p.decision != nil {
		r.Of = p.decision.record.Number
	}
	p.tx = tx
	text, err := json.Marshal(r)
	return store.AuditRecord{Number: r.Number, Text: string(text), Hash: hash(text)}, err
}

// Chain is the result of Verify.
type Chain struct {
	Last int64  // number of the last record; 0 = there is none
	Head string // its hash
	Gaps []Gap  // in order
}

// Gap is the records of an archive that was given up. Nothing shows what they were.
type Gap struct {
	First, Last int64
	Archive     string // its file
}

// Records returns how many records there are.
func (c Chain) Records() int64 {
	n := c.Last
	for _, g := range c.Gaps {
		n -= g.Last - g.First + 1
	}
	return n
}

// Verify checks the whole log and passes each record to see. Its error says where the chain is broken. An empty log is
// valid. Pending records of this Log are written first.
func (l *Log) Verify(ctx context.Context, see func(Record)) (c Chain, err error) {
	err = l.storage.Records(ctx, func(row store.AuditRecord) error {
		if row.Lost != "" {
			c.Gaps = append(c.Gaps, Gap{c.Last + 1, row.Number, row.Lost})
			c.Last, c.Head = row.Number, ""
			return nil
		}
		r, err := check(row, c.Last, c.Head)
		if err != nil {
			return err
		}
		c.Last, c.Head = row.Number, row.Hash
		see(r)
		return nil
	})
	return c, err
}

// check returns the record of row if it follows the record with the number last and the hash head, "" if that one is not known.
func check(row store.AuditRecord, last int64, head string) (r Record, err error) {
	switch {
	case row.Number != last+1:
		return r, fmt.Errorf("record %d is missing from the audit log; its content is not known", last+1)
	case hash([]byte(row.Text)) != row.Hash:
		return r, fmt.Errorf("record %d of the audit log was changed", row.Number)
	case json.Unmarshal([]byte(row.Text), &r) != nil || r.Number != row.Number || r.Previous != head && (head != "" || last == 0):
		return r, fmt.Errorf("record %d of the audit log does not follow record %d; one of them was replaced", row.Number, last)
	}
	return r, nil
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
