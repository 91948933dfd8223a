package filter

import (
	"strconv"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
)

// decimal holds the digits before and after the point, as a person typed them. A comma
// is refused, as it is in a payment: it can mean a point or thousands.
type decimal struct{ whole, part string }

func parseDecimal(text string) (d decimal, ok bool) {
	d.whole, d.part, _ = strings.Cut(text, ".")
	d.part = strings.TrimRight(d.part, "0")
	return d, d.whole+d.part != "" && strings.Trim(d.whole+d.part, "0123456789") == "" ||
		strings.Trim(text, "0.") == "" && strings.Contains(text, "0")
}

// units returns the number in the smallest unit of an asset with so many decimal places,
// rounded down. exact reports whether nothing was cut off, fits whether it is no more
// than an amount can be.
func (d decimal) units(places uint8) (n int64, exact, fits bool) {
	part := d.part
	exact = len(part) <= int(places)
	if !exact {
		part = part[:places]
	}
	digits := strings.TrimLeft(d.whole+part+strings.Repeat("0", int(places)-len(part)), "0")
	if digits == "" {
		return 0, exact, true
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, exact, err == nil
}

// amountRange holds the bounds of an amount; nil is no bound.
type amountRange struct {
	low, high *decimal
	above     bool // low itself is not included
	below     bool // high itself is not included
}

// amount compares amounts in units of each asset: the filter has one part for each
// number of decimal places.
func (f *query) amount(w word) (out historyindex.Filter, err error) {
	b, ok := w.bounds()
	if !ok && strings.Contains(w.value, ",") {
		return out, w.wrong("a comma in an amount can mean a point or thousands; write digits and a point, as 1000.5", "")
	}
	if !ok {
		return out, w.wrong("not an amount; write 12.5, or 5..20", "")
	}
	known, err := f.knownAssets()
	if err != nil {
		return out, err
	}
	by := map[uint8]*historyindex.Filter{}
	for _, a := range known {
		if by[a.Precision] == nil {
			one, some := b.in(a.Precision)
			if !some {
				continue
			}
			by[a.Precision] = &one
		}
		by[a.Precision].Asset = append(by[a.Precision].Asset, a.ID)
	}
	for places := range uint8(64) {
		if by[places] != nil {
			out.Any = append(out.Any, *by[places])
		}
	}
	if len(out.Any) == 0 {
		return nothing(), nil
	}
	return out, nil
}

func (w word) bounds() (b amountRange, ok bool) {
	low, high, isRange := strings.Cut(w.value, "..")
	if isRange && (w.field != "amount" || w.compare != ":") {
		return b, false
	}
	if !isRange {
		high = low
	}
	least, okLow := parseDecimal(low)
	most, okHigh := parseDecimal(high)
	switch {
	case w.field == "min" || w.compare[0] == '>':
		b.low, b.above, okHigh = &least, w.compare == ">", true
	case w.field == "max" || w.compare[0] == '<':
		b.high, b.below, okLow = &most, w.compare == "<", true
	default:
		b.low, b.high = &least, &most
	}
	return b, okLow && okHigh
}

// in returns the bounds in the smallest unit of an asset with so many decimal places;
// some is false if no amount is within them.
func (b amountRange) in(places uint8) (out historyindex.Filter, some bool) {
	if b.low != nil {
		n, exact, fits := b.low.units(places)
		if !fits || n == 1<<63-1 && (b.above || !exact) {
			return out, false
		}
		if !exact || b.above {
			n++
		}
		out.Min = max(n, 1) // 0 would be no bound
	}
	if b.high != nil {
		n, exact, fits := b.high.units(places)
		if exact && b.below {
			n--
		}
		if fits && n <= 0 {
			return out, false
		}
		if fits {
			out.Max = n
		}
	}
	return out, out.Max == 0 || out.Min <= out.Max
}

const day = 24 * time.Hour

// Time parses a time as a person writes it in a filter: 2026-11-20, 2026-11,
// 2026-11-20T14:02, 12h or 30d for so long before now, or a word such as "week", see
// span; days are those of now's zone. length is the length of that period: a month, a day, a minute, or 0.
func Time(text string, now time.Time) (at time.Time, length time.Duration, ok bool) {
	text = strings.ToLower(text)
	if from, end, ok := span(text, now); ok {
		return from, end.Sub(from), true
	}
	for layout, length := range map[string]time.Duration{time.DateOnly: day, "2006-01-02T15:04": time.Minute} {
		if at, err := time.ParseInLocation(layout, strings.ToUpper(text), now.Location()); err == nil && readable(at) {
			return at, length, true
		}
	}
	if at, err := time.ParseInLocation("2006-01", text, now.Location()); err == nil && readable(at) {
		return at, at.AddDate(0, 1, 0).Sub(at), true
	}
	if text == "" {
		return at, 0, false
	}
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 16)
	unit := map[byte]time.Duration{'h': time.Hour, 'd': day}[text[len(text)-1]]
	if err != nil || unit == 0 || time.Duration(n)*unit > time.Duration(now.Unix())*time.Second {
		return at, 0, false
	}
	return now.Add(-time.Duration(n) * unit), 0, true
}

