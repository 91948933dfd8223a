package walletcore

import (
	"context"
	"errors"

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

// Send signs a draft, writes it to the journal, broadcasts it and follows it.
// It returns once the daemon took it. Errors: CodeOutcomeUnknown, where the
// payment is followed all the same; others mean that nothing was spent.
func (w *Wallet) Send(ctx context.Context, d *Draft) (Payment, error) {
	info := &SignedInfo{SignedTransaction: ledger.SignedTransaction{Transaction: ledger.Transaction{Operations: d.ops}}}
	if err := w.stamp(ctx, info); err != nil {
		return Payment{}, err
	}
	if err := w.sign(&info.SignedTransaction, d.keys); err != nil {
		return Payment{}, err
	}
	return w.send(ctx, w.newPayment(info, d.review, ""))
}

func (w *Wallet) newPayment(info *SignedInfo, r Review, key string) *payment {
	return &payment{tx: info.SignedTransaction, refBlock: info.head, Payment: Payment{
		ID: info.TransactionID, Key: key, State: PaymentPrepared, Review: r, Expiration: info.Expiration, Prepared: w.now(),
	}}
}

// reviewFacts is the part of a review that needs nothing from the daemon.
func (w *Wallet) reviewFacts(ops []ledger.Operation) Review {
	r := Review{}
	if len(ops) > 0 {
		r.Operation = operationTitle(ops[0].Code)
		w.fillTransfer(&r, ops[0].Body)
	}
	return r
}

// send writes the payment down, then broadcasts it.
func (w *Wallet) send(ctx context.Context, p *payment) (Payment, error) {
	w.payments.add(p) // before it leaves: a block that holds it finds it here
	if err := w.journalAdd(ctx, p); err != nil {
		w.payments.remove(p)
		return Payment{}, err
	}
	err := w.daemon.BroadcastTransaction(ctx, &p.tx)
	w.facts.drop()
	return w.settle(ctx, p, err)
}

// settle notes what became of a broadcast.
func (w *Wallet) settle(ctx context.Context, p *payment, err error) (Payment, error) {
	var fault *Error
	var remote *daemonclient.RemoteError
	state, reason := PaymentSent, ""
	if err != nil && !(errors.As(err, &remote) && remote.IsDuplicate()) {
		fault = daemonFault("transfer", err)
		state, reason = PaymentRejected, fault.Message
		if fault.Code == CodeOutcomeUnknown || fault.Code == CodeCanceled {
			fault.Code = CodeOutcomeUnknown
			fault.Message = "transaction " + p.ID.String() + " was sent, but the line to the daemon broke before it answered"
			fault.Hint = "do not send it again; its id will show whether it happened"
			state, reason = PaymentUnknown, fault.Message
		}
	}
	now := w.payments.update(p, func(p *payment) {
		if p.State == PaymentPrepared || p.State == PaymentUnknown {
			p.State, p.Reason, p.changed = state, reason, true
			if fault != nil {
				p.code = fault.Code
			}
		}
		if p.Sent.IsZero() && state != PaymentRejected {
			p.Sent, p.changed = w.now(), true
		}
	})
	w.journalChanges(ctx)
	w.events.send(Event{Kind: EventPayment, Payment: p.ID})
	if fault != nil {
		return now.Payment, fault
	}
	return now.Payment, nil
}

// Resend sends the same bytes of a payment of unknown outcome again; the
// ledger takes one transaction id only once, so this cannot pay twice.
func (w *Wallet) Resend(ctx context.Context, id ledger.TransactionID) error {
	p := w.payments.find(id)
	if p == nil {
		return &Error{Code: CodeNoSuchPayment, Op: "resend", Message: "no payment " + id.String() + " is on its way", Hint: "list_payments shows them"}
	}
	return w.resendBytes(ctx, p)
}

func (w *Wallet) resendBytes(ctx context.Context, p *payment) error {
	err := w.daemon.BroadcastTransaction(ctx, &p.tx)
	var remote *daemonclient.RemoteError
	if err != nil && !(errors.As(err, &remote) && remote.IsDuplicate()) {
		return daemonFault("resend", err) // the outcome of the first sending stays open
	}
	_, err = w.settle(ctx, p, nil)
	return err
}
