package history

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// keepNames keeps the names that rows speak of which a step makes final: its
// own ones, and those that were there before.
func (f *Filler) keepNames(ctx context.Context, was historyindex.Status, batch historyindex.Batch) error {
	final := max(was.Final, batch.Final)
	var rows []historyindex.Row
	if was.Known() && final > was.Final {
		page, err := f.Index.Page(
			ctx,
			was.Account,
			historyindex.Filter{FromBlock: was.Final + 1, ToBlock: final},
			historyindex.Window{Limit: int(was.Rows())},
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
	return f.names(ctx, rows)
}

// names keeps the names that final rows speak of. They are asked for again: what
// was known before may be of a block that was forked away.
func (f *Filler) names(ctx context.Context, rows []historyindex.Row) error {
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
	if err := f.askAccounts(ctx, m.Accounts, have, names); err != nil {
		return err
	}
	if err := f.askAssets(ctx, m.Assets, have, names); err != nil {
		return err
	}
	return f.Index.PutNames(ctx, names)
}

// mostNames is how many ids one question names.
const mostNames = 100

func (f *Filler) askAccounts(ctx context.Context, ids []ledger.AccountID, have, names historyindex.Names) error {
	var ask []ledger.AccountID
	for _, id := range ids {
		if _, known := have.Accounts[id]; !known {
			ask = append(ask, id)
		}
	}
	for len(ask) > 0 {
		n := min(len(ask), mostNames)
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

func (f *Filler) askAssets(ctx context.Context, ids []ledger.AssetID, have, names historyindex.Names) error {
	var ask []ledger.AssetID
	for _, id := range ids {
		if _, known := have.Assets[id]; !known {
			ask = append(ask, id)
		}
	}
	for len(ask) > 0 {
		n := min(len(ask), mostNames)
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
			if doubts[a.ID] == nil { // what is in doubt is not kept, and holds up nothing else
				names.Assets[a.ID] = historyindex.Asset{Symbol: a.Symbol, Precision: a.Precision}
			}
		}
		ask = ask[n:]
	}
	return nil
}
