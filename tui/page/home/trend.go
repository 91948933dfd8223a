package home

import (
	"fmt"
	"math/big"
	"time"

	"billfold/ledger"
	"billfold/tui/widget/chart"
	"billfold/walletcore/balance"
	"billfold/walletcore/ledgerview"
)

// span is how far back the chart goes.
type span int

// The spans, in the order of the key.
const (
	month span = iota
	year
	whole
	day
	week
	spans
)

// name is how a span is written in the frame.
func (s span) name() string {
	return [spans]string{"30 days", "1 year", "all", "24 hours", "7 days"}[s]
}

// length is how long it is, and how many steps it is drawn in.
func (s span) length() (time.Duration, int) {
	const oneDay = 24 * time.Hour
	switch s {
	case day:
		return oneDay, 24
	case week:
		return 7 * oneDay, 84
	case year:
		return 365 * oneDay, 365
	case month, whole, spans:
	}
	return 30 * oneDay, 120
}

// sparkCells is how wide the column of 30 days draws.
const sparkCells = 8

// mark is what is shown of the past of one balance.
type mark struct {
	spark string
	rise  string  // in 30 days; empty where that is not known
	line  []int64 // over the span of the chart
	from  time.Time
}

// trend is what the balances of an account were.
type trend struct {
	span  span
	past  balance.Past
	read  time.Time
	marks map[ledger.AssetID]mark
}

// since is from when on the past is needed.
func (t *trend) since(now time.Time) time.Time {
	if t.span == whole {
		return time.Unix(0, 0)
	}
	length, _ := t.span.length()
	column, _ := month.length()
	return now.Add(-max(length, column)).Truncate(time.Hour)
}

// make computes what is shown, for balances of now.
func (t *trend) make(now time.Time, held []ledgerview.Balance) {
	t.marks = map[ledger.AssetID]mark{}
	if !t.past.Known || t.read.IsZero() {
		return
	}
	length, steps := t.span.length()
	if first := t.past.First(); t.span == whole && !first.IsZero() {
		length = max(now.Sub(first), time.Hour*time.Duration(steps))
	}
	column, _ := month.length()
	long, short := times(now, length, steps), times(now, column, sparkCells)
	for _, b := range held {
		line, levels := t.past.Levels(b.Asset.ID, b.Amount, long), t.past.Levels(b.Asset.ID, b.Amount, short)
		one := mark{line: line, from: long[len(long)-max(len(line), 1)]}
		if len(levels) == len(short) {
			one.rise = rise(levels[0], levels[sparkCells])
			levels = levels[1:]
		}
		one.spark = chart.Spark(levels, sparkCells)
		t.marks[b.Asset.ID] = one
	}
}

// times are the ends of the steps up to now, and the beginning of the first.
func times(now time.Time, length time.Duration, steps int) []time.Time {
	out := make([]time.Time, steps+1)
	for i := range out {
		out[i] = now.Add(-length * time.Duration(steps-i) / time.Duration(steps)).Truncate(time.Hour)
	}
	out[steps] = now
	return out
}

// rise is by how much a balance changed.
func rise(from, to int64) string {
	switch {
	case from == to:
		return "0.0%"
	case from == 0:
		return "new"
	}
	change := new(big.Int).Sub(big.NewInt(to), big.NewInt(from))
	change.Div(change.Mul(change, big.NewInt(1000)), big.NewInt(from))
	if !change.IsInt64() || change.Int64() >= 10_000 {
		return ">999%"
	}
	tenths, sign := change.Int64(), "+"
	if tenths < 0 {
		tenths, sign = -tenths, "-"
	}
	return fmt.Sprintf("%s%d.%d%%", sign, tenths/10, tenths%10)
}
