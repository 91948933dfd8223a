package walletcore

import (
	"context"
	"errors"
	"sort"
	"sync"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
)

// Draft is a built transfer that waits for a person's yes. Nothing is signed;
// only the reference block and the expiration are set when it is sent.
type Draft struct {
	review Review
	ops    []ledger.Operation
	keys   []ledger.PublicKey
}

// Review is what the draft does, read back from its bytes.
func (d *Draft) Review() Review { return d.review }

// mostFinished is how many finished payments are remembered.
const mostFinished = 100

// paymentList holds the payments of this run of the program.
type paymentList struct {
	mu   sync.Mutex
	list []*payment
}

type payment struct {
	Payment
	tx      ledger.SignedTransaction
	scanned uint32 // blocks up to this one do not hold it
}

// open says that the outcome is not settled for good.
func (p *payment) open() bool {
	return p.State == PaymentSent || p.State == PaymentInBlock || p.State == PaymentUnknown
}

func (l *paymentList) add(p *payment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, p)
	for i := 0; len(l.list) > mostFinished && i < len(l.list); {
		if l.list[i].open() {
			i++
			continue
		}
		l.list = append(l.list[:i], l.list[i+1:]...)
	}
}

// update changes a payment under the lock.
func (l *paymentList) update(p *payment, change func(*payment)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(p)
}

// read copies a payment under the lock.
func (l *paymentList) read(p *payment) payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	return *p
}

func (l *paymentList) find(id ledger.TransactionID) *payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.list {
		if p.ID == id {
			return p
		}
	}
	return nil
}

func (l *paymentList) unsettled() []*payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []*payment
	for _, p := range l.list {
		if p.open() {
			out = append(out, p)
		}
	}
	return out
}

// Payments lists payments that are on their way and recent ones, newest first.
func (w *Wallet) Payments() []Payment {
	w.payments.mu.Lock()
	defer w.payments.mu.Unlock()
	out := make([]Payment, 0, len(w.payments.list))
	for _, p := range w.payments.list {
		out = append(out, p.Payment)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Prepared.After(out[j].Prepared) })
	return out
}

// Send signs a draft, broadcasts it and follows it. It returns once the daemon
// took it. Errors: CodeOutcomeUnknown, where the payment is followed all the
// same; others mean that nothing was spent.
func (w *Wallet) Send(ctx context.Context, d *Draft) (Payment, error) {
	info := &SignedInfo{SignedTransaction: ledger.SignedTransaction{Transaction: ledger.Transaction{Operations: d.ops}}}
	id, err := w.stamp(ctx, &info.Transaction)
	if err != nil {
		return Payment{}, err
	}
	info.TransactionID = id
	if err := w.sign(&info.SignedTransaction, d.keys); err != nil {
		return Payment{}, err
	}
	p, err := w.send(ctx, info, d.review)
	return p, err
}

// broadcast sends a signed transaction and follows it.
func (w *Wallet) broadcast(ctx context.Context, info *SignedInfo) error {
	_, err := w.send(ctx, info, w.reviewFacts(info))
	return err
}

// reviewFacts is the part of a review that needs nothing from the daemon.
func (w *Wallet) reviewFacts(info *SignedInfo) Review {
	r := Review{}
	if len(info.Operations) > 0 {
		r.Operation = operationTitle(info.Operations[0].Code)
		w.fillTransfer(&r, info.Operations[0].Body)
	}
	return r
}

func (w *Wallet) send(ctx context.Context, info *SignedInfo, r Review) (Payment, error) {
	head, _, _ := w.chain.read()
	p := &payment{tx: info.SignedTransaction, scanned: max(head, 1) - 1, Payment: Payment{
		ID: info.TransactionID, State: PaymentPrepared, Review: r, Expiration: info.Expiration, Prepared: w.now(),
	}}
	w.payments.add(p)
	err := w.daemon.BroadcastTransaction(ctx, &p.tx)
	w.facts.drop()
	fault := w.settle(p, err)
	w.payments.mu.Lock()
	defer w.payments.mu.Unlock()
	return p.Payment, fault
}

// settle notes what became of a broadcast.
func (w *Wallet) settle(p *payment, err error) error {
	var fault *Error
	var remote *daemonclient.RemoteError
	state, reason := PaymentSent, ""
	switch {
	case err == nil, errors.As(err, &remote) && remote.IsDuplicate():
	default:
		fault = daemonFault("transfer", err)
		state, reason = PaymentRejected, fault.Message
		if fault.Code == CodeOutcomeUnknown {
			fault.Message = "transaction " + p.ID.String() + " was sent, but the line to the daemon broke before it answered"
			state, reason = PaymentUnknown, fault.Message
		}
	}
	w.payments.update(p, func(p *payment) {
		if p.State == PaymentPrepared || p.State == PaymentUnknown {
			p.State, p.Reason = state, reason
		}
		if p.Sent.IsZero() && state != PaymentRejected {
			p.Sent = w.now()
		}
	})
	w.events.send(Event{Kind: EventPayment, Payment: p.ID})
	if fault == nil {
		return nil
	}
	return fault
}

