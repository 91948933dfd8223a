package history

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// storeFinalNames stores the names in the rows that a step makes final: new rows, and
// rows that were in the index before.
func (f *Filler) storeFinalNames(ctx context.Context, prev historyindex.Status, batch historyindex.Batch) error {
	final := max(prev.Final, batch.Final)
	var rows []historyindex.Row
	if prev.Known() && final > prev.Final {
		page, err := f.Index.Page(
			ctx,
			prev.Account,
			historyindex.Filter{FromBlock: prev.Final + 1, ToBlock: final},
			historyindex.Window{Limit: int(prev.Rows())},
		)
		if err != nil {
			return err
		}
		for _, r := range page.Rows {
			if r.Seq < batch.From {
				rows = append(rows, r)
			}
		}
	}
	for _, r := range batch.Rows {
		if r.Block <= final {
			rows = append(rows, r)
		}
	}
	return f.storeNames(ctx, rows)
}

// storeNames stores the names that final rows mention. It asks the daemon for them even
// if they are cached: a cached name may be from a block that a fork dropped.
func (f *Filler) storeNames(ctx context.Context, rows []historyindex.Row) error {
	var m ledgerview.Mentions
	for _, row := range rows {
		r, err := readRecord(row.Raw)
		if err != nil {
			return err
		}
		m.Add(r.Op)
	}
	m.Distinct()
	have, err := f.Index.Names(ctx, m.Accounts, m.Assets)
	if err != nil {
		return err
	}
	names := historyindex.Names{Accounts: map[ledger.AccountID]string{}, Assets: map[ledger.AssetID]historyindex.Asset{}}
	if err := f.readAccountNames(ctx, m.Accounts, have, names); err != nil {
		return err
	}
	if err := f.readAssetNames(ctx, m.Assets, have, names); err != nil {
		return err
	}
	return f.Index.PutNames(ctx, names)
}

// maxNames is the maximum number of ids in one query to the daemon.
const maxNames = 100

func (f *Filler) readAccountNames(ctx context.Context, ids []ledger.AccountID, have, names historyindex.Names) error {
	var ask []ledger.AccountID
	for _, id := range ids {
		if _, known := have.Accounts[id]; !known {
			ask = append(ask, id)
		}
	}
	for len(ask) > 0 {
		n := min(len(ask), maxNames)
		found, err := f.Daemon.GetAccounts(ctx, ask[:n])
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
		if err := f.View.Pins.CheckAccounts(ctx, refs...); err != nil {
			return err
		}
		ask = ask[n:]
	}
	return nil
}

func (f *Filler) readAssetNames(ctx context.Context, ids []ledger.AssetID, have, names historyindex.Names) error {
	var ask []ledger.AssetID
	for _, id := range ids {
		if _, known := have.Assets[id]; !known {
			ask = append(ask, id)
		}
	}
	for len(ask) > 0 {
		n := min(len(ask), maxNames)
		found, err := f.Daemon.GetAssets(ctx, ask[:n])
		if err != nil {
			return err
		}
		var refs []ledgerview.AssetRef
		for _, a := range found {
			if a != nil {
				refs = append(refs, ledgerview.AssetRefOf(a))
			}
		}
		doubts, err := f.View.Pins.Doubts(ctx, refs...)
		if err != nil {
			return err
		}
		for _, a := range refs {
			if doubts[a.ID] == nil { // an asset in doubt is not stored, but does not hold up the others
				names.Assets[a.ID] = historyindex.Asset{Symbol: a.Symbol, Precision: a.Precision}
			}
		}
		ask = ask[n:]
	}
	return nil
}
