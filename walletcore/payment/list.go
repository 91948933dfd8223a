package payment

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// maxFinished is the maximum number of finished payments in memory; the journal has them all.
const maxFinished = 1000

// list holds the payments that are on their way and the latest finished ones.
type list struct {
	mu       sync.Mutex
	byID     map[ledger.TransactionID]*entry
	watched  map[ledger.TransactionID]*entry // those that blocks are searched for
	changed  map[ledger.TransactionID]*entry // those whose state the journal does not have
	finished []ledger.TransactionID          // oldest first
	added    int                             // how many were put on the list
	longest  int                             // length of byID since the maps were made
	held     map[string]*entry               // those that the journal may not have, by request key
	states   stateLog

	writing chan struct{} // full while changes are written, so that the journal gets them in order
	wake    chan struct{} // wakes the writer of changes; made by wakeup
}

// add puts a payment on the list. It reports false if this very transaction is on it.
func (l *list) add(e *entry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.addLocked(e)
}

func (l *list) addLocked(e *entry) bool {
	if l.byID == nil {
		l.byID = map[ledger.TransactionID]*entry{}
		l.watched = map[ledger.TransactionID]*entry{}
		l.changed = map[ledger.TransactionID]*entry{}
	}
	if l.byID[e.ID] != nil {
		return false
	}
	l.added++
	e.number = l.added
	l.byID[e.ID], l.watched[e.ID] = e, e
	return true
}

// inOrder returns payments of the list, oldest first. Those of one time, as the payments of one block that were found there, have the order in which
// they came onto the list.
func inOrder(of map[ledger.TransactionID]*entry) []*entry {
	return sorted(slices.Collect(maps.Values(of)))
}

// sorted sorts payments as inOrder does. It needs no lock: when a payment was made does not change.
func sorted(of []*entry) []*entry {
	slices.SortFunc(of, func(a, b *entry) int { return cmp.Or(a.Prepared.Compare(b.Prepared), a.number-b.number) })
	return of
}

// remove drops a payment that was never sent, or that another server follows now.
func (l *list) remove(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byID, e.ID)
	delete(l.watched, e.ID)
	delete(l.changed, e.ID)
}

// update changes a payment under the lock and returns a copy.
func (l *list) update(e *entry, change func(*entry)) entry {
	var now entry
	l.withLine(e, func() {
		l.updateLocked(e, change)
		now = *e
	})
	return now
}

// withLine calls do under the lock, and logs to what state it brought the payment once the lock is free: whoever reads the log may be slow.
func (l *list) withLine(e *entry, do func()) {
	l.states.write(func() passage {
		l.mu.Lock()
		defer l.mu.Unlock()
		do()
		return l.passageLocked(e)
	}())
}

// updateLocked changes a payment. What the journal has not confirmed is not written to it: there may be the very same transaction under
// its id, as another program on the file made it, and that one's outcome is its own.
func (l *list) updateLocked(e *entry, change func(*entry)) {
	if change(e); e.changed && !e.held && !e.adding {
		e.changed = false
		l.changed[e.ID] = e
	}
}

// hold keeps a payment from being sent, and its request key from being used for another, while
// it is unknown whether the journal has it.
func (l *list) hold(e *entry, why *fault.Error) {
	l.withLine(e, func() {
		e.held = true
		if e.State == Prepared {
			e.State, e.Reason, e.code = Unknown, why.Message, why.Code
		}
		if e.Key == "" {
			return
		}
		if l.held == nil {
			l.held = map[string]*entry{}
		}
		l.held[e.Key] = e
	})
}

// release ends hold.
func (l *list) release(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.held = false
	if l.held[e.Key] == e {
		delete(l.held, e.Key)
	}
}

// heldByKey returns a copy of the payment held under a request key; nil if there is none.
func (l *list) heldByKey(key string) *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.held[key]
	if e == nil {
		return nil
	}
	now := *e
	return &now
}

// conclude changes a payment and, if it is over, stops watching for it.
func (l *list) conclude(e *entry, change func(*entry) (over bool)) bool {
	over := false
	l.withLine(e, func() {
		if l.updateLocked(e, func(e *entry) { over = change(e) }); over {
			l.finishLocked(e)
		}
	})
	return over
}

