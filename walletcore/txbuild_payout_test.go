package walletcore_test

import (
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// Payments in another order have the same accounts and amounts: only the order shows who
// gets what, so it must not change.
func TestPaymentsOfAListKeepTheirOrder(t *testing.T) {
	s := testwallet.New(t, nil)
	s.Hold("alice")
	list := txbuild.PayManyParams{From: "alice", Payments: []txbuild.PayoutItem{
		{To: "bobby", Amount: "1", Asset: "DCT"}, {To: "carol", Amount: "200", Asset: "DCT", Memo: "for the boat"},
	}}
	for name, change := range map[string]func(a, b *ledger.TransferObsoleteOp){
		"nothing":    nil,
		"amounts":    func(a, b *ledger.TransferObsoleteOp) { a.Amount, b.Amount = b.Amount, a.Amount },
		"recipients": func(a, b *ledger.TransferObsoleteOp) { a.To, b.To = b.To, a.To },
		"one twice":  func(a, b *ledger.TransferObsoleteOp) { a.To, a.Amount = b.To, b.Amount },
		"memos":      func(a, b *ledger.TransferObsoleteOp) { a.Memo, b.Memo = b.Memo, a.Memo },
	} {
		for _, at := range []string{whileCompleted, onceCompleted} {
			signed, err := signChanged(s, txbuild.NewRequest("pay_many", list, txbuild.PayMany), at, func(ops []ledger.Operation) {
				if change != nil {
					change(ops[0].Body.(*ledger.TransferObsoleteOp), ops[1].Body.(*ledger.TransferObsoleteOp))
				}
			})
			switch {
			case change == nil:
				must(t, err)
			case err == nil || signed != nil:
				t.Errorf("%s changed places %s, and it was signed", name, at)
			}
		}
	}
}

// The review of several payments shows the memo of each, and what they will do, not what they did.
func TestReviewOfSeveralPaymentsShowsTheirMemos(t *testing.T) {
	s := testwallet.New(t, nil)
	s.Hold("alice")
	list := txbuild.PayManyParams{From: "alice", Payments: []txbuild.PayoutItem{
		{To: "bobby", Amount: "1", Asset: "DCT"}, {To: "carol", Amount: "200", Asset: "DCT", Memo: "for the boat"},
	}}
	made, err := s.Build.Build(s.Ctx, txbuild.NewRequest("pay_many", list, txbuild.PayMany), false)
	must(t, err)
	must(t, s.Build.Complete(s.Ctx, made, true))
	r, err := s.Build.Review(s.Ctx, made)
	must(t, err)
	if want := []txbuild.Text{{Of: 1, Text: "for the boat", State: vault.MemoOpen}}; !slices.Equal(r.Memos, want) {
		t.Errorf("the memos are %+v, want %+v", r.Memos, want)
	}
	want := []string{"alice 1.2.16 pays 1.00000000 DCT to bobby 1.2.17", "alice 1.2.16 pays 200.00000000 DCT to carol 1.2.18"}
	if !slices.Equal(r.Intents, want) || r.Sentences[0] != "alice paid 1.00000000 DCT to bobby" {
		t.Errorf("the review says %q and %q", r.Intents, r.Sentences)
	}
	s.Vault.Lock()
	if r := s.Build.FactsOf(made.Operations()); len(r.Memos) != 1 || r.Memos[0].Text != "" || r.Memos[0].State != vault.MemoLocked {
		t.Errorf("a locked wallet reads %+v", r.Memos)
	}
}
