package build

import (
	"bytes"
	"context"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// Sign makes a transaction: reference block, expiration, and the signatures of the
// available keys. Keys that were made for it are written to disk first. Nothing else in
// the wallet signs transactions. Errors: fault.Locked, those of check, and the daemon's.
func (f *Factory) Sign(ctx context.Context, p *Prepared) (*Signed, error) {
	tx := &Signed{SignedTransaction: ledger.SignedTransaction{Transaction: ledger.Transaction{Operations: p.ops}}}
	if err := f.stamp(ctx, tx); err != nil {
		return nil, err
	}
	if err := f.check(ctx, p, tx); err != nil {
		return nil, err
	}
	if p.saveKeys != nil {
		if err := p.saveKeys(); err != nil {
			return nil, err
		}
	}
	if err := f.Vault.Sign(&tx.SignedTransaction, p.signers); err != nil {
		return nil, err
	}
	return tx, nil
}

// check is the last step before any signature: the bytes that will be signed are read
// back and compared with what was completed and with the words of the request.
// Errors: fault.Internal where they differ, fault.FeeTooHigh,
// fault.KeysChanged, fault.StateChanged, fault.DaemonContradicts.
func (f *Factory) check(ctx context.Context, p *Prepared, signed *Signed) error {
	tx, err := readBack("sign", &signed.Transaction)
	if err != nil {
		return err
	}
	completed, err := packOperations(tx.Operations)
	switch {
	case err != nil:
		return unpackable("sign", err)
	case p.words == nil || len(tx.Operations) == 0:
		return notAsked("nobody asked for it")
	case !bytes.Equal(completed, p.packed):
		return notAsked("it changed after it was completed")
	case tx.Expiration > f.window(signed.headTime).bound:
		return notAsked("it could be used until " + tx.Expiration.String())
	}
	if err := f.checkFees(tx.Operations, p.words.asGiven); err != nil {
		return err
	}
	if err := p.words.check(ctx, f.View.Pins, f.Vault, tx.Operations); err != nil {
		return err
	}
	if err := f.checkContacts(p.words.recipients()); err != nil {
		return err
	}
	return f.checkAccepted(ctx, p)
}

// checkAccepted refuses recipients' keys, fees and other facts that are not as they were last accepted and that nobody saw.
func (f *Factory) checkAccepted(ctx context.Context, p *Prepared) error {
	if err := p.checkBases(p.seen || f.AcceptChanges); err != nil {
		return err
	}
	if err := f.checkMemoKeys(ctx, p); err != nil {
		return err
	}
	by := ledgerview.AcceptedByNobody
	switch {
	case p.seen:
		by = ledgerview.AcceptedByPerson
	case f.AcceptChanges:
		by = ledgerview.AllowedByPolicy
	}
	for _, a := range p.words.recipients() {
		if err := f.View.Pins.CheckKeys(ctx, a, by); err != nil {
			return err
		}
	}
	return f.checkFacts(ctx, p)
}
