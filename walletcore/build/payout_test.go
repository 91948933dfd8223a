package build_test

import (
	"testing"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/testwallet"
)

// The words of several payments name the same accounts and amounts in another order, too:
// only the order tells who gets what.
func TestPaymentsOfAListDoNotChangePlaces(t *testing.T) {
	s := testwallet.New(t, nil)
	s.Hold("alice")
	list := build.PayManyParams{From: "alice", Payments: []build.PayoutItem{
		{To: "bobby", Amount: "1", Asset: "DCT"}, {To: "carol", Amount: "200", Asset: "DCT", Memo: "for the boat"},
	}}
	for name, change := range map[string]func(a, b *ledger.TransferObsoleteOp){
		"nothing":    nil,
		"amounts":    func(a, b *ledger.TransferObsoleteOp) { a.Amount, b.Amount = b.Amount, a.Amount },
		"recipients": func(a, b *ledger.TransferObsoleteOp) { a.To, b.To = b.To, a.To },
		"one twice":  func(a, b *ledger.TransferObsoleteOp) { a.To, a.Amount = b.To, b.Amount },
		"memos":      func(a, b *ledger.TransferObsoleteOp) { a.Memo, b.Memo = b.Memo, a.Memo },
	} {
		made, err := s.Wallet.Build.Build(s.Ctx, build.NewRequest("pay_many", list, build.PayMany), false)
		must(t, err)
		must(t, s.Wallet.Build.Complete(s.Ctx, made, true))
		ops := made.Operations()
		if change != nil {
			change(ops[0].Body.(*ledger.TransferObsoleteOp), ops[1].Body.(*ledger.TransferObsoleteOp))
			made.Repack()
		}
		signed, err := s.Wallet.Build.Sign(s.Ctx, made)
		switch {
		case change == nil:
			must(t, err)
		case err == nil || signed != nil:
			t.Errorf("%s changed places, and it was signed", name)
		}
	}
}
