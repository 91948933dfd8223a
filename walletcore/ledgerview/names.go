package ledgerview

import (
	"context"

	"billfold/ledger"
)

// Namer returns a namer that knows all that m mentions: from the key file, the pins and the
// history index, else from the daemon; without one, ids stand for names. Assets are asked for once per head block all the same:
// one that is no longer as it is pinned has no decimals, and a symbol that says so.
func (v *View) Namer(ctx context.Context, m *Mentions) (*Namer, error) {
	m.Distinct()
	refs := v.Recall(ctx, m)
	unknown := false
	for _, id := range m.Assets {
		if _, known := refs[id]; !known {
			refs[id] = v.Pins.AssetOr(AssetRef{ID: id, Symbol: id.String()})
			unknown = true
		}
	}
	n := &Namer{v.Accounts.Ref, refs, v.NFTs.known(m.Kinds)}
	if !v.Chain.IsOnline() {
		return n, nil
	}
	err := v.Accounts.learn(ctx, m.Accounts)
	if err != nil {
		return nil, err
	}
	if n.Kinds, err = v.NFTs.symbols(ctx, m.Kinds); err != nil {
		return nil, err
	}
	found, err := v.Assets.ByID(ctx, m.Assets)
	if err != nil && unknown {
		return nil, err
	}
	for id, ref := range found {
		if ref.Symbol != id.String() { // a daemon that has lost it does not take its name away
			refs[id] = ref
		}
	}
	return n, nil
}

// Recall makes the names known that the key file, the pins and the index keep,
// and returns the assets of the index. What was pinned goes before what the index says.
func (v *View) Recall(ctx context.Context, m *Mentions) map[ledger.AssetID]AssetRef {
	out := map[ledger.AssetID]AssetRef{}
	ask := v.Accounts.unknown(m.Accounts)
	var assets []ledger.AssetID
	for _, id := range m.Assets {
		if _, known := v.Pins.assets.recall(id); !known && id != ledger.CoreAsset {
			assets = append(assets, id)
		}
	}
	if err := v.Pins.warm(ctx, ask, assets); err != nil {
		v.log.Debug("store: reading pins", "error", err)
	}
	names, refs, err := v.index.Names(ctx, ask, m.Assets)
	if err != nil {
		v.log.Debug("history index: reading names", "error", err)
	}
	v.Accounts.remember(names)
	for id, a := range refs {
		out[id] = v.Pins.AssetOr(a)
	}
	return out
}

// PrettyBalance is one row of list_account_balances.
type PrettyBalance struct {
	ledger.AssetAmount
	Pretty string `json:"pretty_amount"` // "1.50000000 DCT"; no decimals when whole
}

// PrettyBalances reads what an account, by name or id, holds, in the daemon's order.
func (v *View) PrettyBalances(ctx context.Context, account string) ([]PrettyBalance, error) {
	a, err := v.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	held, err := v.Assets.Holdings(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	out := make([]PrettyBalance, len(held))
	for i, b := range held {
		out[i] = PrettyBalance{ledger.AssetAmount{Amount: b.Amount, AssetID: b.Asset.ID},
			ledger.FormatAmount(b.Amount, b.Asset.Precision) + " " + b.Asset.Symbol}
	}
	return out, nil
}
