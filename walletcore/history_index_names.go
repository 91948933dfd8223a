package walletcore

import (
	"context"
	"errors"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// keepNames keeps the names that rows speak of which a step makes final: its
// own ones, and those that were there before.
func (f *historyFiller) keepNames(ctx context.Context, was historyindex.Standing, step historyindex.Step) error {
	final := max(was.Final, step.Final)
	var rows []historyindex.Row
	if was.Known() && final > was.Final {
		page, err := f.w.index.Page(ctx, was.Account, historyindex.Filter{FromBlock: was.Final + 1, ToBlock: final}, historyindex.Window{Limit: int(was.Rows())})
		if err != nil {
			return err
		}
		for _, r := range page.Rows {
			if r.Seq < step.From {
				rows = append(rows, r)
			}
		}
	}
	for _, r := range step.Rows {
		if r.Block <= final {
			rows = append(rows, r)
		}
	}
	return f.names(ctx, rows)
}

// names keeps the names that final rows speak of. They are asked for anew: what
// was known before may be of a block that was forked away.
func (f *historyFiller) names(ctx context.Context, rows []historyindex.Row) error {
	var m ledgerview.Mentions
	for _, row := range rows {
		r, err := readRecord(row.Raw)
		if err != nil {
			return err
		}
		m.Add(r.Op)
	}
	m.Distinct()
	have, err := f.w.index.Names(ctx, m.Accounts, m.Assets)
	if err != nil {
		return err
	}
	names := historyindex.Names{Accounts: map[ledger.AccountID]string{}, Assets: map[ledger.AssetID]historyindex.Asset{}}
	if err := f.askAccounts(ctx, m.Accounts, have, names); err != nil {
		return err
	}
	if err := f.askAssets(ctx, m.Assets, have, names); err != nil {
		return err
	}
	return f.w.index.PutNames(ctx, names)
}

// mostNames is how many ids one question names.
const mostNames = 100

func (f *historyFiller) askAccounts(ctx context.Context, ids []ledger.AccountID, have, names historyindex.Names) error {
	var ask []ledger.AccountID
	for _, id := range ids {
		if _, known := have.Accounts[id]; !known {
			ask = append(ask, id)
		}
	}
	for len(ask) > 0 {
		n := min(len(ask), mostNames)
		found, err := f.w.daemon.GetAccounts(ctx, ask[:n])
		if err != nil {
			return err
		}
		var refs []ledgerview.AccountRef
		for _, a := range found {
			if a != nil {
				names.Accounts[a.ID] = a.Name
				refs = append(refs, ledgerview.AccountRef{ID: a.ID, Name: a.Name})
			}
		}
		if err := f.w.checkAccounts(ctx, refs...); err != nil {
			return err
		}
		ask = ask[n:]
	}
	return nil
}

func (f *historyFiller) askAssets(ctx context.Context, ids []ledger.AssetID, have, names historyindex.Names) error {
	var ask []ledger.AssetID
	for _, id := range ids {
		if _, known := have.Assets[id]; !known {
			ask = append(ask, id)
		}
	}
	for len(ask) > 0 {
		n := min(len(ask), mostNames)
		found, err := f.w.daemon.GetAssets(ctx, ask[:n])
		if err != nil {
			return err
		}
		var refs []ledgerview.AssetRef
		for _, a := range found {
			if a != nil {
				names.Assets[a.ID] = historyindex.Asset{Symbol: a.Symbol, Precision: a.Precision}
				refs = append(refs, ledgerview.AssetRefOf(a))
			}
		}
		if err := f.w.checkAssets(ctx, refs...); err != nil {
			return err
		}
		ask = ask[n:]
	}
	return nil
}

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
