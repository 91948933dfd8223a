package walletcore

import (
	"context"
	"strings"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// These read what a signature depends on. With --daemon-quorum several daemons
// are asked and have to agree; otherwise they are the reads of everybody else,
// and answers of the same head block are shared with them.

// agreedFacts are what several daemons agreed on, of one head block.
type agreedFacts struct {
	accounts map[string]*ledger.Account // by what was asked
	assets   map[string]*ledger.Asset
	global   *ledger.GlobalProperties
}

// accountToSign is Account for something that is signed. Errors are those of
// Account, and fault.DaemonsDisagree.
func (w *Wallet) accountToSign(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	if w.daemon.Quorum() <= 1 || nameOrID == "" {
		return w.Account(ctx, nameOrID)
	}
	f := w.facts.current(w.now())
	if a := recall(f, f.agreed.accounts, nameOrID); a != nil {
		return a, nil
	}
	what := "account " + fault.Quote(nameOrID)
	a, err := daemonclient.AskQuorum(ctx, w.daemon, what, func(ctx context.Context, q daemonclient.Queries) (*ledger.Account, error) {
		var found []*ledger.Account
		var err error
		if id, ok := accountIDText(nameOrID); ok {
			found, err = q.GetAccounts(ctx, []ledger.AccountID{id})
		} else {
			found, err = q.LookupAccountNames(ctx, []string{nameOrID})
		}
		return only(found), err
	}, accountMeaning)
	switch {
	case err != nil:
		return nil, fault.Daemon("looking up account "+fault.Quote(nameOrID), err)
	case a == nil:
		return nil, fault.AccountUnknown(nameOrID)
	}
	if err := w.checkAccounts(ctx, ledgerview.AccountRef{ID: a.ID, Name: a.Name}); err != nil {
		return nil, err
	}
	remember(f, f.agreed.accounts, a, nameOrID)
	return a, nil
}

// accountMeaning is what daemons must agree on of an account.
func accountMeaning(a *ledger.Account) string {
	if a == nil {
		return "none"
	}
	parts := []string{a.ID.String(), fault.Quote(a.Name), a.Options.MemoKey.String(), authorityText(a.Active), authorityText(a.Owner)}
	return strings.Join(parts, " ")
}

// only gives the one element, nil when there is none or more.
func only[T any](list []*T) *T {
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// assetToSign finds an asset by symbol or id, for something that is signed. Of
// DCT nobody is asked. Errors are those of Asset, and fault.DaemonsDisagree.
func (w *Wallet) assetToSign(ctx context.Context, symbolOrID string) (ledgerview.AssetRef, error) {
	if symbolOrID == ledgerview.DCT().Symbol || symbolOrID == ledgerview.DCT().ID.String() {
		return ledgerview.DCT(), nil
	}
	a, err := w.agreedAsset(ctx, symbolOrID)
	if err != nil {
		return ledgerview.AssetRef{}, err
	}
	return ledgerview.AssetRefOf(a), w.checkAssets(ctx, ledgerview.AssetRefOf(a))
}

func (w *Wallet) agreedAsset(ctx context.Context, symbolOrID string) (*ledger.Asset, error) {
	if w.daemon.Quorum() <= 1 || symbolOrID == "" {
		return w.Asset(ctx, symbolOrID)
	}
	f := w.facts.current(w.now())
	if a := recall(f, f.agreed.assets, symbolOrID); a != nil {
		return a, nil
	}
	what := "asset " + fault.Quote(symbolOrID)
	a, err := daemonclient.AskQuorum(ctx, w.daemon, what, func(ctx context.Context, q daemonclient.Queries) (*ledger.Asset, error) {
		var found []*ledger.Asset
		var err error
		if id, failure := ledger.ParseAssetID(symbolOrID); failure == nil {
			found, err = q.GetAssets(ctx, []ledger.AssetID{id})
		} else {
			found, err = q.LookupAssetSymbols(ctx, []string{symbolOrID})
		}
		return only(found), err
	}, func(a *ledger.Asset) string {
		if a == nil {
			return "none"
		}
		r := ledgerview.AssetRefOf(a)
		return r.ID.String() + " " + r.Format(0)
	})
	switch {
	case err != nil:
		return nil, fault.Daemon("looking up asset "+fault.Quote(symbolOrID), err)
	case a == nil:
		return nil, fault.AssetUnknown(symbolOrID)
	}
	remember(f, f.agreed.assets, a, symbolOrID)
	return a, nil
}

// feesToSign gives the price list for something that is signed.
func (w *Wallet) feesToSign(ctx context.Context) (*ledger.FeeSchedule, error) {
	if w.daemon.Quorum() <= 1 {
		p, err := w.globalProperties(ctx)
		if err != nil {
			return nil, err
		}
		return &p.Parameters.CurrentFees, nil
	}
	f := w.facts.current(w.now())
	f.mu.RLock()
	p := f.agreed.global
	f.mu.RUnlock()
	if p != nil {
		return &p.Parameters.CurrentFees, nil
	}
	ask := func(ctx context.Context, q daemonclient.Queries) (ledger.GlobalProperties, error) {
		return q.GlobalProperties(ctx)
	}
	got, err := daemonclient.AskQuorum(ctx, w.daemon, "the fees", ask, func(p ledger.GlobalProperties) string {
		text, err := codec.Marshal(p.Parameters.CurrentFees)
		if err != nil {
			return "unreadable"
		}
		return string(text)
	})
	if err != nil {
		return nil, fault.Daemon("reading the fees", err)
	}
	f.mu.Lock()
	f.agreed.global = &got
	f.mu.Unlock()
	return &got.Parameters.CurrentFees, nil
}
