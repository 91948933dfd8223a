package payment

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/store"
)

// Between looks at what another server makes of a payment, where nobody says that it has changed.
const (
	rowPoll     = 100 * time.Millisecond
	slowRowPoll = 5 * rowPoll // for those who wait for blocks
)

// elsewhere is what this server has heard of payments that other servers follow: they tell what they change, and now and then it looks
// for itself.
type elsewhere struct {
	journal Journal
	events  *event.Broadcaster
	poll    atomic.Int64 // nanoseconds between looks at the row of a payment that somebody waits for

	mu       sync.Mutex
	states   map[ledger.TransactionID]State
	finished []ledger.TransactionID // oldest first
	waiting  map[ledger.TransactionID]*rowWait
	missed   chan struct{} // holds one element when something may not have been heard
}

// rowWait is those who wait for a change of one payment.
type rowWait struct {
	changed chan struct{}
	callers int
}

func newElsewhere(journal Journal, events *event.Broadcaster) *elsewhere {
	x := &elsewhere{
		journal: journal, events: events,
		states: map[ledger.TransactionID]State{}, waiting: map[ledger.TransactionID]*rowWait{}, missed: make(chan struct{}, 1),
	}
	x.poll.Store(int64(rowPoll))
	return x
}

// await returns what is closed when another server says that it has changed a payment. Done must be called.
func (x *elsewhere) await(id ledger.TransactionID) (changed <-chan struct{}, done func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	w := x.waiting[id]
	if w == nil {
		w = &rowWait{changed: make(chan struct{})}
		x.waiting[id] = w
	}
	w.callers++
	return w.changed, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		if w.callers--; w.callers == 0 && x.waiting[id] == w {
			delete(x.waiting, id)
		}
	}
}

// step reads a payment of another server again, after a moment unless it has changed by now.
func (x *elsewhere) step(ctx context.Context, kept store.Entry) (store.Entry, error) {
	changed, done := x.await(kept.ID)
	defer done()
	again, err := x.journal.Get(ctx, kept.ID)
	if err == nil && again.State == kept.State && again.Owner == kept.Owner {
		select {
		case <-changed:
		case <-time.After(time.Duration(x.poll.Load())):
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return kept, nil
	}
	return again, err
}

// note notes how far a payment has come, and wakes who waits for it; false when that was known.
func (x *elsewhere) note(p store.Progress) (news bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if w := x.waiting[p.ID]; w != nil {
		close(w.changed)
		delete(x.waiting, p.ID)
	}
	before, known := x.states[p.ID]
	state := stateOf(p.State)
	if known && (before == state || before.final()) { // a state that is told late, and another one, come in any order
		return false
	}
	x.states[p.ID] = state
	if state.final() {
		x.finished = append(x.finished, p.ID)
	}
	if over := len(x.finished) - mostFinished; over > 0 {
		for _, id := range x.finished[:over] {
			delete(x.states, id)
		}
		x.finished = x.finished[over:]
	}
	return true
}

func (s State) final() bool { return s == Irreversible || s == Rejected || s == Expired }

// open lists those that are not final as far as is known.
func (x *elsewhere) open() (list []ledger.TransactionID) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for id, state := range x.states {
		if !state.final() {
			list = append(list, id)
		}
	}
	return list
}

// each calls with for each.
func (x *elsewhere) each(with func(ledger.TransactionID, State)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for id, state := range x.states {
		with(id, state)
	}
}

// elsewhereEvery is the time between looks for what was not heard of.
const elsewhereEvery = 10 * time.Second

// hear publishes what other servers change until ctx ends.
func (x *elsewhere) hear(ctx context.Context) {
	stop := x.journal.Hear(func(h store.Hint) {
		for _, one := range h.Payments {
			x.heard(one)
		}
		if h.Missed {
			select {
			case x.missed <- struct{}{}:
			default:
			}
		}
	})
	defer stop()
	tick := time.NewTicker(elsewhereEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-x.missed:
		}
		list, err := x.journal.Elsewhere(ctx, x.open())
		if err != nil {
			continue // the next look sees it
		}
		for _, one := range list {
			x.heard(one)
		}
	}
}

func (x *elsewhere) heard(one store.Progress) {
	if x.note(one) {
		x.events.Publish(event.Event{Kind: event.Payment, Payment: one.ID})
	}
}
