package uitest

import (
	"billfold/ledger"
	corehistory "billfold/walletcore/history"
	historyexport "billfold/walletcore/history/export"
	"billfold/walletcore/historyindex"
	"context"
	"time"
)

// Progress implements a part of tui.Core.
func (p *FakeWallet) Progress(ctx context.Context, id ledger.AccountID) (corehistory.Progress, error) {
	if p.Index == nil || p.IndexErr != nil {
		return corehistory.Progress{}, p.IndexErr
	}
	return p.Index.History.Progress(ctx, id)
}

// Find implements a part of tui.Core.
func (p *FakeWallet) Find(ctx context.Context, id ledger.AccountID, words string, now time.Time) (historyindex.Filter, error) {
	return p.Index.Filter.Find(ctx, id, words, now)
}

// Page implements a part of tui.Core.
func (p *FakeWallet) Page(
	ctx context.Context,
	id ledger.AccountID,
	f historyindex.Filter,
	win historyindex.Window,
) ([]corehistory.Entry, error) {
	return p.Index.History.Page(ctx, id, f, win)
}

// Count implements a part of tui.Core.
func (p *FakeWallet) Count(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (uint64, error) {
	return p.Index.History.Count(ctx, id, f)
}

// Totals implements a part of tui.Core.
func (p *FakeWallet) Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (corehistory.Totals, error) {
	time.Sleep(p.CountTakes)
	return p.Index.History.Totals(ctx, id, f)
}

// Position implements a part of tui.Core.
func (p *FakeWallet) Position(ctx context.Context, id ledger.AccountID, f historyindex.Filter, row ledger.HistoryID) (uint64, error) {
	return p.Index.History.Position(ctx, id, f, row)
}

// Jump implements a part of tui.Core.
func (p *FakeWallet) Jump(
	ctx context.Context,
	id ledger.AccountID,
	f historyindex.Filter,
	at ledger.Time,
) (historyindex.Place, bool, error) {
	return p.Index.History.Jump(ctx, id, f, at)
}

// Export implements a part of tui.Core.
func (p *FakeWallet) Export(ctx context.Context, id ledger.AccountID, e historyexport.Request, progress func(uint64)) (uint64, error) {
	time.Sleep(p.ExportTakes)
	return historyexport.New(p.Index.History).Export(ctx, id, e, progress)
}
