package ownobject

import (
	"context"
	"fmt"
	"maps"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// Store keeps the states of objects. Errors of Append: store.ErrObjectChanged, those of the store.
type Store interface {
	States(ctx context.Context, chain ledger.ChainID, object ledger.ObjectID) ([]store.ObjectState, error)
	Append(ctx context.Context, chain ledger.ChainID, settled int64, states ...store.ObjectState) error
	Forget(ctx context.Context, chain ledger.ChainID, object ledger.ObjectID) (bool, error)
	Numbers(ctx context.Context, chain ledger.ChainID) (map[ledger.ObjectID]int64, error)
	Notice(ctx context.Context, chain ledger.ChainID, c store.ObjectChange, with ...store.Change) (isNew bool, err error)
	Noticed(ctx context.Context, chain ledger.ChainID) ([]store.ObjectChange, error)
	Acknowledge(ctx context.Context, chain ledger.ChainID) error
}

// Config holds the dependencies of Objects.
type Config struct {
	Store Store // nil: they are kept in memory
	View  *ledgerview.View
	Now   func() time.Time

	// Outcome returns how far a payment of this program has come, and the block that it is in; "" for others. May be nil.
	Outcome func(id ledger.TransactionID) (store.State, uint32)
}

// Objects knows the last states of own objects. It is safe for concurrent use.
type Objects struct {
	Config
	memoKeys memoKeys
}

// New returns an Objects.
func New(cfg Config) *Objects {
	if cfg.Store == nil {
		cfg.Store = new(memory)
	}
	return &Objects{Config: cfg}
}

// Base is the state of an object that a change is built on.
type Base struct {
	Object   ledger.ObjectID
	Account  *ledger.Account    // as the daemon has it now; nil: the object is no account
	Present  ledger.ObjectState // as the daemon has it now
	Expected ledger.ObjectState // as the wallet left it or a person accepted it; nil: it was never seen before

	// Changes says how Present differs from Expected. There are none where several daemons vouch for Present.
	Changes []ledgerview.Change

	chain    ledger.ChainID
	rows     []store.ObjectState
	number   int64     // of the newest row
	expected int64     // that of Expected
	settled  int64     // rows before it are not needed any more
	signed   bool      // Present is what a transaction that was only signed here makes of it, or a daemon says so: nothing rests on it
	since    time.Time // of Expected
	at       time.Time // when it was read
}

// Same reports whether a part is, by the daemon's word and by the wallet's own last state, as set says.
func (b *Base) Same(part string, set ledger.ObjectState) bool {
	return b.Present[part] == set[part] && (b.Expected == nil || b.Expected[part] == set[part])
}

// Agrees reports whether the daemon has the object as the wallet expects it, or the wallet expects nothing.
func (b *Base) Agrees() bool { return len(b.Expected.Differences(b.Present)) == 0 }

// AsExpected returns the base as if the daemon had the object as the wallet expects it.
func (b *Base) AsExpected() (*Base, error) {
	out := *b
	out.Present, out.Changes = b.Expected, nil
	var err error
	if b.Account != nil {
		out.Account, err = b.Account.WithState(b.Expected)
	}
	return &out, err
}

// Fresh reports whether the base was read within the given time.
func (b *Base) Fresh(now time.Time, within time.Duration) bool { return now.Sub(b.at) < within }

// How long a change waits for the one before it, and how it looks.
const (
	patience   = 12 * time.Second // less than a caller waits
	firstPause = 2 * time.Millisecond
	longPause  = 100 * time.Millisecond
)

// Base reads the state to build a change on. It waits while the daemon does not show a change of the wallet's own that is under
// way. Errors: fault.StateChanged if that takes too long, fault.File, fault.Canceled, those of Quorum.ObjectState.
func (o *Objects) Base(ctx context.Context, op string, object ledger.ObjectID) (*Base, error) {
	chain := o.View.Pins.Chain()
	end := time.Now().Add(patience)
	known := int64(-1) // the newest row when the daemon was asked before
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		at := o.place()
		// The daemon first: what it shows of the wallet's changes was in the store before it was sent.
		present, account, err := o.View.Quorum.ObjectState(ctx, object)
		if err != nil {
			return nil, err
		}
		rows, err := o.states(ctx, chain, object)
		if err != nil {
			return nil, err
		}
		b := &Base{Object: object, Account: account, Present: present, chain: chain, at: o.Now()}
		waits := b.compare(rows, at)
		if waits == nil && !b.Agrees() && b.number != known { // it may have happened after the daemon was asked
			known = b.number
			continue
		}
		known = b.number
		if waits == nil {
			b.explain(o.View.Quorum.Size() > 1)
			return b, nil
		}
		if time.Now().After(end) {
			return nil, underWay(op, b, waits)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, &fault.Error{Code: fault.Canceled, Op: op, Err: ctx.Err(), Hint: "nothing was signed; try again",
				Message: "an earlier change of " + b.name() + " is still under way"}
		}
	}
}

