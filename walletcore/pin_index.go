package walletcore

import (
	"context"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// historySource is the source of what the index of the history says.
const historySource = "the history of this wallet's accounts"

// indexedAccounts adds to pins what the history index knows of the others that are
// asked for: who was paid, or paid, in an earlier run is not seen for the first time. A
// pin goes before the index, which may have been read from a daemon that lied.
func (w *Wallet) indexedAccounts(ctx context.Context, kept []accountPin, ids []ledger.AccountID, names []string) ([]accountPin, error) {
	if !w.indexed() {
		return kept, nil
	}
	known, err := w.index.Names(ctx, ids, nil)
	if err != nil { // it can be rebuilt, and is no reason not to pay
		w.log.Warn("history index", "error", err)
		return kept, nil
	}
	for _, name := range names {
		named, err := w.index.AccountsNamed(ctx, likeExactly(name), 2)
		if err != nil {
			w.log.Warn("history index", "error", err)
			return kept, nil
		}
		for id, text := range named {
			if text == name {
				known.Accounts[id] = text
			}
		}
	}
	for id, name := range known.Accounts {
		taken := func(p accountPin) bool { return p.id == id || p.fact == name }
		if !slices.ContainsFunc(kept, taken) {
			kept = append(kept, accountPin{id: id, fact: name, source: historySource})
		}
	}
	return kept, nil
}

// likeExactly is the pattern that only text itself fits.
func likeExactly(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}

// indexedAssets is indexedAccounts for assets.
func (w *Wallet) indexedAssets(ctx context.Context, kept []assetPin, ids []ledger.AssetID, symbols []string) ([]assetPin, error) {
	if !w.indexed() {
		return kept, nil
	}
	all, err := w.index.Assets(ctx) // few: those that own accounts met
	if err != nil {
		w.log.Warn("history index", "error", err)
		return kept, nil
	}
	for id, a := range all {
		asked := slices.Contains(ids, id) || slices.Contains(symbols, a.Symbol)
		taken := func(p assetPin) bool { return p.id == id || p.fact.symbol == a.Symbol }
		if asked && id != ledgerview.DCT().ID && !slices.ContainsFunc(kept, taken) {
			kept = append(kept, assetPin{id: id, fact: assetFact{a.Symbol, a.Precision}, source: historySource})
		}
	}
	return kept, nil
}
