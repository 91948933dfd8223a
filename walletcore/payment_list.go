package walletcore

import (
	"context"
	"sort"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/journal"
)

// mostFinished is how many finished payments are held in memory; the journal
// has them all.
const mostFinished = 1000

// paymentList holds the payments that are on their way and the latest finished
// ones.
type paymentList struct {
	mu       sync.Mutex
	by       map[ledger.TransactionID]*payment
	finished []ledger.TransactionID // oldest first
}

type payment struct {
	Payment
	tx       ledger.SignedTransaction
	refBlock uint32 // it cannot be in this block or an earlier one
	code     Code   // why it was rejected
	changed  bool   // the journal does not know its state yet
	resend   bool   // the follower's: its bytes are to be sent again
}

// open says that the outcome is not settled for good.
func (p *payment) open() bool {
	switch p.State {
	case PaymentPrepared, PaymentSent, PaymentInBlock, PaymentUnknown:
		return true
	}
	return false
}

func (l *paymentList) add(p *payment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.by == nil {
		l.by = map[ledger.TransactionID]*payment{}
	}
	l.by[p.ID] = p
}

// remove forgets a payment that never left the program.
func (l *paymentList) remove(p *payment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.by, p.ID)
}

// update changes a payment under the lock and gives a copy.
func (l *paymentList) update(p *payment, change func(*payment)) payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := p.open()
	change(p)
	if before && !p.open() {
		l.finished = append(l.finished, p.ID)
		if len(l.finished) > mostFinished {
			delete(l.by, l.finished[0])
			l.finished = l.finished[1:]
		}
	}
	return *p
}

func (l *paymentList) find(id ledger.TransactionID) *payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.by[id]
}

// unsettled lists the open payments, oldest first.
func (l *paymentList) unsettled() []*payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []*payment
	for _, p := range l.by {
		if p.open() {
			out = append(out, p)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Prepared.Before(out[j].Prepared) })
	return out
}

// takeChanged copies the payments whose state the journal does not know yet.
func (l *paymentList) takeChanged() []payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []payment
	for _, p := range l.by {
		if p.changed {
			p.changed = false
			out = append(out, *p)
		}
	}
	return out
}

// Payments lists payments that are on their way and recent ones, newest first.
func (w *Wallet) Payments() []Payment {
	w.payments.mu.Lock()
	defer w.payments.mu.Unlock()
	out := make([]Payment, 0, len(w.payments.by))
	for _, p := range w.payments.by {
		out = append(out, p.Payment)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Prepared.After(out[j].Prepared) })
	return out
}

// states pairs the core's states with the journal's.
var states = map[PaymentState]journal.State{
	PaymentPrepared: journal.Prepared, PaymentSent: journal.Sent, PaymentInBlock: journal.InBlock,
	PaymentIrreversible: journal.Irreversible, PaymentUnknown: journal.Unknown,
	PaymentRejected: journal.Rejected, PaymentExpired: journal.Expired,
}

// String names the state as the journal and the RPC do.
func (s PaymentState) String() string { return string(states[s]) }

// entry is the payment as the journal keeps it.
func (p *payment) entry() (journal.Entry, error) {
	packed, err := p.tx.Pack()
	return journal.Entry{
		ID: p.ID, Key: p.Key, State: states[p.State], Bytes: packed, Expiration: p.Expiration, RefBlock: p.refBlock,
		Block: p.Block, TrxInBlock: p.TrxInBlock, Code: string(p.code), Reason: p.Reason,
		Prepared: p.Prepared, Sent: p.Sent, InBlock: p.InBlock,
	}, err
}

// paymentOf reads a payment back from the journal.
func (w *Wallet) paymentOf(e journal.Entry) (*payment, error) {
	p := &payment{refBlock: e.RefBlock, code: Code(e.Code), Payment: Payment{
		ID: e.ID, Key: e.Key, Expiration: e.Expiration, Prepared: e.Prepared, Sent: e.Sent, InBlock: e.InBlock,
		Block: e.Block, TrxInBlock: e.TrxInBlock, Reason: e.Reason,
	}}
	for state, name := range states {
		if name == e.State {
			p.State = state
		}
	}
	if err := ledger.Unpack(e.Bytes, &p.tx); err != nil {
		return nil, &Error{Code: CodeFile, Op: "journal", Message: "payment " + e.ID.String() + " in the journal cannot be read: " + err.Error(), Err: err}
	}
	p.Review = w.reviewFacts(p.tx.Operations)
	return p, nil
}

// journalAdd writes a payment before its first byte leaves the program.
func (w *Wallet) journalAdd(ctx context.Context, p *payment) error {
	if w.journal == nil {
		return nil
	}
	e, err := p.entry()
	if err == nil {
		err = w.journal.Add(ctx, e)
	}
	if err != nil {
		return &Error{Code: CodeFile, Op: "transfer", Message: "the payment was not sent, because it cannot be written down first: " + err.Error(), Hint: "nothing was spent", Err: err}
	}
	return nil
}

// journalChanges writes down what changed. A failure is logged and tried again
// with the next change: the bytes are safe already, and the chain knows the rest.
func (w *Wallet) journalChanges(ctx context.Context) {
	changed := w.payments.takeChanged()
	if w.journal == nil || len(changed) == 0 {
		return
	}
	entries := make([]journal.Entry, 0, len(changed))
	for i := range changed {
		if e, err := changed[i].entry(); err == nil {
			entries = append(entries, e)
		}
	}
	if err := w.journal.Update(context.WithoutCancel(ctx), entries...); err != nil {
		w.log.Error("payments: the journal was not written", "error", err)
		for i := range changed {
			if p := w.payments.find(changed[i].ID); p != nil {
				w.payments.update(p, func(p *payment) { p.changed = true })
			}
		}
	}
}

// resume takes up every payment of earlier runs whose outcome is open. What was
// prepared or sent may have happened: it is looked for, and while it can still
// get into a block the same bytes are sent again.
func (w *Wallet) resume(ctx context.Context) error {
	if w.journal == nil {
		return nil
	}
	open, err := w.journal.Open(ctx)
	if err != nil {
		return &Error{Code: CodeFile, Op: "journal", Message: "the payment journal cannot be read: " + err.Error(), Err: err}
	}
	for _, e := range open {
		p, err := w.paymentOf(e)
		if err != nil {
			return err
		}
		switch p.State {
		case PaymentPrepared:
			p.State, p.Reason = PaymentUnknown, "the program ended before it knew whether it was sent"
		case PaymentInBlock: // the block may have left the chain meanwhile: it is found again or not
			p.State, p.Block, p.TrxInBlock = PaymentSent, 0, 0
		}
		p.resend = true
		w.payments.add(p)
	}
	return nil
}
