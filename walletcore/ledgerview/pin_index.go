package ledgerview

import (
	"context"
	"log/slog"
	"slices"

	"billfold/ledger"
)

// indexPins adds to pins what the history index knows about objects that have none, so
// that accounts and assets from earlier payments are not new. Pins take precedence over
// the index, which may have been read from a daemon that lied. If the index cannot be
// read, that is only logged: it can be rebuilt, and must not keep anyone from paying.
type indexPins struct {
	index Index
	log   *slog.Logger
}

// accounts adds the accounts that no pin in kept covers.
func (x indexPins) accounts(ctx context.Context, kept []accountPin, ids []ledger.AccountID, names []string) ([]accountPin, error) {
	has := func(wanted func(accountPin) bool) bool { return slices.ContainsFunc(kept, wanted) }
	ids = slices.DeleteFunc(slices.Clone(ids), func(id ledger.AccountID) bool {
		return has(func(p accountPin) bool { return p.id == id })
	})
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return has(func(p accountPin) bool { return p.fact == name })
	})
	if len(ids)+len(names) == 0 {
		return kept, nil
	}
	known, _, err := x.index.Names(ctx, ids, nil)
	if err != nil {
		x.log.Warn("history index: it cannot be read", "error", err)
		return kept, nil
	}
	found := make([]accountPin, 0, len(known))
	for id, name := range known {
		found = append(found, accountPin{id: id, fact: name, source: historySource})
	}
	for _, name := range names {
		named, err := x.index.AccountsNamed(ctx, name)
		if err != nil {
			x.log.Warn("history index: it cannot be read", "error", err)
			return kept, nil
		}
		for _, id := range named {
			found = append(found, accountPin{id: id, fact: name, source: historySource})
		}
	}
	for _, f := range found {
		if !has(func(p accountPin) bool { return p.id == f.id || p.fact == f.fact }) {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// assets adds the assets that no pin in kept covers.
func (x indexPins) assets(ctx context.Context, kept []assetPin, ids []ledger.AssetID, symbols []string) ([]assetPin, error) {
	all, err := x.index.Assets(ctx)
	if err != nil {
		x.log.Warn("history index: it cannot be read", "error", err)
		return kept, nil
	}
	for _, a := range all {
		asked := slices.Contains(ids, a.ID) || slices.Contains(symbols, a.Symbol)
		taken := func(p assetPin) bool { return p.id == a.ID || p.fact.symbol == a.Symbol }
		if asked && a.ID != DCT().ID && !slices.ContainsFunc(kept, taken) {
			kept = append(kept, assetPin{id: a.ID, fact: assetFact{a.Symbol, a.Precision}, source: historySource})
		}
	}
	return kept, nil
}