// states reads the rows of an object, with the outcomes that this program knows before the store does.
func (o *Objects) states(ctx context.Context, chain ledger.ChainID, object ledger.ObjectID) ([]store.ObjectState, error) {
	rows, err := o.Store.States(ctx, chain, object)
	if err != nil {
		return nil, fault.Store(err)
	}
	for i := range rows {
		if r := &rows[i]; o.Outcome != nil && r.Kind == store.ObjectChanged {
			if state, block := o.Outcome(r.Transaction); state != "" {
				r.Payment, r.Block = state, block
			}
		}
	}
	return rows, nil
}

// progress is the certainty that a change happened.
type progress int

const (
	open progress = iota // it may still happen
	over                 // it happened, as far as the daemon can show
	dead                 // it never will
)

// place is the daemon's head block before it was asked for an object: what it answered shows everything up to there.
type place struct {
	head uint32
	past ledger.Time // what expired before is over: the time of the head block, and no later than this machine's clock allows
}

// clockFault is the time by which the daemon's clock may be ahead of this machine's (009, The clock).
const clockFault = 15 * time.Second

func (o *Objects) place() place {
	head, at, _ := o.View.Chain.Position()
	if !o.View.Chain.OwnClock() {
		at = min(at, ledger.TimeOf(o.Now().Add(-clockFault)))
	}
	return place{head, at}
}

// progressOf returns the progress of a changed state. One that expired by the daemon's clock and this machine's, and that the daemon does
// not show, counts as dead: it takes a fork to bring it back, and whoever follows it notices.
func (p place) progressOf(s *store.ObjectState) progress {
	switch s.Payment {
	case store.Rejected, store.Expired:
		return dead
	case store.Irreversible:
		return over
	case store.InBlock:
		if s.Block <= p.head {
			return over
		}
		return open
	case store.Prepared, store.Sent, store.Unknown:
	}
	if s.Expires < p.past {
		return dead
	}
	return open
}

// compare finds the expected state in the rows and compares it with the present one. It returns the change that has to be waited
// for, or nil.
func (b *Base) compare(rows []store.ObjectState, at place) (waits *store.ObjectState) {
	b.Expected, b.number, b.rows = nil, 0, rows
	var last *store.ObjectState
	for i := range rows {
		r := &rows[i]
		b.number = r.Number
		if r.Kind == store.ObjectSigned {
			b.signed = b.signed || len(r.State.Differences(b.Present)) == 0
			continue
		}
		if r.Dead() || r.Kind == store.ObjectChanged && at.progressOf(r) == dead && len(r.State.Differences(b.Present)) > 0 {
			continue
		}
		last, b.Expected, b.expected, b.since, b.signed = r, r.State, r.Number, r.Since, false
		if r.Kind == store.ObjectAccepted || r.Payment == store.Irreversible {
			b.settled = r.Number
		}
	}
	if b.Agrees() || last.Kind == store.ObjectAccepted || at.progressOf(last) == over {
		return nil
	}
	return last
}

