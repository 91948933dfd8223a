package walletcore

import (
	"context"
	"errors"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// recallNames makes the names known that the key file, the pins and the index keep,
// and gives the assets of the index. What was pinned goes before what the index says.
func (w *Wallet) recallNames(ctx context.Context, m *ledgerview.Mentions) map[ledger.AssetID]ledgerview.AssetRef {
	out := map[ledger.AssetID]ledgerview.AssetRef{}
	var ask []ledger.AccountID
	for _, id := range m.Accounts {
		if _, known := w.nameOf(id); !known {
			ask = append(ask, id)
		}
	}
	var assets []ledger.AssetID
	for _, id := range m.Assets {
		if _, known := w.pins.assets.recall(id); !known && id != ledger.CoreAsset {
			assets = append(assets, id)
		}
	}
	if err := errors.Join(w.pins.accounts.warm(ctx, ask), w.pins.assets.warm(ctx, assets)); err != nil {
		w.log.Debug("store: reading pins", "error", err)
	}
	if !w.indexed() {
		return out
	}
	names, err := w.index.Names(ctx, ask, m.Assets)
	if err != nil {
		w.log.Debug("history index: reading names", "error", err)
	}
	w.names.put(names.Accounts)
	for id, a := range names.Assets {
		out[id] = w.pinnedAssetOr(ledgerview.AssetRef{ID: id, Symbol: a.Symbol, Precision: a.Precision})
	}
	return out
}

// namesFor makes known what records speak of: from the index, else from the
// daemon; without one, ids stand for names.
func (w *Wallet) namesFor(ctx context.Context, m *ledgerview.Mentions) (map[ledger.AssetID]ledgerview.AssetRef, error) {
	m.Distinct()
	refs := w.recallNames(ctx, m)
	var ask []ledger.AssetID
	for _, id := range m.Assets {
		if _, known := refs[id]; !known {
			refs[id] = w.pinnedAssetOr(ledgerview.AssetRef{ID: id, Symbol: id.String()})
			ask = append(ask, id)
		}
	}
	if w.daemon.Status().State != daemonclient.Online {
		return refs, nil
	}
	if err := w.accountNames(ctx, m.Accounts); err != nil {
		return nil, err
	}
	found, err := w.assetsByID(ctx, ask)
	if err != nil {
		return nil, err
	}
	for id, ref := range found {
		refs[id] = ref
	}
	return refs, nil
}

// forget drops all names; they are asked for again.
func (c *nameCache) forget() {
	c.mu.Lock()
	c.by = nil
	c.mu.Unlock()
}

// keystoreChain is the chain that the wallet's keys belong to; zero while none
// is known.
func (w *Wallet) keystoreChain() ledger.ChainID {
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	if store == nil {
		return ledger.ChainID{}
	}
	return store.ChainID()
}

// indexed reports whether there is an index of the wallet's chain.
func (w *Wallet) indexed() bool {
	if w.index == nil {
		return false
	}
	chain := w.index.Chain()
	return chain != (ledger.ChainID{}) && chain == w.keystoreChain()
}

// describer makes everything mentioned known.
func (w *Wallet) describer(ctx context.Context, m *ledgerview.Mentions) (*ledgerview.Namer, error) {
	return viewPart{w}.NamerOf(ctx, m)
}
