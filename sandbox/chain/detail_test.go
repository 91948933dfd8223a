package chain

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// The genesis makes a detail for each account and each balance, so that the
// numbers of the recorded chain come out: alice's registration was 2.17.15.
func TestGenesisMakesTheFirstDetails(t *testing.T) {
	b := newBank(t)
	b.c.View(func(s *state.State) {
		if got := s.Details.Next(); got != 15 {
			t.Errorf("%d details, want 13 accounts and 2 balances", got)
		}
		if d := s.Details.Get(14); d.From != ledger.MinerAccount || d.To != nathanID || d.Amount.Amount != 1_000_000_000_000_000 {
			t.Errorf("the last is %+v", d)
		}
	})
}

func TestDetailsAreOrderedAndPaged(t *testing.T) {
	b := newBank(t)
	for i, amount := range []int64{30, 10, 20, 10} {
		b.by(b.nathan, pay(nathanID, init0ID+ledger.AccountID(i%2), amount))
		b.mine()
	}
	ids := func(list []*state.TransactionDetail) (out []uint64) {
		for _, d := range list {
			out = append(out, d.ID.Instance())
		}
		return out
	}
	at := func(n uint64) ledger.ObjectID { return ledger.NewObjectID(2, 17, n) }
	for _, c := range []struct {
		order string
		start ledger.ObjectID
		limit int
		want  string
	}{
		{"-time", 0, 3, "[18 17 16]"},
		{"", 0, 3, "[18 17 16]"},
		{"time", 0, 2, "[18 17]"},
		{"+-time", 0, 2, "[18 17]"},
		{"+time", at(16), 2, "[16 17]"},
		{"-time", at(16), 2, "[16 15]"},
		{"-time", at(999), 1, "[18]"},
		{"-time", ledger.AccountID(5).Object(), 1, "[18]"},
		{"+price", at(16), -1, "[16 18 17 15 14]"},
		{"-price", at(17), -1, "[17 18 16 12]"},
		{"+to", 0, 2, "[15 17]"},
		{"-to", 0, 1, "[14]"},
		{"+from", 0, 2, "[14 12]"},
		{"+fee", 0, 2, "[12 14]"},
		{"-type", 0, 1, "[12]"},
		{"+description", 0, 1, "[12]"},
		{"-nft", 0, 1, "[18]"},
		{"+time", 0, 0, "[]"},
	} {
		b.c.View(func(s *state.State) {
			if got := fmt.Sprint(ids(s.Details.Search(nathanID, c.order, c.start, c.limit))); got != c.want {
				t.Errorf("%q from %s: got %s, want %s", c.order, c.start, got, c.want)
			}
		})
	}
	b.c.View(func(s *state.State) {
		if got := s.Details.Search(999, "-time", 0, 10); len(got) != 0 {
			t.Errorf("nobody has %v", got)
		}
	})
}

func TestBalanceChangesAreFiltered(t *testing.T) {
	b := newBank(t)
	b.by(b.nathan, gold("GOLDX", false))
	b.by(b.nathan, &ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(500, 1), IssueToAccount: init0ID})
	b.mine()
	b.by(b.nathan, pay(nathanID, init0ID, 10_0000_0000))
	b.by(b.init, pay(init0ID, init1ID, 7))
	b.mine()
	b.by(b.init, &ledger.TransferObsoleteOp{From: init0ID, To: nathanID, Amount: amount(3, 1)})
	b.mine()
	partner := nathanID
	for name, c := range map[string]struct {
		filter      state.BalanceFilter
		skip, limit uint32
		want        string
	}{
		"all":           {state.BalanceFilter{}, 0, 100, "[-3/1/100000 -7/0/100000 1000000000/0/0 500/1/0]"},
		"page":          {state.BalanceFilter{}, 1, 2, "[-7/0/100000 1000000000/0/0]"},
		"none":          {state.BalanceFilter{}, 0, 0, "[]"},
		"gold":          {state.BalanceFilter{Assets: []ledger.AssetID{1}}, 0, 100, "[-3/1/100000 500/1/0]"},
		"core, fees":    {state.BalanceFilter{Assets: []ledger.AssetID{0}}, 0, 100, "[-3/1/100000 -7/0/100000 1000000000/0/0]"},
		"with nathan":   {state.BalanceFilter{Partner: &partner}, 0, 100, "[-3/1/100000 1000000000/0/0 500/1/0]"},
		"second block":  {state.BalanceFilter{FromBlock: 3, ToBlock: 3}, 0, 100, "[-7/0/100000 1000000000/0/0]"},
		"up to a block": {state.BalanceFilter{ToBlock: 2}, 0, 100, "[500/1/0]"},
	} {
		b.c.View(func(s *state.State) {
			out := []string{}
			for _, change := range s.BalanceChanges(init0ID, c.filter, c.skip, c.limit) {
				a := change.Balance.Asset0
				out = append(out, fmt.Sprintf("%d/%d/%d", a.Amount, uint64(a.AssetID), change.Fee.Amount))
				if change.Timestamp == 0 || change.TransactionID == (ledger.TransactionID{}) {
					t.Errorf("%s: %+v has no time or no transaction", name, change)
				}
			}
			if got := fmt.Sprint(out); got != c.want {
				t.Errorf("%s: got %s, want %s", name, got, c.want)
			}
		})
	}
	b.c.View(func(s *state.State) {
		newest := s.History.Page(init0ID, 0, 1, 0)[0].ID
		c := s.BalanceChangeAt(init0ID, newest)
		if c.Balance.Asset0.Amount != -3 || c.Timestamp != 0 || c.TransactionID != (ledger.TransactionID{}) {
			t.Errorf("the change at %s is %+v", newest, c)
		}
		if c := s.BalanceChangeAt(999, 1); c != nil {
			t.Errorf("nobody has %+v", c)
		}
	})
}
