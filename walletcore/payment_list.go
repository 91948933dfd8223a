package walletcore

import (
	"sort"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// mostFinished is how many finished payments are held in memory; the journal
// has them all.
const mostFinished = 1000

// paymentList holds the payments that are on their way and the latest finished
// ones.
type paymentList struct {
	mu       sync.Mutex
	by       map[ledger.TransactionID]*payment
	watched  map[ledger.TransactionID]*payment // those that blocks are searched for
	changed  map[ledger.TransactionID]*payment // those whose state the journal does not know
	finished []ledger.TransactionID            // oldest first
	held     map[string]*payment               // those that the journal may not have, by request key

	writing sync.Mutex    // held while changes are written, so that the journal sees them in order
	wake    chan struct{} // tells the journal's writer of changes; nil without one
}

// payment is one transaction with all that is known about it. Everything that
// changes is changed by paymentList.update.
type payment struct {
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
func (p *payment) open() bool {
	switch p.State {
	case PaymentPrepared, PaymentSent, PaymentInBlock, PaymentUnknown:
		return true
	}
	return false
}

// refused reports whether a daemon had its bytes and refused them. It may have passed
// them on all the same, so the outcome is open.
func (p *payment) refused() bool {
	return p.State == PaymentUnknown && p.code != "" && p.code != fault.OutcomeUnknown
}

// waits reports whether it is to be sent again while it is in no block.
func (p *payment) waits() bool {
	return p.State == PaymentSent || p.State == PaymentUnknown && !p.refused()
}

// add puts a payment on the list; false when this very transaction is there.
func (l *paymentList) add(p *payment) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil {
		l.by = map[ledger.TransactionID]*payment{}
		l.watched = map[ledger.TransactionID]*payment{}
		l.changed = map[ledger.TransactionID]*payment{}
	}
	if l.by[p.ID] != nil {
		return false
	}
	l.by[p.ID], l.watched[p.ID] = p, p
	return true
}

// remove forgets a payment that never left the program.
func (l *paymentList) remove(p *payment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.by, p.ID)
	delete(l.watched, p.ID)
	delete(l.changed, p.ID)
}

// update changes a payment under the lock and gives a copy.
func (l *paymentList) update(p *payment, change func(*payment)) payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.updateLocked(p, change)
	return *p
}

func (l *paymentList) updateLocked(p *payment, change func(*payment)) {
	if change(p); p.changed && !p.held {
		p.changed = false
		l.changed[p.ID] = p
	}
}

// hold keeps a payment from being sent, and its request key from being used for
// another, while nobody knows whether the journal has it.
func (l *paymentList) hold(p *payment, why *fault.Error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.held = true
	if p.State == PaymentPrepared {
		p.State, p.Reason, p.code = PaymentUnknown, why.Message, why.Code
	}
	if p.Key == "" {
		return
	}
	if l.held == nil {
		l.held = map[string]*payment{}
	}
	l.held[p.Key] = p
}

// release ends hold.
func (l *paymentList) release(p *payment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.held = false
	if l.held[p.Key] == p {
		delete(l.held, p.Key)
	}
}

// heldUnder copies the payment that is held under a request key; nil when there is none.
func (l *paymentList) heldUnder(key string) *payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.held[key]
	if p == nil {
		return nil
	}
	now := *p
	return &now
}

// conclude changes a payment and, when it is over, ends the search for it.
func (l *paymentList) conclude(p *payment, change func(*payment) (over bool)) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	over := false
	if l.updateLocked(p, func(p *payment) { over = change(p) }); over {
		l.finishLocked(p)
	}
	return over
}

// finishLocked ends the search for a payment; the oldest of many finished ones leave
// the memory when the journal has them.
func (l *paymentList) finishLocked(p *payment) {
	if l.watched[p.ID] == nil {
		return
	}
	delete(l.watched, p.ID)
	l.finished = append(l.finished, p.ID)
	for len(l.finished) > mostFinished && l.changed[l.finished[0]] == nil {
		delete(l.by, l.finished[0])
		l.finished = l.finished[1:]
	}
}

func (l *paymentList) find(id ledger.TransactionID) *payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.by[id]
}

// read copies what is known about a payment; nil when it is not in memory.
func (l *paymentList) read(id ledger.TransactionID) *payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.by[id]
	if p == nil {
		return nil
	}
	now := *p
	return &now
}

// onWatch lists the payments of a chain that blocks are searched for, oldest first.
func (l *paymentList) onWatch(chain ledger.ChainID) []*payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*payment, 0, len(l.watched))
	for _, p := range l.watched {
		if p.of(chain) {
			out = append(out, p)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Prepared.Before(out[j].Prepared) })
	return out
}

// of says that the payment is one of this chain; entries of old journals do not
// tell theirs.
func (p *payment) of(chain ledger.ChainID) bool {
	return p.chain == chain || p.chain == ledger.ChainID{}
}

// takeChanged copies the payments whose state the journal does not know yet.
func (l *paymentList) takeChanged() []payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]payment, 0, len(l.changed))
	for _, p := range l.changed {
		out = append(out, *p)
	}
	clear(l.changed)
	return out
}

// giveBack notes again what could not be written.
func (l *paymentList) giveBack(unwritten []payment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range unwritten {
		if p := l.by[unwritten[i].ID]; p != nil {
			l.changed[p.ID] = p
		}
	}
}

// Payments lists payments that are on their way and recent ones, newest first.
func (w *Wallet) Payments() []Payment {
	w.payments.mu.Lock()
	out := make([]Payment, 0, len(w.payments.by))
	for _, p := range w.payments.by {
		out = append(out, p.Payment)
	}
	w.payments.mu.Unlock()
	for i := range out {
		w.nameParties(&out[i].Review)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Prepared.After(out[j].Prepared) })
	return out
}

// nameParties puts names in the place of ids that had none when the review was made.
func (w *Wallet) nameParties(r *Review) {
	for _, a := range []*ledgerview.AccountRef{&r.From, &r.To} {
		if a.IsUnnamed() {
			*a = w.View.Accounts.Ref(a.ID)
		}
	}
	for _, a := range []*ledgerview.AssetRef{&r.Asset, &r.FeeAsset} {
		if a.Symbol == a.ID.String() {
			*a = w.View.Pins.AssetOr(*a)
		}
	}
}

// mentioned collects the accounts and assets of payments whose names are not known.
func mentioned(open []*payment) *ledgerview.Mentions {
	m := new(ledgerview.Mentions)
	for _, p := range open {
		for _, op := range p.tx.Operations {
			m.Add(op)
		}
	}
	m.Distinct()
	return m
}
