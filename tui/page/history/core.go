package history

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/walletcore"
)

// Core is what the page needs of the wallet.
type Core struct {
	Recent   Recent
	Index    Index
	Rows     Rows
	Counter  Counter
	Exporter Exporter
}

// Recent reads rows from the node, the newest first; it needs no index.
type Recent interface {
	History(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]walletcore.HistoryEntry, error)
}

// Index knows how far the rows on disk reach, and what the words of a filter mean.
type Index interface {
	HistoryProgress(ctx context.Context, id ledger.AccountID) (walletcore.HistoryProgress, error)
	HistoryFind(ctx context.Context, id ledger.AccountID, words string, now time.Time) (walletcore.HistoryFilter, error)
}

// Rows reads rows on disk, and finds their positions.
type Rows interface {
	HistoryPage(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter,
		win walletcore.HistoryWindow) ([]walletcore.HistoryEntry, error)
	HistoryPosition(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter, row ledger.HistoryID) (uint64, error)
	HistoryJump(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter, at ledger.Time) (walletcore.HistoryPlace, bool, error)
}

// Counter counts rows on disk, and adds up what they move.
type Counter interface {
	HistoryCount(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter) (uint64, error)
	HistoryTally(ctx context.Context, id ledger.AccountID, f walletcore.HistoryFilter) (walletcore.HistoryTally, error)
}

// Exporter writes rows to a file.
type Exporter interface {
	HistoryExport(ctx context.Context, id ledger.AccountID, e walletcore.HistoryExport, told func(rows uint64)) (uint64, error)
}

// The topics of the page's tasks.
const (
	look   = "look"   // a window of rows
	totals = "totals" // how many match, and what they move
	older  = "older"  // without an index: the page before the oldest row
	newest = "newest" // without an index: the newest page
)

// readLimit is how long one reading may take.
const readLimit = 30 * time.Second
