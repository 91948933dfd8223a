package txbuild

import (
	"context"
	"encoding/hex"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault/strength"
)

// Review packs a completed request, unpacks the bytes again and describes the result.
func (f *Factory) Review(ctx context.Context, p *Prepared) (Review, error) {
	read, err := readBack("review", &ledger.Transaction{Operations: p.ops})
	if err != nil {
		return Review{}, err
	}
	r := f.FactsOf(read.Operations)
	r.Chain, r.SignsWith, r.Bytes = f.View.Pins.Chain(), p.signers, hex.EncodeToString(p.packed)
	r.Signers = signersOf(ledger.NeedsOf(read.Operations), p.missing)
	if r.JSON, err = indentJSON(read); err != nil {
		return r, &fault.Error{Code: fault.Internal, Op: "review", Message: err.Error(), Err: err}
	}
	if r.checked, err = checkCertain(ctx, f.View, read.Operations); err != nil {
		return r, err
	}
	if err := f.describe(ctx, &r, read.Operations, p.words.votes); err != nil {
		return r, err
	}
	r.Effects = append(r.Effects, p.request.here...)
	r.fillNames(f.View) // by now the names are known
	r.nameKeys(p.signAs, f.View)
	if p.brainKey != "" {
		if verdict := strength.JudgeBrainKey(p.brainKey); verdict.Weak {
			r.Guessable = verdict.Text
		}
	}
	if err := f.reviewBalances(ctx, &r); err != nil {
		return r, err
	}
	if err := f.AddConsequences(ctx, &r, read.Operations); err != nil {
		return r, err
	}
	p.addBaseChanges(&r)
	if err := r.Readable(); err != nil {
		return r, err
	}
	if err := f.checkContacts(p.words.recipients()); err != nil {
		return r, err
	}
	for _, a := range p.words.recipients() {
		changed, err := f.View.Pins.Changes(ctx, a)
		if err != nil {
			return r, err
		}
		r.Changed = append(r.Changed, changed...)
	}
	if err := f.addFactChanges(ctx, &r, p); err != nil {
		return r, err
	}
	if err := f.CompareWithHistory(ctx, &r); err != nil {
		return r, err
	}
	p.review = r
	return r, r.checkWhole(signedChecks)
}

// reviewBalances refuses what accounts cannot pay.
func (f *Factory) reviewBalances(ctx context.Context, r *Review) error {
	if err := readBalances(ctx, f.View, r); err != nil {
		return err
	}
	for _, o := range r.Outgoing {
		if o.Amount > o.Available {
			return o.tooLittle()
		}
	}
	return nil
}

func (o Outgoing) tooLittle() *fault.Error {
	e := &fault.Error{Code: fault.InsufficientBalance, Op: "transfer", Hint: "nothing was spent; choose a smaller amount"}
	has := "the account " + o.Account.Name + " has " + o.Asset.Format(o.Available)
	switch {
	case o.Amount == o.Fee:
		e.Message = fmt.Sprintf("%s, but the fee is %s", has, o.Asset.Format(o.Fee))
		e.Hint = "nothing was spent; the account needs more for the fee"
	case o.Fee > 0:
		e.Message = fmt.Sprintf("%s, but this needs %s with its fee", has, o.Asset.Format(o.Amount))
	default:
		e.Message = fmt.Sprintf("%s, but this needs %s", has, o.Asset.Format(o.Amount))
	}
	return e
}

// signersOf lists the authorities that are needed, and whether they are met.
func signersOf(needs, missing ledger.Needs) (out []Signer) {
	add := func(role string, ids, open []ledger.AccountID) {
		for _, id := range ids {
			met := true
			for _, lacks := range open {
				met = met && lacks != id
			}
			out = append(out, Signer{Account: ledgerview.AccountRef{ID: id}, Role: role, Met: met})
		}
	}
	add("active", needs.Active, missing.Active)
	add("owner", needs.Owner, missing.Owner)
	for i := range needs.Other {
		out = append(out, Signer{Role: "keys", Keys: &needs.Other[i], Met: len(missing.Other) == 0})
	}
	return out
}

// readBack packs a transaction and unpacks its bytes.
func readBack(op string, tx *ledger.Transaction) (read ledger.Transaction, err error) {
	packed, err := tx.Pack()
	if err != nil {
		return read, unpackable(op, err)
	}
	if err := codec.Unpack(packed, &read); err != nil {
		return read, &fault.Error{
			Code:    fault.Internal,
			Op:      op,
			Message: "the built transaction cannot be read back: " + err.Error(),
			Err:     err,
		}
	}
	return read, nil
}

// unpackable returns the error for operations that cannot be packed.
func unpackable(op string, err error) *fault.Error {
	return &fault.Error{Code: fault.UnsupportedOperation, Op: op, Message: err.Error(), Err: err}
}

// packOperations returns the bytes of a transaction with these operations but no reference block or expiration yet.
func packOperations(ops []ledger.Operation) ([]byte, error) {
	return (&ledger.Transaction{Operations: ops}).Pack()
}
