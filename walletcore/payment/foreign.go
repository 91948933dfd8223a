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

// Between reads of the row of a payment that another server follows, when no change is announced.
const (
	rowPoll     = 100 * time.Millisecond
	slowRowPoll = 5 * rowPoll // for callers that wait for blocks
)

// foreignPayments holds what this server knows about payments that other servers follow. They announce their changes,
// and from time to time it reads the journal itself.
type foreignPayments struct {
	journal Journal
	events  *event.Broadcaster
	poll    atomic.Int64 // nanoseconds between reads of the row of a payment that a caller waits for

	mu       sync.Mutex
	states   map[ledger.TransactionID]State
	finished []ledger.TransactionID // oldest first
	waiting  map[ledger.TransactionID]*rowWait
	missed   chan struct{} // holds one element when announcements may have been missed
}

// rowWait is the callers that wait for a change of one payment.
type rowWait struct {
	changed chan struct{}
	callers int
}

func newForeignPayments(journal Journal, events *event.Broadcaster) *foreignPayments {
	x := &foreignPayments{
		journal: journal, events: events,
		states: map[ledger.TransactionID]State{}, waiting: map[ledger.TransactionID]*rowWait{}, missed: make(chan struct{}, 1),
	}
	x.poll.Store(int64(rowPoll))
	return x
}

// await returns a channel that is closed when another server announces a change of the payment. done must be called.
func (x *foreignPayments) await(id ledger.TransactionID) (changed <-chan struct{}, done func()) {
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

// awaitRow reads a payment of another server again. If it has not changed, it waits a moment before it returns.
func (x *foreignPayments) awaitRow(ctx context.Context, kept store.Entry) (store.Entry, error) {
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

// record records the state of a payment and wakes the callers waiting for it. It reports false if the state was known.
func (x *foreignPayments) record(p store.Progress) (news bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if w := x.waiting[p.ID]; w != nil {
		close(w.changed)
		delete(x.waiting, p.ID)
	}
	before, known := x.states[p.ID]
	state := stateOf(p.State)
	if known && (before == state || before.final()) { // announcements may arrive late and in any order
		return false
	}
	x.states[p.ID] = state
	if state.final() {
		x.finished = append(x.finished, p.ID)
	}
	if over := len(x.finished) - maxFinished; over > 0 {
		for _, id := range x.finished[:over] {
			delete(x.states, id)
		}
		x.finished = x.finished[over:]
	}
	return true
}

func (s State) final() bool { return s == Irreversible || s == Rejected || s == Expired }

// open returns the payments that are not final as far as is known.
func (x *foreignPayments) open() (list []ledger.TransactionID) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for id, state := range x.states {
		if !state.final() {
			list = append(list, id)
		}
	}
	return list
}

// each calls with for each payment.
func (x *foreignPayments) each(with func(ledger.TransactionID, State)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for id, state := range x.states {
		with(id, state)
	}
}

// foreignPollEvery is the time between reads that catch missed announcements.
const foreignPollEvery = 10 * time.Second

// listen publishes the changes of other servers until ctx ends.
func (x *foreignPayments) listen(ctx context.Context) {
	stop := x.journal.SubscribeHints(func(h store.Hint) {
		for _, one := range h.Payments {
			x.publish(one)
		}
		if h.Missed {
			select {
			case x.missed <- struct{}{}:
			default:
			}
		}
	})
	defer stop()
	tick := time.NewTicker(foreignPollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-x.missed:
		}
		list, err := x.journal.ForeignProgress(ctx, x.open())
		if err != nil {
			continue // the next read will see
		}
		for _, one := range list {
			x.publish(one)
		}
	}
}

func (x *foreignPayments) publish(one store.Progress) {
	if x.record(one) {
		x.events.Publish(event.Event{Kind: event.Payment, Payment: one.ID})
	}
}