// Resend sends the same bytes of a payment of unknown outcome again; the
// ledger takes one transaction id only once, so this cannot pay twice.
func (w *Wallet) Resend(ctx context.Context, id ledger.TransactionID) error {
	p := w.payments.find(id)
	if p == nil {
		return &Error{Code: CodeInvalidOperation, Op: "resend", Message: "no payment " + id.String() + " was made since the program started", Hint: "look it up in the history"}
	}
	err := w.daemon.BroadcastTransaction(ctx, &p.tx)
	var remote *daemonclient.RemoteError
	if err != nil && !(errors.As(err, &remote) && remote.IsDuplicate()) {
		return daemonFault("resend", err) // the outcome of the first sending stays open
	}
	return w.settle(p, nil)
}

// pollTime is how often open payments are looked up when no block is announced.
const pollTime = 5 * time.Second

// followPayments looks for open payments in each new block until ctx ends.
func (w *Wallet) followPayments(ctx context.Context) error {
	events, stop := w.Subscribe()
	defer stop()
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case e, open := <-events:
			if !open {
				return nil
			}
			if e.Kind != EventBlock && e.Kind != EventDaemon {
				continue
			}
		}
		if len(w.payments.unsettled()) > 0 {
			w.lookUpPayments(ctx)
		}
	}
}

// lookUpPayments brings every open payment up to the present head block. A
// daemon that fails in the middle changes nothing: the next block asks again.
func (w *Wallet) lookUpPayments(ctx context.Context) {
	dyn, err := w.dynamicProperties(ctx)
	if err != nil {
		return
	}
	for _, p := range w.payments.unsettled() {
		if err := w.scan(ctx, p, dyn); err != nil {
			w.log.Debug("payments: looking up", "id", p.ID, "error", err)
			return
		}
		w.conclude(ctx, p, dyn)
	}
}

// scan looks for p in the blocks it was not looked for in yet.
func (w *Wallet) scan(ctx context.Context, p *payment, dyn *ledger.DynamicGlobalProperties) error {
	for now := w.payments.read(p); now.State != PaymentInBlock && now.scanned < dyn.HeadBlockNumber; now = w.payments.read(p) {
		raw, err := w.daemon.GetBlock(ctx, now.scanned+1)
		if err != nil || isNull(raw) {
			return err
		}
		var block struct {
			TransactionIDs []ledger.TransactionID `json:"transaction_ids"`
		}
		if err := ledger.Unmarshal(raw, &block); err != nil {
			return err
		}
		w.payments.update(p, func(p *payment) {
			p.scanned++
			for i, id := range block.TransactionIDs {
				if id == p.ID {
					p.State, p.Block, p.TrxInBlock, p.InBlock, p.Reason = PaymentInBlock, p.scanned, uint32(i), w.now(), ""
				}
			}
		})
	}
	return nil
}

// conclude settles what can be settled at this head block.
func (w *Wallet) conclude(ctx context.Context, p *payment, dyn *ledger.DynamicGlobalProperties) {
	now := w.payments.read(p)
	gone := now.State != PaymentInBlock && w.provenExpired(ctx, &now, dyn)
	w.payments.update(p, func(p *payment) {
		p.Head, p.Last = dyn.HeadBlockNumber, dyn.LastIrreversibleBlockNum
		switch {
		case p.State == PaymentInBlock && p.Block <= dyn.LastIrreversibleBlockNum:
			p.State = PaymentIrreversible
		case gone:
			p.State, p.Reason = PaymentExpired, "it expired at "+p.Expiration.String()+" without getting into a block; nothing was spent"
		}
	})
	w.events.send(Event{Kind: EventPayment, Payment: p.ID})
}

// provenExpired says that p can never happen: every block up to the last
// irreversible one was searched, and that block is later than the expiration.
func (w *Wallet) provenExpired(ctx context.Context, p *payment, dyn *ledger.DynamicGlobalProperties) bool {
	last := dyn.LastIrreversibleBlockNum
	if dyn.Time <= p.Expiration || p.scanned < last {
		return false
	}
	header, err := w.daemon.GetBlockHeader(ctx, last)
	return err == nil && header != nil && header.Timestamp > p.Expiration
}
