package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// signers chooses the keys that sign ops: the smallest sufficient set of those
// in the wallet, and returns what they do not satisfy.
func (f *Factory) signers(ctx context.Context, ops []ledger.Operation) ([]ledger.PublicKey, ledger.Needs, error) {
	if err := f.Vault.CheckChain(); err != nil {
		return nil, ledger.Needs{}, err
	}
	props, err := f.View.Chain.Parameters(ctx)
	if err != nil {
		return nil, ledger.Needs{}, err
	}
	needs, depth := ledger.NeedsOf(ops), int(props.Parameters.MaxAuthorityDepth)
	accounts, err := f.View.Accounts.AuthorityTree(ctx, needs, depth)
	if err != nil {
		return nil, ledger.Needs{}, err
	}
	return f.Vault.SmallestKeys(needs, func(id ledger.AccountID) *ledger.Account { return accounts[id] }, depth)
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
