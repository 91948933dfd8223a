package payment

import (
	"context"
	"errors"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// Broadcast sends a transaction that others made and signed, unchanged except for its signatures: those that the ledger
// does not need are left out, because it refuses them. The transaction is written to the journal first and followed like
// every other payment. One that the journal has already is not sent again; its outcome is returned. What it undoes of this wallet's own
// changes must be in the review that a person saw. Errors: fault.MissingAuthority, fault.Expired, fault.OutcomeUnknown,
// fault.StateChanged, those of Send.
func (p *Payments) Broadcast(ctx context.Context, tx ledger.SignedTransaction, saw txbuild.Review) (Payment, error) {
	if err := p.checkTrusted(ctx); err != nil {
		return Payment{}, err
	}
	head, err := p.View.Chain.Head(ctx)
	if err != nil {
		return Payment{}, err
	}
	if tx.Expiration <= head.Time {
		return Payment{}, &fault.Error{Code: fault.Expired, Op: "broadcast", Hint: "nothing was sent; make it again",
			Message: "the transaction expired at " + tx.Expiration.String() + " UTC"}
	}
	id, err := tx.ID()
	if err == nil {
		tx.Signatures, err = sufficient(ctx, p.Build, p.View.Pins.Chain(), &tx)
	}
	if err != nil {
		return Payment{}, err
	}
	e := &entry{tx: tx, chain: p.View.Pins.Chain(), refBlock: refBlock(tx.RefBlockNum, head.HeadBlockNumber), Payment: Payment{
		ID: id, State: Prepared, Review: p.Build.FactsOf(tx.Operations), Expiration: tx.Expiration, Prepared: p.Now(),
	}}
	for {
		if e.objects, err = p.Build.StatesAfter(ctx, tx.Operations, id, tx.Expiration, saw); err != nil {
			return Payment{}, err
		}
		sent, err := p.sender.send(ctx, e)
		switch {
		case errors.Is(err, store.ErrIDTaken):
			return alreadySent(ctx, p, id)
		case !errors.Is(err, store.ErrObjectChanged):
			return sent, err
		}
	}
}

// alreadySent returns the outcome of a transaction that the journal has.
func alreadySent(ctx context.Context, p *Payments, id ledger.TransactionID) (Payment, error) {
	e, err := p.knownPayment(ctx, id.String())
	if err != nil {
		return Payment{}, err
	}
	switch e.State {
	case Rejected:
		return e.Payment, &fault.Error{Code: e.code, Op: "broadcast", Hint: "nothing was spent", Data: e.daemon,
			Message: "transaction " + id.String() + " was sent before and refused: " + e.refusal()}
	case Expired:
		return e.Payment, &fault.Error{Code: fault.Expired, Op: "broadcast", Hint: "make it again",
			Message: "transaction " + id.String() + " was sent before and did not happen: " + e.Reason}
	case Unknown, Prepared:
		return e.Payment, outcomeUnknown(id, nil)
	case Sent, InBlock, Irreversible:
	}
	return e.Payment, nil
}

// refBlock returns the number of the newest block, not after head, whose low 16 bits are low.
func refBlock(low uint16, head uint32) uint32 {
	return head - uint32(uint16(head)-low)
}

// sufficient returns the signatures that the ledger needs.
func sufficient(ctx context.Context, f *txbuild.Factory, chain ledger.ChainID, tx *ledger.SignedTransaction) ([]ledger.Signature, error) {
	digest, err := tx.Digest(chain)
	if err != nil {
		return nil, err
	}
	of := map[ledger.PublicKey]ledger.Signature{}
	for _, sig := range tx.Signatures {
		key, err := ledger.RecoverKey(digest, sig)
		if err != nil {
			return nil, &fault.Error{Code: fault.BadFile, Op: "broadcast", Message: err.Error(), Hint: "nothing was sent", Err: err}
		}
		of[key] = sig
	}
	keys, err := f.Sufficient(ctx, tx.Operations, func(key ledger.PublicKey) bool { _, signed := of[key]; return signed })
	if err != nil {
		return nil, err
	}
	out := make([]ledger.Signature, len(keys))
	for i, key := range keys {
		out[i] = of[key]
	}
	return out, nil
}
