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

// span is the period that the chart covers.
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

// name returns the span as the frame shows it.
func (s span) name() string {
	return [spans]string{"30 days", "1 year", "all", "24 hours", "7 days"}[s]
}

// length returns the duration of the span, and in how many steps it is drawn. For the whole past it is that of a month.
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

// sparkCells is the width of the curve in the column of 30 days.
const sparkCells = 8

// assetTrend holds what is shown of the past of one balance.
type assetTrend struct {
	spark  string
	change string  // in percent over 30 days; empty if it is not known
	line   []int64 // over the span of the chart
	from   time.Time
}

// trend is the past of an account's balances.
type trend struct {
	span   span
	past   balance.Past
	read   time.Time
	assets map[ledger.AssetID]assetTrend
}

// start returns from when on the past is needed.
func (t *trend) start(now time.Time) time.Time {
	if t.span == whole {
		return time.Unix(0, 0)
	}
	length, _ := t.span.length()
	column, _ := month.length()
	return now.Add(-max(length, column)).Truncate(time.Hour)
}

// compute computes what is shown; held is the present balances.
func (t *trend) compute(now time.Time, held []ledgerview.Balance) {
	t.assets = map[ledger.AssetID]assetTrend{}
	if !t.past.Known || t.read.IsZero() {
		return
	}
	length, steps := t.span.length()
	if first := t.past.First(); t.span == whole && !first.IsZero() {
		length = max(now.Sub(first), time.Hour*time.Duration(steps))
	}
	column, _ := month.length()
	long, short := stepTimes(now, length, steps), stepTimes(now, column, sparkCells)
	for _, b := range held {
		line, levels := t.past.Levels(b.Asset.ID, b.Amount, long), t.past.Levels(b.Asset.ID, b.Amount, short)
		one := assetTrend{line: line, from: long[len(long)-max(len(line), 1)]}
		if len(levels) == len(short) {
			one.change = percentChange(levels[0], levels[sparkCells])
			levels = levels[1:]
		}
		one.spark = chart.Spark(levels, sparkCells)
		t.assets[b.Asset.ID] = one
	}
}

// stepTimes returns the start of the first step and the end of each, the last at now.
func stepTimes(now time.Time, length time.Duration, steps int) []time.Time {
	out := make([]time.Time, steps+1)
	for i := range out {
		out[i] = now.Add(-length * time.Duration(steps-i) / time.Duration(steps)).Truncate(time.Hour)
	}
	out[steps] = now
	return out
}

// percentChange returns by how much a balance changed, in percent with a sign; "new" if it was zero.
func percentChange(from, to int64) string {
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
