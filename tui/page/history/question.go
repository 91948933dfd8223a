package history

import (
	"time"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// kind is how a place is given.
type kind int

const (
	atPosition  kind = iota // how many matching rows are newer
	atRow                   // a row, or where it would be
	atOldest                // the oldest row
	atTime                  // the newest row not later than a time
	atDayBefore             // the newest row of the last day before that of the time
	atDayAfter              // the newest row of the next day after that of the time
)

// place is where a window of rows is wanted; kind selects which of the other fields counts.
type place struct {
	kind kind
	pos  int
	id   ledger.HistoryID
	time ledger.Time
}

// order is the order of the rows on screen.
type order int

const (
	newestFirst order = iota
	oldestFirst
	largestFirst // of each asset
	orders
)

func (o order) String() string {
	return [...]string{"newest first", "oldest first", "by amount"}[o]
}

// memoSearch is how far memos were searched for the words of a question, and how much longer they may be searched.
type memoSearch struct {
	memos history.MemoSearch
	limit time.Duration
}

// loadedRows is consecutive rows that are loaded already.
type loadedRows struct {
	rows        []history.Entry
	first, last historyindex.Place
}

// question asks for a window of rows. It holds everything that the answer needs: it is
// made on the interface loop and answered off it.
type question struct {
	account       ledger.AccountID
	words         string
	filter        historyindex.Filter // what the words mean, if filterKnown
	filterKnown   bool
	search        memoSearch
	edge          ledger.HistoryID // 0: the newest row that exists
	place         place
	moveCursor    bool // the cursor goes to the place; else it stays on its row
	focusPosition int  // the position of the row in focus when the question was asked
	total         int  // how many rows match, if counted
	counted       bool
	order         order
	recount       bool // what was counted before may have changed
	loaded        loadedRows
	limit         int  // how many rows to load
	partial       bool // only the rows on screen: the rest is asked for next
	pause         time.Duration
	now           time.Time
}

// dropKnown returns the question without the loaded rows and the count, which may have changed.
func (q question) dropKnown() question {
	q.loaded, q.counted, q.recount = loadedRows{}, false, true
	return q
}

// shorten returns the question for about the rows on screen, of which room fit there.
func (q question) shorten(room int) question {
	if short := 2 * room; short < q.limit {
		q.limit, q.partial = short, true
	}
	return q
}
