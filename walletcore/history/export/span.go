package export

import (
	"time"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
)

// Span is which part of the rows that match a filter is written.
type Span int

// The spans.
const (
	All       Span = iota // all of them
	ThisMonth             // those of the current month, UTC
	LastMonth             // those of the month before
	Spans                 // how many there are
)

// Month returns when the month of a span begins and ends, UTC; both are zero for All.
func (s Span) Month(now time.Time) (from, end time.Time) {
	if s == All {
		return from, end
	}
	now = now.UTC()
	from = time.Date(now.Year(), now.Month()+time.Month(1-s), 1, 0, 0, 0, 0, time.UTC)
	return from, from.AddDate(0, 1, 0)
}

// Of returns f limited to the rows in the span.
func (s Span) Of(f historyindex.Filter, now time.Time) historyindex.Filter {
	from, end := s.Month(now)
	if from.IsZero() {
		return f
	}
	return historyindex.Filter{All: []historyindex.Filter{f}, Since: ledger.TimeOf(from), Until: ledger.TimeOf(end), UpTo: f.UpTo}
}
