package history

import (
	"slices"

	"billfold/ledger"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
	"billfold/walletcore/history"
)

// table is a window of the rows that match, and the cursor among all of them.
type table struct {
	rows    []history.Entry // those at hand, newest first, or in the order of amounts
	first   int             // how many matching ones are newer than rows[0]
	total   int             // how many match; at least so many while not counted
	counted bool
	fit     []history.Entry  // those that set the widths of the columns
	own     ledger.AccountID // whose rows they are: a fee shows where it paid

	at    list.Cursor // in the order of the screen
	order order
}

// row is the one at a place of the screen's list; ok is false when it is not at
// hand yet.
func (t *table) row(i int) (e history.Entry, ok bool) {
	if at := t.position(i) - t.first; at >= 0 && at < len(t.rows) && i < t.total {
		return t.rows[at], true
	}
	return e, false
}

// position is how many matching rows are newer than the one at a place of the
// screen's list, and the other way round.
func (t *table) position(i int) int {
	if t.order == oldestFirst {
		return t.total - 1 - i
	}
	return i
}

// here is the position of the row in focus.
func (t *table) here() int { return t.position(t.at.At) }

// focused is the row in focus.
func (t *table) focused() (history.Entry, bool) { return t.row(t.at.At) }

// jump puts the cursor on the row of a position.
func (t *table) jump(position int) { t.at.Jump(t.position(position), t.total) }

// drop forgets all rows.
func (t *table) drop() { t.rows, t.total = nil, 0 }

// set takes a window of those that match: how many do is taken as told where it was
// counted, else it is at least so many.
func (t *table) set(a answer) {
	t.rows, t.first, t.counted = a.list, a.first, a.counted
	if t.total = max(t.total, a.total); a.counted {
		t.total = a.total
	}
	t.widen(a.list)
}

// merge puts the newest page before the loaded rows, which begin with the newest,
// and reports whether it did; the row in focus stays in focus unless it is the
// newest. A gap between the two means that the old rows are to be read again.
func (t *table) merge(page []history.Entry) bool {
	focus, _ := t.focused()
	for i, e := range t.rows {
		if len(page) > 0 && e.ID == page[len(page)-1].ID {
			added := len(page) - i - 1
			t.rows = append(page, t.rows[i+1:]...)
			if t.at.At > 0 && focus.ID != 0 {
				t.at.Jump(t.at.At+added, len(t.rows))
			}
			return true
		}
	}
	t.rows = page
	return false
}

// near reports whether the rows around the cursor are available, and margin more.
func (t *table) near(margin int) bool {
	at := t.here()
	low, high := max(at-margin, 0), min(at+margin, t.total-1)
	return low >= t.first && high < t.first+len(t.rows) || t.total == 0
}

// gone counts the loaded rows that were not final and are no more.
func (t *table) gone(a answer) int {
	if t.order == largestFirst {
		return 0
	}
	stays := map[ledger.HistoryID]uint32{}
	for _, e := range a.list {
		stays[e.ID] = e.Block
	}
	n := 0
	for _, e := range t.rows {
		if e.Final {
			break
		}
		if block, ok := stays[e.ID]; a.spans(e.ID) && (!ok || block != e.Block) {
			n++
		}
	}
	return n
}

// The first rows of those that set the widths.
const (
	longestName = iota
	longestOperation
	longestMemo
	largestAmounts
)

// widen keeps those rows that set the widths of the table, so that nothing moves
// sideways while the window moves: those with the longest name, operation and memo, and
// of each asset and direction the largest amount.
func (t *table) widen(list []history.Entry) {
	type column struct {
		asset, fee ledger.AssetID
		way        history.Direction
		ours, also bool
	}
	of := func(e history.Entry) column {
		return column{e.Asset.ID, e.FeeAsset.ID, e.Direction, e.From.ID == t.own, len(e.Also) > 0}
	}
	if len(t.fit) == 0 && len(list) > 0 {
		t.fit = slices.Repeat(list[:1], largestAmounts)
	}
	most := map[column]int{}
	for i, e := range t.fit[min(largestAmounts, len(t.fit)):] {
		most[of(e)] = largestAmounts + i
	}
	for _, e := range list {
		if nameWidth(e) > nameWidth(t.fit[longestName]) {
			t.fit[longestName] = e
		}
		if len(e.Name) > len(t.fit[longestOperation].Name) {
			t.fit[longestOperation] = e
		}
		if rows.MemoWidth(e) > rows.MemoWidth(t.fit[longestMemo]) {
			t.fit[longestMemo] = e
		}
		at := of(e)
		switch i, seen := most[at]; {
		case !seen:
			most[at], t.fit = len(t.fit), append(t.fit, e)
		case largest(e) > largest(t.fit[i]):
			t.fit[i] = e
		}
	}
}

// largest is the largest number in a row.
func largest(e history.Entry) int64 {
	most := max(e.Amount, e.Fee)
	for _, also := range e.Also {
		most = max(most, also.Amount)
	}
	return most
}

// nameWidth is how far a row's account widens its column: a longer one takes a line of its own.
func nameWidth(e history.Entry) int {
	if w := rows.WithWidth(e); w <= longName {
		return w
	}
	return 0
}

// longName is the widest account that widens its column.
const longName = 24
