package history

import (
	"context"
	"time"

	"billfold/walletcore/history"
	historyexport "billfold/walletcore/history/export"
	words "billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/vault"

	"billfold/ledger"
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

// Recent reads rows from the node, the newest first; it needs no index.
type Recent interface {
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
}

// Index knows how far the rows on disk reach, and what the words of a filter mean.
type Index interface {
	Progress(ctx context.Context, id ledger.AccountID) (history.Progress, error)
	FindSoon(ctx context.Context, id ledger.AccountID, text string, now time.Time, soon time.Duration) (words.Found, error)
}

// Rows reads rows on disk, and finds their positions.
type Rows interface {
	Page(ctx context.Context, id ledger.AccountID, f historyindex.Filter,
		win historyindex.Window) ([]history.Entry, error)
	Position(ctx context.Context, id ledger.AccountID, f historyindex.Filter, row ledger.HistoryID) (uint64, error)
	Jump(ctx context.Context, id ledger.AccountID, f historyindex.Filter, at ledger.Time) (historyindex.Place, bool, error)
}

// Counter counts rows on disk, and adds up what they move.
type Counter interface {
	Count(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (uint64, error)
	Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (history.Totals, error)
}

// Exporter writes rows to a file.
type Exporter interface {
	Export(ctx context.Context, id ledger.AccountID, e historyexport.Request, progress func(rows uint64)) (uint64, error)
}

// Transactions knows transactions by where they are.
type Transactions interface {
	Transaction(ctx context.Context, at historyindex.TrxPosition) (Transaction, error)
}

// Transaction is what is known of one besides its rows.
type Transaction struct {
	ID    string    // "": nobody has it
	Final time.Time // when this wallet saw it to be irreversible; zero where that is not known
}

// Labels keeps what the person wrote on rows.
type Labels interface {
	Of(row label.Row) (string, vault.MemoState)
	Set(ctx context.Context, row label.Row, text string) error
}

// The topics of the page's tasks.
const (
	look   = "look"   // a window of rows
	totals = "totals" // how many match, and what they move
	older  = "older"  // without an index: the page before the oldest row
	newest = "newest" // without an index: the newest page

	identify  = "identify"  // the id of the transaction in focus
	labelling = "labelling" // a label is written
	spanning  = "spanning"  // how many rows an export has
)

// readLimit is how long one reading may take.
const readLimit = 30 * time.Second
