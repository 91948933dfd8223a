package payment

import (
	"sort"
	"strings"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// mostFinished is how many finished payments are held in memory; the journal
// has them all.
const mostFinished = 1000

// list holds the payments that are on their way and the latest finished
// ones.
type list struct {
	mu       sync.Mutex
	by       map[ledger.TransactionID]*entry
	watched  map[ledger.TransactionID]*entry // those that blocks are searched for
	changed  map[ledger.TransactionID]*entry // those whose state the journal does not know
	finished []ledger.TransactionID          // oldest first
	held     map[string]*entry               // those that the journal may not have, by request key

	writing sync.Mutex    // held while changes are written, so that the journal sees them in order
	wake    chan struct{} // tells the journal's writer of changes; nil without one
}

// entry is one transaction with all that is known about it. Everything that
// changes is changed by list.update.
type entry struct {
	Payment
	tx       ledger.SignedTransaction
	chain    ledger.ChainID
	refBlock uint32     // it cannot be in this block or an earlier one
	request  string     // the mark of what was asked under its request key
	code     fault.Code // why it was rejected
	tries    int        // how often its bytes may have left this program, in this run or an earlier one
	resend   bool       // its bytes are to be sent again
	ending   bool       // that it was never sent is being written down: it is not sent again
	proven   bool       // it is rejected, and no block that could hold it does
	sure     uint32     // the last block that was proven irreversible when it was signed; 0 = none was
	changed  bool       // set by a change that the journal must learn
	held     bool       // the journal may not have it: it is not sent
}

// open says that the outcome is not settled.
func (e *entry) open() bool {
	switch e.State {
	case Prepared, Sent, InBlock, Unknown:
		return true
	}
	return false
}

// refused reports whether a daemon had its bytes and refused them. It may have passed
// them on all the same, so the outcome is open.
func (e *entry) refused() bool {
	return e.State == Unknown && e.code != "" && e.code != fault.OutcomeUnknown
}

// waits reports whether it is to be sent again while it is in no block.
func (e *entry) waits() bool {
	return e.State == Sent || e.State == Unknown && !e.refused()
}

// add puts a payment on the list; false when this very transaction is there.
func (l *list) add(e *entry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil {
		l.by = map[ledger.TransactionID]*entry{}
		l.watched = map[ledger.TransactionID]*entry{}
		l.changed = map[ledger.TransactionID]*entry{}
	}
	if l.by[e.ID] != nil {
		return false
	}
	l.by[e.ID], l.watched[e.ID] = e, e
	return true
}

// remove forgets a payment that never left the program.
func (l *list) remove(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.by, e.ID)
	delete(l.watched, e.ID)
	delete(l.changed, e.ID)
}

// update changes a payment under the lock and gives a copy.
func (l *list) update(e *entry, change func(*entry)) entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.updateLocked(e, change)
	return *e
}

func (l *list) updateLocked(e *entry, change func(*entry)) {
	if change(e); e.changed && !e.held {
		e.changed = false
		l.changed[e.ID] = e
	}
}

// hold keeps a payment from being sent, and its request key from being used for
// another, while nobody knows whether the journal has it.
func (l *list) hold(e *entry, why *fault.Error) {
	l.mu.Lock()
	defer l.mu.Unlock()
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

// heldUnder copies the payment that is held under a request key; nil when there is none.
func (l *list) heldUnder(key string) *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.held[key]
	if e == nil {
		return nil
	}
	now := *e
	return &now
}

// conclude changes a payment and, when it is over, ends the search for it.
func (l *list) conclude(e *entry, change func(*entry) (over bool)) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	over := false
	if l.updateLocked(e, func(e *entry) { over = change(e) }); over {
		l.finishLocked(e)
	}
	return over
}

// finishLocked ends the search for a payment; the oldest of many finished ones leave
// the memory when the journal has them.
func (l *list) finishLocked(e *entry) {
	if l.watched[e.ID] == nil {
		return
	}
	delete(l.watched, e.ID)
	l.finished = append(l.finished, e.ID)
	for len(l.finished) > mostFinished && l.changed[l.finished[0]] == nil {
		delete(l.by, l.finished[0])
		l.finished = l.finished[1:]
	}
}

func (l *list) find(id ledger.TransactionID) *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.by[id]
}

// read copies what is known about a payment; nil when it is not in memory.
func (l *list) read(id ledger.TransactionID) *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.by[id]
	if e == nil {
		return nil
	}
	now := *e
	return &now
}

// onWatch lists the payments of a chain that blocks are searched for, oldest first.
func (l *list) onWatch(chain ledger.ChainID) []*entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*entry, 0, len(l.watched))
	for _, e := range l.watched {
		if e.of(chain) {
			out = append(out, e)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Prepared.Before(out[j].Prepared) })
	return out
}

// of says that the payment is one of this chain; entries of old journals do not
// tell theirs.
func (e *entry) of(chain ledger.ChainID) bool {
	return e.chain == chain || e.chain == ledger.ChainID{}
}

// takeChanged copies the payments whose state the journal does not know yet.
func (l *list) takeChanged() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]entry, 0, len(l.changed))
	for _, e := range l.changed {
		out = append(out, *e)
	}
	clear(l.changed)
	return out
}

// giveBack notes again what could not be written.
func (l *list) giveBack(unwritten []entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range unwritten {
		if e := l.by[unwritten[i].ID]; e != nil {
			l.changed[e.ID] = e
		}
	}
}

// Recent returns payments that are on their way and recent ones, newest first.
func (p *Payments) Recent() []Payment {
	p.list.mu.Lock()
	out := make([]Payment, 0, len(p.list.by))
	for _, e := range p.list.by {
		out = append(out, e.Payment)
	}
	p.list.mu.Unlock()
	for i := range out {
		p.nameParties(&out[i].Review)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Prepared.After(out[j].Prepared) })
	return out
}

// nameParties puts names in the place of ids that had none when the review was made.
func (p *Payments) nameParties(r *build.Review) {
	for _, a := range []*ledgerview.AccountRef{&r.From, &r.To} {
		if a.IsUnnamed() {
			*a = p.View.Accounts.Ref(a.ID)
		}
	}
	for _, a := range []*ledgerview.AssetRef{&r.Asset, &r.FeeAsset} {
		if a.Symbol == a.ID.String() {
			*a = p.View.Pins.AssetOr(*a)
		}
	}
}

// mentioned collects the accounts and assets of payments whose names are not known.
func mentioned(open []*entry) *ledgerview.Mentions {
	m := new(ledgerview.Mentions)
	for _, e := range open {
		for _, op := range e.tx.Operations {
			m.Add(op)
		}
	}
	m.Distinct()
	return m
}

// largePayment is what is called large, in smallest units of DCT: 1,000 DCT.
// Payments in other assets, whose worth is nobody's word, all are.
const largePayment = 1000 * 1_0000_0000

// isLarge reports whether a quorum has to agree on the block of a payment before it is
// called irreversible.
func (e *entry) isLarge() bool {
	r := &e.Review
	return r.Amount > 0 && (r.Asset.ID != ledger.CoreAsset || r.Amount >= largePayment)
}

// Places returns the transactions in blocks whose id begins with these hexadecimal digits.
func (p *Payments) Places(digits string) (out []historyindex.Spot) {
	for _, known := range p.Recent() {
		if known.Block != 0 && strings.HasPrefix(known.ID.String(), digits) {
			out = append(out, historyindex.Spot{Block: known.Block, Trx: known.TrxInBlock})
		}
	}
	return out
}