// finishLocked stops watching for a payment. The oldest finished payments beyond the limit are
// dropped from memory once the journal has them.
func (l *list) finishLocked(e *entry) {
	if l.watched[e.ID] == nil {
		return
	}
	delete(l.watched, e.ID)
	l.finished = append(l.finished, e.ID)
	for len(l.finished) > maxFinished && l.changed[l.finished[0]] == nil {
		delete(l.byID, l.finished[0])
		l.finished = l.finished[1:]
	}
	l.shrinkLocked()
}

// shrinkLocked makes the maps anew once the list is short again: they keep the room that they had when it was longest.
func (l *list) shrinkLocked() {
	if l.longest = max(l.longest, len(l.byID)); l.longest < 4*maxFinished || len(l.byID) > l.longest/2 || len(l.watched) > l.longest/8 {
		return
	}
	l.longest, l.byID, l.watched = len(l.byID), again(l.byID), again(l.watched)
	l.finished = slices.Clone(l.finished)
}

// again copies a map into one with room for what is in it.
func again(old map[ledger.TransactionID]*entry) map[ledger.TransactionID]*entry {
	made := make(map[ledger.TransactionID]*entry, len(old))
	for id, e := range old {
		made[id] = e
	}
	return made
}

// watchLocked watches for a payment again whose outcome the journal has otherwise. Blocks that were read may hold it.
func (l *list) watchLocked(e *entry) {
	if l.watched[e.ID] == nil && l.byID[e.ID] == e {
		l.watched[e.ID], e.readAgain = e, true
		l.finished = slices.DeleteFunc(l.finished, func(id ledger.TransactionID) bool { return id == e.ID })
	}
}

// known reports whether a payment is on the list whose outcome the journal does not have. If its outcome is known here, it is to be
// written again.
func (l *list) known(id ledger.TransactionID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.byID[id]
	if e != nil && l.watched[id] == nil && !e.held && !e.adding {
		l.changed[id] = e
	}
	return e != nil
}

// isWatched reports whether blocks are searched for a payment.
func (l *list) isWatched(id ledger.TransactionID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.watched[id] != nil
}

func (l *list) find(id ledger.TransactionID) *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byID[id]
}

// read returns a copy of a payment; nil if it is not in memory.
func (l *list) read(id ledger.TransactionID) *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.byID[id]
	if e == nil {
		return nil
	}
	now := *e
	return &now
}

// watchedOn returns the payments of a chain that blocks are searched for, oldest first.
func (l *list) watchedOn(chain ledger.ChainID) []*entry { return sorted(l.anyWatchedOn(chain)) }

// anyWatchedOn is watchedOn in no order.
func (l *list) anyWatchedOn(chain ledger.ChainID) []*entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*entry, 0, len(l.watched))
	for _, e := range l.watched {
		if e.onChain(chain) {
			out = append(out, e)
		}
	}
	return out
}

// watchedWhere is watchedOn for those that have a property.
func (l *list) watchedWhere(chain ledger.ChainID, are func(*entry) bool) (out []*entry) {
	l.eachSlice(l.anyWatchedOn(chain), func(e *entry) {
		if are(e) {
			out = append(out, e)
		}
	})
	return sorted(out)
}

// sliceAtOnce is the number of payments that are looked at before others get the list and the processor.
const sliceAtOnce = 256

// eachSlice calls with for payments under the lock, which it gives up after each slice: a block may have thousands, and whoever
// pays waits for the lock.
func (l *list) eachSlice(of []*entry, with func(*entry)) {
	for slice := range slices.Chunk(of, sliceAtOnce) {
		l.mu.Lock()
		for _, e := range slice {
			with(e)
		}
		l.mu.Unlock()
		runtime.Gosched()
	}
}

// takeChanged returns the payments whose state the journal does not have yet, oldest first, which is their order on disk. One that
// changes while the others are read is returned again the next time.
func (l *list) takeChanged() []store.Entry {
	l.mu.Lock()
	changed := l.changed
	l.changed = map[ledger.TransactionID]*entry{}
	l.mu.Unlock()
	out := make([]store.Entry, 0, len(changed))
	l.eachSlice(inOrder(changed), func(e *entry) { out = append(out, e.outcomeEntry()) })
	return out
}

// markChanged marks again the changes that could not be written.
func (l *list) markChanged(unwritten []store.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range unwritten {
		if e := l.byID[unwritten[i].ID]; e != nil {
			l.changed[e.ID] = e
		}
	}
}
