package walletcore

import (
	"context"
	"encoding/json"
	"sort"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// Asset finds an asset by symbol or id, as of the head block. Errors:
// fault.EmptyAsset, fault.NoSuchAsset, fault.DaemonContradicts, or the daemon's.
func (w *Wallet) Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error) {
	f := w.facts.current(w.now())
	if a := recall(f, f.assets, symbolOrID); a != nil {
		return a, nil
	}
	raw, err := w.AssetRaw(ctx, symbolOrID)
	if err != nil {
		return nil, err
	}
	a := new(ledger.Asset)
	if err := codec.Unmarshal(raw, a); err != nil {
		return nil, fault.Daemon("reading asset "+fault.Quote(symbolOrID), err)
	}
	remember(f, f.assets, a, a.Symbol, a.ID.String())
	return a, nil
}

// AssetRaw is Asset as the daemon wrote it.
func (w *Wallet) AssetRaw(ctx context.Context, symbolOrID string) (json.RawMessage, error) {
	if symbolOrID == "" {
		return nil, &fault.Error{Code: fault.EmptyAsset, Op: "get_asset", Message: "an asset symbol or id is needed, not empty text", Hint: "write a symbol such as DCT, or an id such as 1.3.0"}
	}
	var found []json.RawMessage
	var err error
	if id, failure := ledger.ParseAssetID(symbolOrID); failure == nil {
		found, err = w.daemon.GetAssetsRaw(ctx, []ledger.AssetID{id})
	} else {
		found, err = w.daemon.LookupAssetSymbolsRaw(ctx, []string{symbolOrID})
	}
	if err != nil {
		return nil, fault.Daemon("looking up asset "+fault.Quote(symbolOrID), err)
	}
	if len(found) != 1 || isNull(found[0]) {
		return nil, fault.AssetUnknown(symbolOrID)
	}
	refs, err := w.checkRawAssets(ctx, found)
	if err != nil {
		return nil, err
	}
	w.lookedUpAsset(refs[0].ID)
	return found[0], nil
}

// checkRawAssets is checkAssets for what a daemon wrote, and gives the assets; null
// is skipped.
func (w *Wallet) checkRawAssets(ctx context.Context, raws []json.RawMessage) ([]ledgerview.AssetRef, error) {
	refs := make([]ledgerview.AssetRef, 0, len(raws))
	for _, raw := range raws {
		if isNull(raw) {
			continue
		}
		var a struct {
			ID        ledger.AssetID `json:"id"`
			Symbol    string         `json:"symbol"`
			Precision uint8          `json:"precision"`
		}
		if err := codec.Unmarshal(raw, &a); err != nil {
			return nil, fault.Daemon("reading an asset", err)
		}
		refs = append(refs, ledgerview.AssetRef{ID: a.ID, Symbol: a.Symbol, Precision: a.Precision})
	}
	return refs, w.checkAssets(ctx, refs...)
}

// assetsByID reads assets in one call.
func (w *Wallet) assetsByID(ctx context.Context, ids []ledger.AssetID) (map[ledger.AssetID]ledgerview.AssetRef, error) {
	out := make(map[ledger.AssetID]ledgerview.AssetRef, len(ids))
	f := w.facts.current(w.now())
	var ask []ledger.AssetID
	for _, id := range ids {
		if _, done := out[id]; done {
			continue
		}
		if a := recall(f, f.assets, id.String()); a != nil {
			out[id] = ledgerview.AssetRefOf(a)
			continue
		}
		if out[id] = (ledgerview.AssetRef{ID: id, Symbol: id.String()}); id == ledgerview.DCT().ID {
			out[id] = ledgerview.DCT()
			continue
		}
		ask = append(ask, id)
	}
	if len(ask) == 0 {
		return out, nil
	}
	found, err := w.daemon.GetAssets(ctx, ask)
	if err != nil {
		return nil, fault.Daemon("reading assets", err)
	}
	var refs []ledgerview.AssetRef
	for _, a := range found {
		if a != nil {
			refs = append(refs, ledgerview.AssetRefOf(a))
		}
	}
	if err := w.checkAssets(ctx, refs...); err != nil {
		return nil, err
	}
	for _, a := range found {
		if a != nil {
			remember(f, f.assets, a, a.Symbol, a.ID.String())
			out[a.ID] = ledgerview.AssetRefOf(a)
		}
	}
	return out, nil
}

// Balances reads what an account holds: DCT first, then by symbol.
func (w *Wallet) Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error) {
	amounts, assets, err := w.holdings(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]ledgerview.Balance, len(amounts))
	for i, a := range amounts {
		out[i] = ledgerview.Balance{Asset: assets[a.AssetID], Amount: a.Amount}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i].Asset, out[j].Asset
		if (a.ID == ledger.CoreAsset) != (b.ID == ledger.CoreAsset) {
			return a.ID == ledger.CoreAsset
		}
		return a.Symbol < b.Symbol
	})
	return out, nil
}

// holdings reads what an account holds, in the daemon's order, and the assets it
// is in.
func (w *Wallet) holdings(ctx context.Context, id ledger.AccountID) ([]ledger.AssetAmount, map[ledger.AssetID]ledgerview.AssetRef, error) {
	amounts, err := w.daemon.GetAccountBalances(ctx, id)
	if err != nil {
		return nil, nil, fault.Daemon("reading balances", err)
	}
	ids := make([]ledger.AssetID, len(amounts))
	for i, a := range amounts {
		ids[i] = a.AssetID
	}
	assets, err := w.assetsByID(ctx, ids)
	if err == nil {
		for _, asset := range ids { // what is held is paid with some day
			w.lookedUpAsset(asset)
		}
	}
	return amounts, assets, err
}