// explain fills in Changes.
func (b *Base) explain(confirmed bool) {
	if b.Expected == nil || confirmed {
		return
	}
	b.Changes = ledgerview.StateChanges(b.name(), b.ref(), b.Expected, b.Present)
	for i := range b.Changes {
		b.Changes[i].Since = b.since
	}
}

func (b *Base) ref() ledgerview.AccountRef {
	if b.Account == nil {
		return ledgerview.AccountRef{}
	}
	return ledgerview.AccountRef{ID: b.Account.ID, Name: b.Account.Name}
}

func (b *Base) name() string {
	if b.Account != nil {
		return "the own account " + b.Account.Name + " (" + b.Account.ID.String() + ")"
	}
	return b.Object.String()
}

// Next returns the rows that a change writes: what is accepted with it, if rests is true, because the change writes parts of it
// back, and what it makes of the object. kind is store.ObjectChanged or store.ObjectSigned. Where the policy let through what nobody accepted
// (allowed), the parts that are written back stay expected as they were: letting them through does not accept them.
func (b *Base) Next(kind store.ObjectKind, set ledger.ObjectState, rests, allowed bool, id ledger.TransactionID, expires ledger.Time, now time.Time) []store.ObjectState {
	var out []store.ObjectState
	number, from := b.number, b.Expected
	switch {
	case b.Expected != nil && rests && allowed:
		set = maps.Clone(set)
		maps.DeleteFunc(set, func(part, value string) bool { return value == b.Present[part] && value != b.Expected[part] })
	case b.Expected == nil || rests && !b.Agrees():
		number++
		from = b.Present
		out = append(out, store.ObjectState{Object: b.Object, Number: number, Kind: store.ObjectAccepted, State: from, Since: now})
	}
	return append(out, store.ObjectState{Object: b.Object, Number: number + 1, Kind: kind, State: from.With(set), Transaction: id,
		Expires: expires, Since: now})
}

// Append returns the change of the store that writes rows of Next.
func (b *Base) Append(rows []store.ObjectState) store.Change {
	return store.AppendStates(b.chain, b.settled, rows...)
}

// Note returns the change of the store that notes what Undoing returned.
func (b *Base) Note(c store.ObjectChange) store.Change { return store.NoteChange(b.chain, c) }

// Write writes rows of Next on their own, and notes what Undoing returned, if anything. Errors: store.ErrObjectChanged, those of the store.
func (o *Objects) Write(ctx context.Context, b *Base, rows []store.ObjectState, undoing *store.ObjectChange) error {
	err := o.Store.Append(ctx, b.chain, b.settled, rows...)
	if err == nil && undoing != nil {
		_, err = o.Store.Notice(ctx, b.chain, *undoing)
	}
	return err
}

// Refused returns the error for a change that rests on what nobody accepted.
func (b *Base) Refused(op string) *fault.Error {
	c := b.Changes[0]
	return &fault.Error{Code: fault.StateChanged, Op: op,
		Message: fmt.Sprintf("the %s of %s changed from %.300s, as this wallet last knew, to %.300s, and what you ask for would write that back",
			c.What, b.name(), c.Was, c.Now),
		Hint: "nothing was signed; find out who changed it, or whether the daemon lies; then make the change in the wallet, where a person sees it, run " +
			"billfold pins forget " + b.forgetName() + ", ask several daemons (--daemon-quorum), or start with --rpc-changed-keys=allow"}
}

func (b *Base) forgetName() string {
	if b.Account != nil {
		return b.Account.Name
	}
	return b.Object.String()
}

// underWay returns the error for a change that waited too long for the one before it.
func underWay(op string, b *Base, waits *store.ObjectState) *fault.Error {
	return &fault.Error{Code: fault.StateChanged, Op: op,
		Message: fmt.Sprintf("transaction %s of this wallet changes %s too, and the daemon does not show it yet; it may still happen until %s UTC",
			waits.Transaction, b.name(), waits.Expires.Time().Format("15:04:05")),
		Hint: "nothing was signed; get_payment reports the outcome of that one; then make this change again"}
}