// readable reports whether a ledger can have such a block time.
func readable(at time.Time) bool { return at.Unix() > 0 && at.Year() < 2100 }

// span returns the day, week, month or year that a word names, by the calendar of now's zone; a week begins on Monday.
func span(word string, now time.Time) (from, end time.Time, ok bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch word {
	case "today":
		return today, today.AddDate(0, 0, 1), true
	case "yesterday":
		return today.AddDate(0, 0, -1), today, true
	case "week":
		monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
		return monday, monday.AddDate(0, 0, 7), true
	case "month":
		first := today.AddDate(0, 0, 1-today.Day())
		return first, first.AddDate(0, 1, 0), true
	case "year":
		first := today.AddDate(0, 0, 1-today.YearDay())
		return first, first.AddDate(1, 0, 0), true
	}
	return from, end, false
}

// spans returns the words that span knows.
func spans() []string { return []string{"today", "yesterday", "week", "month", "year"} }

// time filters by block time; since and until include the day or month they name.
func (f *query) time(w word) (out historyindex.Filter, err error) {
	at, length, ok := Time(w.value, f.now)
	if !ok || w.field == "on" && length < day {
		if w.field == "on" {
			return out, w.wrong("not a day; write today, month, 2026-11-20", nearest(w.value, spans()))
		}
		return out, w.wrong("not a time; write today, month, 2026-11-20, 30d or 12h", nearest(w.value, spans()))
	}
	if w.field != "until" {
		out.Since = ledger.TimeOf(at)
	}
	if w.field != "since" {
		out.Until = ledger.TimeOf(at.Add(max(length, time.Second)))
	}
	return out, nil
}

// place filters by a block, by an operation's id, or by a transaction's id.
func (f *query) place(w word) (out historyindex.Filter, err error) {
	switch w.field {
	case "block":
		n, ok := blockNumber(w.value)
		if !ok {
			return out, w.wrong("not the number of a block", "")
		}
		return historyindex.Filter{FromBlock: n, ToBlock: n}, nil
	case "id":
		if id, err := ledger.ParseHistoryID(w.value); err == nil {
			return historyindex.Filter{IDs: []ledger.HistoryID{id}}, nil
		}
		digits, prefix := strings.CutSuffix(strings.TrimPrefix(w.value, "1.7."), "*")
		if digits == "" || strings.Trim(digits, "0123456789") != "" || len(digits) > 18 || digits[0] == '0' && len(digits) > 1 {
			return out, w.wrong("not the id of an operation; write 1.7.902, or 1.7.902*", "")
		}
		if prefix {
			return historyindex.Filter{ID: digits}, nil
		}
		n, _ := strconv.ParseUint(digits, 10, 63) // 18 digits fit
		return historyindex.Filter{IDs: []ledger.HistoryID{ledger.HistoryID(n)}}, nil
	}
	return f.transaction(w)
}

// blockNumber parses 18204511, or #18,204,511 as it is displayed.
func blockNumber(text string) (uint32, bool) {
	groups := strings.Split(strings.TrimPrefix(text, "#"), ",")
	for i, g := range groups {
		if len(groups) > 1 && (len(g) > 3 || i > 0 && len(g) < 3) {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(strings.Join(groups, ""), 10, 32)
	return uint32(n), err == nil && n > 0
}

// transaction filters by payments of this wallet: the ledger's history has no
// transaction ids.
func (f *query) transaction(w word) (out historyindex.Filter, err error) {
	value := strings.ToLower(w.value)
	if strings.Trim(value, "0123456789abcdef") != "" || len(value) > 40 {
		return out, w.wrong("not the beginning of a transaction id", "")
	}
	out.Transactions = f.payments.Places(value)
	if len(out.Transactions) == 0 {
		return out, w.wrong("no payment that this wallet made has such an id", "")
	}
	return out, nil
}
