package history

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/walletcore/history"
	historyexport "billfold/walletcore/history/export"
	words "billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/vault"
)

// Core is what the page needs of the wallet.
type Core struct {
	Recent   Recent
	Index    Index
	Rows     Rows
	Counter  Counter
	Exporter Exporter

	Transactions Transactions
	Labels       Labels
}

// Recent reads rows from the node, newest first; it needs no index.
type Recent interface {
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
}

// Index reports how far the rows on disk reach, and parses filters. FindSoon searches memos for at most soon.
type Index interface {
	Progress(ctx context.Context, id ledger.AccountID) (history.Progress, error)
	FindSoon(ctx context.Context, id ledger.AccountID, text string, now time.Time, soon time.Duration) (words.Found, error)
}

// Rows reads rows from disk and finds their positions.
type Rows interface {
	Page(ctx context.Context, id ledger.AccountID, f historyindex.Filter,
		win historyindex.Window) ([]history.Entry, error)
	Position(ctx context.Context, id ledger.AccountID, f historyindex.Filter, row ledger.HistoryID) (uint64, error)
	Jump(ctx context.Context, id ledger.AccountID, f historyindex.Filter, at ledger.Time) (historyindex.Place, bool, error)
}

// Counter counts rows on disk and adds up the amounts that they move.
type Counter interface {
	Count(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (uint64, error)
	Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (history.Totals, error)
}

// Exporter writes rows to a file.
type Exporter interface {
	Export(ctx context.Context, id ledger.AccountID, e historyexport.Request, progress func(rows uint64)) (uint64, error)
}

// Transactions finds transactions by block and position in it.
type Transactions interface {
	Transaction(ctx context.Context, at historyindex.TrxPosition) (Transaction, error)
}

// Transaction is what is known about a transaction besides its rows.
type Transaction struct {
	ID    string    // empty: the node has no such block
	Final time.Time // when this wallet first saw it irreversible; zero if that is not known
}

// Labels keeps what the person wrote on rows.
type Labels interface {
	Of(row label.Row) (string, vault.MemoState)
	Set(ctx context.Context, row label.Row, text string) error
}

// The topics of the page's tasks.
const (
	topicWindow = "look"   // a window of rows
	topicTotals = "totals" // how many rows match, and what they move
	topicOlder  = "older"  // without an index: a page of older rows
	topicNewest = "newest" // without an index: the newest page

	topicTransaction = "identify"  // the transaction of the row in focus
	topicLabel       = "labelling" // a label is saved
	topicExportCount = "spanning"  // how many rows an export will have
)

// readLimit is how long one reading may take.
const readLimit = 30 * time.Second
