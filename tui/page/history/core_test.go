package history_test

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/page/history"
	corehistory "billfold/walletcore/history"
	historyexport "billfold/walletcore/history/export"
	"billfold/walletcore/historyindex"
)

// slowCounter adds up late.
type slowCounter struct {
	history.Counter
	takes time.Duration
}

func (s slowCounter) Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (corehistory.Totals, error) {
	time.Sleep(s.takes)
	return s.Counter.Totals(ctx, id, f)
}

// slowExporter begins to write late.
type slowExporter struct {
	history.Exporter
	takes time.Duration
}

func (s slowExporter) Export(ctx context.Context, id ledger.AccountID, e historyexport.Request, told func(uint64)) (uint64, error) {
	time.Sleep(s.takes)
	return s.Exporter.Export(ctx, id, e, told)
}

// brokenIndex cannot be read once it has an error.
type brokenIndex struct {
	history.Index
	err error
}

func (b *brokenIndex) Progress(ctx context.Context, id ledger.AccountID) (corehistory.Progress, error) {
	if b.err != nil {
		return corehistory.Progress{}, b.err
	}
	return b.Index.Progress(ctx, id)
}
