package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// chooseSigners chooses the keys that sign: the smallest sufficient set of those
// in the wallet, and notes what they do not satisfy.
func (f *Factory) chooseSigners(ctx context.Context, p *Prepared) error {
	if err := f.Vault.CheckChain(); err != nil {
		return err
	}
	needs := ledger.NeedsOf(p.ops)
	lookup, depth, err := f.authorities(ctx, needs)
	if err != nil {
		return err
	}
	if p.signers, p.missing, err = f.Vault.SmallestKeys(needs, lookup, depth); err != nil {
		return err
	}
	p.signAs = ledger.KeyPlaces(p.signers, needs, lookup, depth)
	return nil
}

// authorities reads the accounts whose authority is needed, and those that act for them as far as the ledger follows them.
func (f *Factory) authorities(ctx context.Context, needs ledger.Needs) (ledger.AccountLookup, int, error) {
	props, err := f.View.Chain.Parameters(ctx)
	if err != nil {
		return nil, 0, err
	}
	depth := int(props.Parameters.MaxAuthorityDepth)
	accounts, err := f.View.Accounts.AuthorityTree(ctx, needs, depth)
	return func(id ledger.AccountID) *ledger.Account { return accounts[id] }, depth, err
}

// PlaceKeys notes in whose name the keys sign that a review lists. Errors: the daemon's.
func (f *Factory) PlaceKeys(ctx context.Context, r *Review, ops []ledger.Operation) error {
	needs := ledger.NeedsOf(ops)
	lookup, depth, err := f.authorities(ctx, needs)
	if err != nil {
		return err
	}
	r.SignsAs = f.places(ledger.KeyPlaces(r.SignsWith, needs, lookup, depth))
	return nil
}

// places names the accounts in whose name keys sign.
func (f *Factory) places(all []ledger.KeyPlace) (out []KeyPlace) {
	for _, p := range all {
		if p.Role != "" {
			out = append(out, KeyPlace{Key: p.Key, Role: p.Role, Account: f.View.Accounts.Ref(p.Account), For: f.View.Accounts.Ref(p.For)})
		}
	}
	return out
}

// missingFault names whose authority the wallet's keys do not satisfy.
func (f *Factory) missingFault(n ledger.Needs) *fault.Error {
	return &fault.Error{Code: fault.MissingAuthority, Op: "sign", Message: "the keys in this wallet may not act for " + f.missingWho(n),
		Hint: "import a key of that account; nothing was sent"}
}

// missingWho names one of those whose authority is missing.
func (f *Factory) missingWho(n ledger.Needs) string {
	who := "another party"
	for _, list := range [][]ledger.AccountID{n.Active, n.Owner} {
		for _, id := range list {
			r := f.View.Accounts.Ref(id)
			who = r.Name + " " + id.String()
		}
	}
	return who
}
