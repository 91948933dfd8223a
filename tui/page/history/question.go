package history

import (
	"time"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// kind is what a place is named by.
type kind int

const (
	atPosition  kind = iota // how many matching rows are newer
	atRow                   // a row, or where it would be
	atOldest                // the oldest row
	atTime                  // the newest row not later than a time
	atDayBefore             // the newest row of the last day before that of the time
	atDayAfter              // the newest row of the next day after that of the time
)

// place is where a window of rows is wanted.
type place struct {
	kind kind
	pos  int
	id   ledger.HistoryID
	time ledger.Time
}

// order is that of the rows on the screen.
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

// searching is how far memos were searched for the words of a question, and how long they may be searched on.
type searching struct {
	memos history.MemoSearch
	soon  time.Duration
}

// hand is the rows that are at hand, one after another.
type hand struct {
	rows        []history.Entry
	first, last historyindex.Place
}

// question asks for a window of rows. It holds all that the answer needs: it is made
// on the interface loop and answered off it.
type question struct {
	account ledger.AccountID
	words   string
	filter  historyindex.Filter // of the words, when they were found before
	found   bool
	search  searching
	edge    ledger.HistoryID // 0: the newest there is
	place   place
	move    bool // the cursor goes there; else it follows its row
	was     int  // the position of the row in focus when it was asked
	total   int  // how many match, if counted
	counted bool
	order   order
	recount bool // what was counted before may have changed
	hand    hand
	rows    int  // how many to have
	brief   bool // what is on screen first: the rest is asked for after it
	pause   time.Duration
	now     time.Time
}

// forget drops what is known of other rows: they may have changed.
func (q question) forget() question {
	q.hand, q.counted, q.recount = hand{}, false, true
	return q
}

// shorten asks for what is on screen first, in a screen of so many rows.
func (q question) shorten(room int) question {
	if short := 2 * room; short < q.rows {
		q.rows, q.brief = short, true
	}
	return q
}
