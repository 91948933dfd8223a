package history_test

import (
	"errors"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
)

// An account is unchanged if nothing can have happened to its rows. Marking it moves only its head.
func TestUnchangedAccounts(t *testing.T) {
	x := openIndex(t)
	const empty, read ledger.AccountID = 18, 19
	fill(t, x, 1, 40, 20) // the last one is in block 20
	must(t, x.Extend(t.Context(), historyindex.Status{Account: read},
		historyindex.Batch{From: 1, Rows: made(1, 40), Final: 19, Head: 30, Total: 40}))
	unchanged := func(totals ...uint64) (ids []ledger.AccountID, found []historyindex.Status) {
		found, err := x.Unchanged(t.Context(), []ledger.AccountID{holder, empty, read}, totals)
		must(t, err)
		for _, s := range found {
			ids = append(ids, s.Account)
		}
		return ids, found
	}
	for _, c := range []struct {
		totals [3]uint64
		want   []ledger.AccountID
	}{
		{[3]uint64{40, 0, 40}, []ledger.AccountID{holder, empty}}, // a fork may remove the last row of the third
		{[3]uint64{41, 1, 0}, nil},
	} {
		if ids, _ := unchanged(c.totals[:]...); !slices.Equal(ids, c.want) {
			t.Errorf("with %v operations %v are unchanged, want %v", c.totals, ids, c.want)
		}
	}
	_, found := unchanged(40, 0, 40)
	must(t, x.MarkUnchanged(t.Context(), found, historyindex.Batch{Head: 50, Final: 45}))
	for id, top := range map[ledger.AccountID]uint64{holder: 40, empty: 0} {
		s, err := x.Status(t.Context(), id)
		must(t, err)
		if s.Head != 50 || s.Final != 45 || s.Top != top || s.Total != top || s.Bottom != 1 || !s.Whole {
			t.Errorf("the status of %s is %+v", id, s)
		}
	}
	if err := x.MarkUnchanged(t.Context(), found, historyindex.Batch{Head: 51, Final: 46}); !errors.Is(err, historyindex.ErrMoved) {
		t.Errorf("an account that changed in between was marked: %v", err)
	}
}
