package ledgerview

import (
	"context"
	"maps"
	"slices"

	"billfold/ledger"
)

// Namer returns a namer for everything that m mentions. Names come from the key file, the pins and the history index, or else from the
// daemon; without a daemon, ids take the place of unknown names. Assets are read once per head block in any case: one that contradicts
// its pin has precision 0, and a symbol that shows the doubt.
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
	n := &Namer{Ref: v.Accounts.Ref, Assets: refs, Tokens: v.NFTs.knownKinds(m.Tokens)}
	if !v.Chain.IsOnline() {
		n.Kinds = v.NFTs.knownSymbols(slices.AppendSeq(m.Kinds, maps.Values(n.Tokens)))
		return n, nil
	}
	err := v.Accounts.loadNames(ctx, m.Accounts)
	if err != nil {
		return nil, err
	}
	if n.Tokens, err = v.NFTs.readKinds(ctx, m.Tokens); err != nil {
		return nil, err
	}
	m.Kinds = slices.AppendSeq(m.Kinds, maps.Values(n.Tokens))
	m.Distinct()
	if n.Kinds, err = v.NFTs.readSymbols(ctx, m.Kinds); err != nil {
		return nil, err
	}
	found, err := v.Assets.ByID(ctx, m.Assets)
	if err != nil && unknown {
		return nil, err
	}
	for id, ref := range found {
		if ref.Symbol != id.String() { // keep the name if the daemon no longer has the asset
			refs[id] = ref
		}
	}
	return n, nil
}

// Recall loads the names that m mentions from the key file, the pins and the index, and
// returns the assets that are in the index. Pins take precedence over the index.
func (v *View) Recall(ctx context.Context, m *Mentions) map[ledger.AssetID]AssetRef {
	out := map[ledger.AssetID]AssetRef{}
	unnamed := v.Accounts.unnamed(m.Accounts)
	var assets []ledger.AssetID
	for _, id := range m.Assets {
		if _, known := v.Pins.assets.recall(id); !known && id != ledger.CoreAsset {
			assets = append(assets, id)
		}
	}
	if err := v.Pins.preload(ctx, unnamed, assets); err != nil {
		v.log.Debug("store: reading pins", "error", err)
	}
	names, refs, err := v.index.Names(ctx, unnamed, m.Assets)
	if err != nil {
		v.log.Debug("history index: reading names", "error", err)
	}
	v.Accounts.rememberNames(names)
	for id, a := range refs {
		out[id] = v.Pins.AssetOr(a)
	}
	return out
}

// PrettyBalance is one row of list_account_balances.
type PrettyBalance struct {
	ledger.AssetAmount
	Pretty string `json:"pretty_amount"` // such as "1.50000000 DCT"; no decimals if they are zero
}

// PrettyBalances reads what an account, given by name or id, holds, in the daemon's order.
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
