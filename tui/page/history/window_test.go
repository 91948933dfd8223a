package history

import (
	"testing"

	"billfold/ledger"
	"billfold/walletcore/history"
)

// entries are rows that are not final, newest first, each in a block of its own.
func entries(newest, oldest ledger.HistoryID) (out []history.Entry) {
	for id := newest; id >= oldest; id-- {
		out = append(out, history.Entry{ID: id, Block: uint32(id)})
	}
	return out
}

// Rows that are only outside of a shorter or a moved window were not taken back.
func TestRowsOutsideOfAWindowAreNotGone(t *testing.T) {
	forked := entries(100, 61)
	forked[3].Block++
	for name, c := range map[string]struct {
		first, total int
		list         []history.Entry
		gone         int
	}{
		"the same":            {0, 200, entries(100, 61), 0},
		"fewer first":         {0, 200, entries(100, 81), 0},
		"newer ones came":     {0, 205, entries(105, 86), 0},
		"further down":        {20, 200, entries(80, 41), 0},
		"the newest is gone":  {0, 199, entries(99, 61), 1},
		"another block":       {0, 200, forked, 1},
		"the older are gone":  {0, 20, entries(100, 81), 20},
		"all are gone":        {0, 0, nil, 40},
		"one within is gone":  {0, 199, append(entries(100, 91), entries(89, 81)...), 1},
		"nothing at a place":  {300, 200, nil, 0},
		"the end of the list": {20, 40, entries(80, 61), 0},
	} {
		table := table{rows: entries(100, 61), total: 200}
		a := answer{first: c.first, rows: c.list}
		a.total, a.counted = c.total, true
		if n := table.countGone(a); n != c.gone {
			t.Errorf("%s: %d rows are gone, want %d", name, n, c.gone)
		}
	}
}
