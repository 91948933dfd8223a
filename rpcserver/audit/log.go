// Package audit decides by rules whether programs may spend, touch private keys or
// change the password, and writes every decision and its outcome, and who locks and
// unlocks, to a log whose records are chained by their
// hashes: each holds the hash of the one before, so that none can be changed,
// removed or put in between without all later ones showing it. Cutting off the
// end is seen only by who noted the last hash elsewhere (Verify gives it).
//
//	Join   ──┐ with its payment        ┌─► one commit, one fsync for all that wait
//	Append ──┼──► records in their order ┤
//	Note   ──┘ goes on                   └─► soon, along with what somebody waits for
//
// Promises: a spend is recorded before it is sent, a use of keys or the password
// before it is done, and not made when it cannot be recorded; how the latter ended is on
// disk before the caller has its answer. What is signed but not sent, and how calls ended, is written
// down right after: only the loss of power can take the last moment of that, and
// nothing more is signed once it cannot be written. Refuses: memos, keys and
// passwords in the log.
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

// Record is one of the log. Its JSON is what is hashed.
type Record struct {
	Number   int64     `json:"number"` // from 1 on, without gaps
	Time     time.Time `json:"time"`
	Who      string    `json:"who"`                // the token's name, or "anybody"
	Via      string    `json:"via,omitempty"`      // HTTP, websocket, unix socket; and from which other machine
	Method   string    `json:"method"`             // the operation
	What     string    `json:"what,omitempty"`     // accounts, amount and asset as they were asked for, or as a person saw them
	Decision string    `json:"decision,omitempty"` // allow or deny; ask while a person is asked; "" for the lock
	Rule     string    `json:"rule,omitempty"`     // why it was decided so
	Of       int64     `json:"of,omitempty"`       // number of the decision whose outcome this is
	Outcome  string    `json:"outcome,omitempty"`  // done, unknown, or the kind of fault
	Previous string    `json:"previous"`           // hash of the record before, "" for the first
}

// Storage keeps records in their order.
type Storage interface {
	// Append is the change that puts behind the latest record what next makes of it.
	Append(next func(tx store.Tx, last store.AuditRecord) (store.AuditRecord, error), kept func()) store.Change

	// Write makes a change and waits for the disk; Note continues, unless what was noted before
	// could not be written.
	Write(ctx context.Context, c store.Change) error
	Note(c store.Change) error

	// Records passes every record to see, in order, until that returns an error.
	Records(ctx context.Context, see func(store.AuditRecord) error) error
}

// Log writes records, and reads them. It may be used by many goroutines, and several programs
// may share its storage.
type Log struct {
	storage Storage
	now     func() time.Time
}

// NewLog keeps the log in storage.
func NewLog(storage Storage) *Log { return &Log{storage: storage, now: time.Now} }

// Pending is a record on its way to the disk.
type Pending struct {
	record Record
	of     *Pending // the decision whose outcome it is; nil = none

	// what the storage alone uses
	tx      store.Tx // where it was written last
	written bool     // and it is on disk
}

// Append writes r as the next record. Number, Time and Previous are set here. It is
// on disk when Append returns.
func (l *Log) Append(r Record) (*Pending, error) { return l.append(r, nil) }

func (l *Log) append(r Record, of *Pending) (*Pending, error) {
	p := l.pending(r, of)
	return p, l.storage.Write(context.Background(), l.change(p))
}

// Note is Append that does not wait for the disk, unless very much waits already
// or could not be written. of is the decision whose outcome r is, nil = none; one that is not in the log, because
// its payment was never recorded, is written before it.
func (l *Log) Note(r Record, of *Pending) (*Pending, error) {
	p := l.pending(r, of)
	return p, l.storage.Note(l.change(p))
}

// NoteLate is Note for what a later commit may take along within a second.
func (l *Log) NoteLate(r Record, of *Pending) (*Pending, error) {
	p := l.pending(r, of)
	c := l.change(p)
	c.Late = true
	return p, l.storage.Note(c)
}

// Beside is the change that writes r, for those who make it together with others.
func (l *Log) Beside(r Record) store.Change { return l.change(l.pending(r, nil)) }

// Join has r written in the same commit as the payment of unit.
func (l *Log) Join(unit *store.Unit, r Record) *Pending {
	p := l.pending(r, nil)
	unit.Add(l.change(p))
	return p
}

func (l *Log) pending(r Record, of *Pending) *Pending {
	r.Time = l.now().UTC().Truncate(time.Millisecond)
	return &Pending{record: r, of: of}
}

// change writes p, behind the decision that it belongs to.
func (l *Log) change(p *Pending) store.Change {
	own := l.storage.Append(p.follow, func() { p.written = true })
	if p.of == nil {
		return own
	}
	decision := l.storage.Append(p.of.follow, func() { p.of.written = true })
	return store.Change{
		Last: true,
		Apply: func(tx store.Tx) (refusal, failure error) {
			if !p.of.isIn(tx) {
				if refusal, failure = decision.Apply(tx); refusal != nil || failure != nil {
					return refusal, failure
				}
			}
			return own.Apply(tx)
		},
		Kept: func() { decision.Kept(); own.Kept() },
	}
}

// isIn reports whether p is in the log, as tx sees it.
func (p *Pending) isIn(tx store.Tx) bool { return p.written || p.tx == tx }

// follow makes p the record behind the latest one.
func (p *Pending) follow(tx store.Tx, last store.AuditRecord) (store.AuditRecord, error) {
	r := &p.record
	if r.Number, r.Previous = last.Number+1, last.Hash; p.of != nil {
		r.Of = p.of.record.Number
	}
	p.tx = tx
	text, err := json.Marshal(r)
	return store.AuditRecord{Number: r.Number, Text: string(text), Hash: hash(text)}, err
}

// Verify walks the whole log, gives each record to see, and returns the number and hash
// of the last. Its error says where the chain is broken. A log that was never written to
// has no records. What this Log still has to write is written first.
func (l *Log) Verify(ctx context.Context, see func(Record)) (last int64, head string, err error) {
	err = l.storage.Records(ctx, func(row store.AuditRecord) error {
		r, err := check(row, last, head)
		if err != nil {
			return err
		}
		last, head = row.Number, row.Hash
		see(r)
		return nil
	})
	return last, head, err
}

// check holds a record to the one before it.
func check(row store.AuditRecord, last int64, head string) (r Record, err error) {
	switch {
	case row.Number != last+1:
		return r, fmt.Errorf("record %d is missing from the audit log; what was there is not known", last+1)
	case hash([]byte(row.Text)) != row.Hash:
		return r, fmt.Errorf("record %d of the audit log was changed", row.Number)
	case json.Unmarshal([]byte(row.Text), &r) != nil || r.Number != row.Number || r.Previous != head:
		return r, fmt.Errorf("record %d of the audit log does not follow record %d; one of them was replaced", row.Number, last)
	}
	return r, nil
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
