package history_test

import (
	"testing"

	"billfold/ledger"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// dust sends n small payments from carol to alice, so that older rows are no longer among the newest of alice's history.
func (s *historyFixture) dust(n int) {
	s.T.Helper()
	for n > 0 {
		var ops []ledger.Operation
		for range min(n, 50) {
			paid := &ledger.TransferObsoleteOp{From: 18, To: 16, Amount: ledger.AssetAmount{Amount: int64(n)}}
			ops = append(ops, ledger.NewOperation(paid))
			n--
		}
		_, err := s.Box.PushUnsigned(ops...)
		testwallet.Must(s.T, err)
	}
	s.block()
}

func (s *historyFixture) reviewOf(to, amount string) txbuild.Review {
	s.T.Helper()
	return s.Prepare(txbuild.TransferParams{From: "alice", To: to, Amount: amount, Asset: "DCT"}).Review()
}

// Strangers can add any number of rows to a history. However many there are, the review still shows who was paid before,
// whose name looks alike, and what was paid on the same day.
func TestDustDoesNotHideEarlierPayments(t *testing.T) {
	s := openFixture(t, "alice")
	s.block()
	key := testwallet.Key("carol").Public()
	_, err := s.Payments.Spend(s.Ctx, txbuild.NewRequest("register_account",
		txbuild.RegisterAccountParams{Name: "bobbyy", Owner: key, Active: key, Registrar: "alice"}, txbuild.RegisterAccount),
		payment.Sending{Broadcast: true})
	testwallet.Must(t, err)
	s.push(3) // 0.00000003 DCT is the last of them
	s.block()
	s.dust(120)
	for range 25 { // so that the rows are final and their names are stored
		s.block()
	}
	s.catchUp()
	s.agrees()
	// The wallet of this test has no proof that blocks are final, so it has only the node's word for the rows.
	if r := s.reviewOf("bobby", "0.00000003"); r.Unproven != 3 || r.PaidMore || r.Repeats == nil || r.Repeats.Amount != 3 {
		t.Errorf("bobby: paid %d times, perhaps more %v, the same %+v", r.Unproven, r.PaidMore, r.Repeats)
	}
	if r := s.reviewOf("bobbyy", "1"); !r.FirstTime || len(r.LooksLike) != 1 || r.LooksLike[0].Name != "bobby" {
		t.Errorf("bobbyy: first %v, looks like %v", r.FirstTime, r.LooksLike)
	}
	if r := s.reviewOf("merchant-7", "1"); !r.FirstTime || r.PaidMore || len(r.LooksLike) != 0 {
		t.Errorf("merchant-7: first %v, perhaps more %v, looks like %v", r.FirstTime, r.PaidMore, r.LooksLike)
	}
	testwallet.Must(t, s.index.Forget(s.Ctx, 16))
	if r := s.reviewOf("bobby", "1"); !r.FirstTime || !r.PaidMore || r.Unproven != 0 {
		t.Errorf("bobby, without an index: first %v, perhaps more %v", r.FirstTime, r.PaidMore)
	}
}
