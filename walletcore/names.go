package walletcore

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// indexNames looks up names in the history index, if it is of the wallet's chain.
type indexNames struct {
	index *historyindex.Index // nil: there is none
	vault *vault.Vault
}

// indexed reports whether there is an index of the wallet's chain.
func (x indexNames) indexed() bool {
	if x.index == nil {
		return false
	}
	chain := x.index.Chain()
	return chain != (ledger.ChainID{}) && chain == x.vault.ChainID()
}

// Names implements ledgerview.Index.
func (x indexNames) Names(
	ctx context.Context, accounts []ledger.AccountID, assets []ledger.AssetID,
) (map[ledger.AccountID]string, map[ledger.AssetID]ledgerview.AssetRef, error) {
	if !x.indexed() {
		return nil, nil, nil
	}
	names, err := x.index.Names(ctx, accounts, assets)
	refs := make(map[ledger.AssetID]ledgerview.AssetRef, len(names.Assets))
	for id, a := range names.Assets {
		refs[id] = ledgerview.AssetRef{ID: id, Symbol: a.Symbol, Precision: a.Precision}
	}
	return names.Accounts, refs, err
}

// AccountsNamed implements ledgerview.Index.
func (x indexNames) AccountsNamed(ctx context.Context, name string) (ids []ledger.AccountID, err error) {
	if !x.indexed() {
		return nil, nil
	}
	return x.index.AccountsCalled(ctx, name)
}

// Assets implements ledgerview.Index.
func (x indexNames) Assets(ctx context.Context) ([]ledgerview.AssetRef, error) {
	if !x.indexed() {
		return nil, nil
	}
	all, err := x.index.Assets(ctx)
	refs := make([]ledgerview.AssetRef, 0, len(all))
	for id, a := range all {
		refs = append(refs, ledgerview.AssetRef{ID: id, Symbol: a.Symbol, Precision: a.Precision})
	}
	return refs, err
}
