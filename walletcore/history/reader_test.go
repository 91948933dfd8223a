package history_test

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/history"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"
)

// payOften makes n payments from alice to bobby of 1, 2, … smallest units, fifty to a transaction.
func payOften(s *testwallet.Wallet, n int) {
	s.T.Helper()
	alice, bobby := s.Account("alice").ID, s.Account("bobby").ID
	var ops []ledger.Operation
	for i := range n {
		ops = append(ops,
			ledger.NewOperation(&ledger.TransferObsoleteOp{From: alice, To: bobby, Amount: ledger.AssetAmount{Amount: int64(i + 1)}}))
		if len(ops) == 50 || i == n-1 {
			s.Send(ops...)
			ops = nil
		}
	}
	s.Mine()
}

// amountsOf returns the amounts in rows in the reference's form.
func amountsOf(t testing.TB, rows []history.Detail) []int64 {
	t.Helper()
	var out []int64
	for _, row := range rows {
		var r ledger.HistoryRecord
		testwallet.Must(t, codec.Unmarshal(row.Op, &r))
		out = append(out, r.Op.Body.(*ledger.TransferObsoleteOp).Amount.Amount)
	}
	return out
}

// downFrom checks that amounts fall by one from first to last.
func downFrom(t testing.TB, what string, got []int64, first, last int64) {
	t.Helper()
	if int64(len(got)) != first-last+1 {
		t.Errorf("%s: %d rows, want %d", what, len(got), first-last+1)
	}
	for i, amount := range got {
		if amount != first-int64(i) {
			t.Errorf("%s: row %d is payment %d, want %d", what, i, amount, first-int64(i))
			return
		}
	}
}

func TestHistoryPagesWithoutGapOrRepetition(t *testing.T) {
	const most = 250
	s := testwallet.Open(t, "alice")
	payOften(s, most)
	bobby := s.Account("bobby").ID
	for _, limit := range []int32{0, 1, 99, 100, 101, 200, 249, 250, 300} {
		rows, err := s.History.Latest(s.Ctx, "bobby", limit)
		testwallet.Must(t, err)
		downFrom(t, fmt.Sprint("limit ", limit), amountsOf(t, rows), most, most-min(int64(limit), most)+1)
	}
	var all []int64
	var before ledger.HistoryID
	for more := true; more; {
		rows, err := s.History.Entries(s.Ctx, bobby, before, 60)
		testwallet.Must(t, err)
		for _, row := range rows {
			all = append(all, row.Amount)
		}
		if more = len(rows) == 60; more {
			before = rows[59].ID
		}
	}
	downFrom(t, "pages", all, most, 1)
}

// The ledger's very first record has the number 0, which as a start also means "newest".
func TestHistoryReachesTheFirstRecordOfTheLedger(t *testing.T) {
	s := testwallet.Open(t, "alice")
	payOften(s, 101) // so that a page of 100 ends one row before it
	rows, err := s.History.Latest(s.Ctx, "bobby", 150)
	testwallet.Must(t, err)
	downFrom(t, "rows", amountsOf(t, rows), 101, 1)
	last, err := s.History.Entries(s.Ctx, s.Account("bobby").ID, 1, 10)
	testwallet.Must(t, err)
	if len(last) != 1 || last[0].ID != 0 || last[0].Amount != 1 {
		t.Errorf("before record 1 there is %+v", last)
	}
}

func TestRelativeHistoryCountsTheAccountsOwnRows(t *testing.T) {
	s := testwallet.Open(t, "alice")
	payOften(s, 12)
	for _, c := range []struct {
		stop        uint32
		limit       int32
		start       uint32
		first, last int64
	}{
		{0, 100, 0, 12, 1}, {0, 3, 0, 12, 10}, {0, 3, 5, 5, 3}, {4, 100, 5, 5, 4}, {0, 0, 0, 0, 1}, {0, -1, 0, 0, 1},
	} {
		rows, err := s.History.Relative(s.Ctx, "bobby", c.stop, c.limit, c.start)
		testwallet.Must(t, err)
		downFrom(t, fmt.Sprintf("%+v", c), amountsOf(t, rows), c.first, c.last)
	}
	_, err := s.History.Relative(s.Ctx, "bobby", 0, 101, 0)
	faulttest.Refused(t, err, fault.LimitExceeded)
}

func TestHistoryAsTheAccountSeesIt(t *testing.T) {
	s := testwallet.Open(t, "alice")
	s.Pay("alice", "bobby", "2.5", "to bobby")
	s.Mine()
	alice, bobby := s.Account("alice").ID, s.Account("bobby").ID
	seen := func(id ledger.AccountID) history.Entry {
		rows, err := s.History.Entries(s.Ctx, id, 0, 1)
		testwallet.Must(t, err)
		return rows[0]
	}
	out, in := seen(alice), seen(bobby)
	if out.Direction != history.Out || out.With.Name != "bobby" || in.Direction != history.In || in.With.Name != "alice" {
		t.Errorf("alice sees %+v, bobby %+v", out, in)
	}
	if out.Sentence != "alice paid 2.50000000 DCT to bobby" || out.Memo != "to bobby" || out.MemoState != vault.MemoOpen ||
		out.Fee != 10_0000 {
		t.Errorf("the row is %+v", out)
	}
	if out.Final || out.Time == 0 {
		t.Errorf("a row of the head block is final %v, made at %s", out.Final, out.Time)
	}
	for range 3 {
		s.Mine()
	}
	s.Until("the proof", func() bool { return seen(alice).Final })
	if row := seen(alice); row.Time != out.Time {
		t.Errorf("three blocks later it is final %v, made at %s, before %s", row.Final, row.Time, out.Time)
	}
	s.Vault.Lock()
	if row := seen(alice); row.MemoState != vault.MemoLocked || row.Memo != "" {
		t.Errorf("locked, the memo is %q of state %d", row.Memo, row.MemoState)
	}
	if rows, err := s.History.Latest(s.Ctx, "alice", 1); err != nil || rows[0].Memo != "" {
		t.Errorf("locked, the memo is %+v, %v", rows, err)
	}
}

// The demo ledger has encrypted and plain memos, a hostile one among them.
func TestDemoHistoryIsReadCompletely(t *testing.T) {
	box, err := sandbox.New(sandbox.Options{Listen: "127.0.0.1:0"})
	testwallet.Must(t, err)
	testwallet.Run(t, box.Run)
	s := testwallet.On(t, box, box.URL(), nil)
	s.Hold("alice")
	s.Mine()
	rows, err := s.History.Entries(s.Ctx, s.Account("alice").ID, 0, 100)
	testwallet.Must(t, err)
	states := map[vault.MemoState]int{}
	for _, row := range rows {
		states[row.MemoState]++
	}
	if len(rows) != 10 || states[vault.MemoOpen] != 9 || states[vault.MemoPlain] != 1 {
		t.Errorf("%d rows, memo states %v", len(rows), states)
	}
}
