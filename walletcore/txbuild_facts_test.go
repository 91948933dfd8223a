package walletcore_test

import (
	"testing"

	"billfold/ledger"
	"billfold/walletcore/testwallet"
)

// Fees of several payers are not shown as paid by one, and an operation intended twice is not shown as repeated.
func TestOperationsOfSeveralPayers(t *testing.T) {
	s := testwallet.Open(t, "alice")
	pays := func(from, to string, fee int64) ledger.Operation {
		return ledger.NewOperation(&ledger.TransferObsoleteOp{Fee: ledger.AssetAmount{Amount: fee}, From: s.Account(from).ID,
			To: s.Account(to).ID, Amount: ledger.AssetAmount{Amount: 5_0000_0000}})
	}
	r, err := s.Build.Explain(s.Ctx, pays("alice", "carol", 100), pays("bobby", "carol", 20), pays("alice", "carol", 100))
	testwallet.Must(t, err)
	fees := r.Fees()
	if len(fees) != 2 || fees[0].Account.Name != "alice" || fees[0].Fee != 200 || fees[1].Account.Name != "bobby" || fees[1].Fee != 20 {
		t.Errorf("the fees are %+v", fees)
	}
	want := "alice " + s.Account("alice").ID.String() + " pays 5.00000000 DCT to carol " + s.Account("carol").ID.String()
	if twins := r.Twins(); len(twins) != 1 || twins[0] != want {
		t.Errorf("twice in it are %q, want %q", twins, want)
	}
}
