package txbuild

import (
	"bytes"
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
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

// chooseSigners chooses the keys that sign, the smallest sufficient set of those in
// the wallet, and records what they do not satisfy.
func (f *Factory) chooseSigners(ctx context.Context, p *Prepared) error {
	if err := f.Vault.CheckChain(); err != nil {
		return err
	}
	needs := ledger.NeedsOf(p.ops)
	lookup, depth, err := authorities(ctx, f.View, needs)
	if err != nil {
		return err
	}
	if p.signers, p.missing, err = f.Vault.SmallestKeys(needs, lookup, depth); err != nil {
		return err
	}
	p.signAs = ledger.AuthorityKeys(p.signers, needs, lookup, depth)
	return nil
}

// authorities reads the accounts whose authority is needed, and those that may act for them, to the depth that the ledger follows.
// It returns a lookup of them, and that depth.
func authorities(ctx context.Context, view *ledgerview.View, needs ledger.Needs) (ledger.AccountLookup, int, error) {
	depth, err := authorityDepth(ctx, view)
	if err != nil {
		return nil, 0, err
	}
	accounts, err := view.Accounts.AuthorityTree(ctx, needs, depth)
	return func(id ledger.AccountID) *ledger.Account { return accounts[id] }, depth, err
}

// authorityDepth returns how many levels of accounts the ledger follows.
func authorityDepth(ctx context.Context, view *ledgerview.View) (int, error) {
	props, err := view.Chain.Parameters(ctx)
	if err != nil {
		return 0, err
	}
	return int(props.Parameters.MaxAuthorityDepth), nil
}

// nameKeys records for whom keys sign.
func (r *Review) nameKeys(all []ledger.AuthorityKey, by *ledgerview.View) {
	for _, p := range all {
		if p.Role != "" {
			r.SignsAs = append(r.SignsAs, AuthorityKey{Key: p.Key, Role: p.Role,
				Account: by.Accounts.Ref(p.Account), For: by.Accounts.Ref(p.For)})
		}
	}
}

// missingFault returns the error for authorities that the wallet's keys do not satisfy.
func (f *Factory) missingFault(n ledger.Needs) *fault.Error {
	return &fault.Error{Code: fault.MissingAuthority, Op: "sign", Message: "the keys in this wallet may not act for " + f.missingParty(n),
		Hint: "import a key of that account; nothing was sent"}
}

// missingParty returns the name and id of an account whose authority is missing.
func (f *Factory) missingParty(n ledger.Needs) string {
	who := "another party"
	for _, list := range [][]ledger.AccountID{n.Active, n.Owner} {
		for _, id := range list {
			r := f.View.Accounts.Ref(id)
			who = r.Name + " " + id.String()
		}
	}
	return who
}
