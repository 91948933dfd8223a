package history

import (
	"slices"

	"billfold/ledger"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
	"billfold/walletcore/history"
)

// table is a window of the rows that match, and the cursor among all of those.
type table struct {
	rows    []history.Entry // the loaded ones, newest first, or by amount
	first   int             // the position of rows[0]
	total   int             // how many rows match; while not counted, at least so many do
	counted bool
	widest  []history.Entry  // the rows that set the widths of the columns
	account ledger.AccountID // whose rows they are: a fee is shown if this account paid it

	at    list.Cursor // in the order on screen
	order order
}

// row returns the row at a place of the list on screen; ok is false if it is not
// loaded yet.
func (t *table) row(i int) (e history.Entry, ok bool) {
	if at := t.position(i) - t.first; at >= 0 && at < len(t.rows) && i < t.total {
		return t.rows[at], true
	}
	return e, false
}

// position converts a place of the list on screen to a position, which is how many
// matching rows are newer, and a position to a place.
func (t *table) position(i int) int {
	if t.order == oldestFirst {
		return t.total - 1 - i
	}
	return i
}

// focusPosition returns the position of the row in focus.
func (t *table) focusPosition() int { return t.position(t.at.At) }

// focused returns the row in focus, if it is loaded.
func (t *table) focused() (history.Entry, bool) { return t.row(t.at.At) }

// jumpTo puts the cursor on the row at a position.
func (t *table) jumpTo(position int) { t.at.Jump(t.position(position), t.total) }

// drop forgets all rows.
func (t *table) drop() { t.rows, t.total = nil, 0 }

// setWindow replaces the rows by a window. Its total replaces the table's if it was counted;
// otherwise the larger of the two is kept.
func (t *table) setWindow(a answer) {
	t.rows, t.first, t.counted = a.rows, a.first, a.counted
	if t.total = max(t.total, a.total); a.counted {
		t.total = a.total
	}
	t.updateWidest(a.rows)
}

// merge puts a page of the newest rows before the loaded ones and reports whether
// it did; the row in focus stays in focus unless it is the newest. If there is a
// gap between the two, the page replaces the loaded rows.
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

// hasAround reports whether the rows around the cursor are loaded, up to margin before and after it.
func (t *table) hasAround(margin int) bool {
	at := t.focusPosition()
	low, high := max(at-margin, 0), min(at+margin, t.total-1)
	return low >= t.first && high < t.first+len(t.rows) || t.total == 0
}

// countGone counts the loaded rows that were not final and no longer exist.
func (t *table) countGone(a answer) int {
	if t.order == largestFirst {
		return 0
	}
	stays := map[ledger.HistoryID]uint32{}
	for _, e := range a.rows {
		stays[e.ID] = e.Block
	}
	n := 0
	for _, e := range t.rows {
		if e.Final {
			break
		}
		if block, ok := stays[e.ID]; a.covers(e.ID) && (!ok || block != e.Block) {
			n++
		}
	}
	return n
}

// The indexes of the first rows that set the widths; those with the largest amounts follow.
const (
	longestName = iota
	longestOperation
	longestMemo
	largestAmounts
)

// updateWidest keeps the rows that set the widths of the columns, so that nothing moves
// sideways while the window moves: those with the longest name, operation and memo, and
// for each asset and direction the one with the largest amount.
func (t *table) updateWidest(list []history.Entry) {
	type column struct {
		asset, fee ledger.AssetID
		way        history.Direction
		ours, also bool
	}
	of := func(e history.Entry) column {
		return column{e.Asset.ID, e.FeeAsset.ID, e.Direction, e.From.ID == t.account, len(e.Also) > 0}
	}
	if len(t.widest) == 0 && len(list) > 0 {
		t.widest = slices.Repeat(list[:1], largestAmounts)
	}
	most := map[column]int{}
	for i, e := range t.widest[min(largestAmounts, len(t.widest)):] {
		most[of(e)] = largestAmounts + i
	}
	for _, e := range list {
		if nameWidth(e) > nameWidth(t.widest[longestName]) {
			t.widest[longestName] = e
		}
		if len(e.Name) > len(t.widest[longestOperation].Name) {
			t.widest[longestOperation] = e
		}
		if rows.MemoWidth(e) > rows.MemoWidth(t.widest[longestMemo]) {
			t.widest[longestMemo] = e
		}
		at := of(e)
		switch i, seen := most[at]; {
		case !seen:
			most[at], t.widest = len(t.widest), append(t.widest, e)
		case largestNumber(e) > largestNumber(t.widest[i]):
			t.widest[i] = e
		}
	}
}

// largestNumber returns the largest amount in a row.
func largestNumber(e history.Entry) int64 {
	most := max(e.Amount, e.Fee)
	for _, also := range e.Also {
		most = max(most, also.Amount)
	}
	return most
}

// nameWidth returns how wide a row's account makes its column: 0 for a long one, which takes a line of its own.
func nameWidth(e history.Entry) int {
	if w := rows.WithWidth(e); w <= longName {
		return w
	}
	return 0
}

// longName is the widest account that widens its column.
const longName = 24
