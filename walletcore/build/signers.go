package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

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
	p.signAs = ledger.KeyPlaces(p.signers, needs, lookup, depth)
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
func (r *Review) nameKeys(all []ledger.KeyPlace, by *ledgerview.View) {
	for _, p := range all {
		if p.Role != "" {
			r.SignsAs = append(r.SignsAs, KeyPlace{Key: p.Key, Role: p.Role,
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
