package payment_test

import (
	"regexp"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// A node can list a payment that there never was: who was paid before is what the journal or a block says.
func TestAnInventedPaymentMakesNobodyKnown(t *testing.T) {
	s, relay, _ := testwallet.OpenBehindRelay(t)
	alice, bobby, carol := s.Account("alice").ID, s.Account("bobby").ID, s.Account("carol").ID
	other := ledger.NewOperation(&ledger.TransferObsoleteOp{From: alice, To: bobby, Amount: ledger.AssetAmount{Amount: 7}})
	_, err := s.Box.PushUnsigned(other) // of a wallet elsewhere
	testwallet.Must(t, err)
	for range 4 {
		s.Mine()
	}
	s.Until("it is proven", func() bool { return s.View.Chain.Proven() >= 2 })
	if r := review(s, "bobby", "5", ""); r.FirstTime || r.PaidBefore != 1 || r.Unproven != 0 {
		t.Errorf("what a block shows: first %v, %d before, %d unproven", r.FirstTime, r.PaidBefore, r.Unproven)
	}
	relay.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			if !strings.Contains(answer, `"1.11.`) && !strings.Contains(answer, `"op":[`) {
				return answer
			}
			return strings.ReplaceAll(answer, `"to":"`+bobby.String()+`"`, `"to":"`+carol.String()+`"`)
		}
	})
	if r := review(s, "carol", "5", ""); !r.FirstTime || len(r.New) != 1 || r.PaidBefore != 0 || r.Unproven != 1 {
		t.Errorf("what is made up: first %v, new %v, %d before, %d unproven", r.FirstTime, r.New, r.PaidBefore, r.Unproven)
	}
}

// records are those of a history in an answer.
var records = regexp.MustCompile(`"result":\[\{"id":"1\.7\..*\]`)

// A node can leave a payment out: what the journal knows is repeated all the same, also by a later run of the program.
func TestAHiddenPaymentIsStillARepetition(t *testing.T) {
	p := newPlace(t)
	relay := testwallet.RelayTo(t, p.box.URL())
	p.url = relay.URL
	s := p.sit()
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	id := s.Pay("alice", "bobby", "7", "").TransactionID
	for range 4 {
		s.Mine()
	}
	s.Until("it is final", func() bool { return s.Payment(id).State == payment.Irreversible })
	hide := func(r *testwallet.Relay) {
		r.Swap = func(answer string) string { return records.ReplaceAllString(answer, `"result":[]`) }
	}
	relay.Set(hide)
	repeats := func(s *sitting, run string) {
		t.Helper()
		made, err := s.Payments.Prepare(s.Ctx, txbuild.NewRequest("transfer",
			txbuild.TransferParams{From: "alice", To: "bobby", Amount: "7", Asset: "DCT"}, txbuild.Transfer))
		testwallet.Must(t, err)
		if r := made.Review(); r.Repeats == nil || r.FirstTime || r.PaidBefore != 1 {
			t.Errorf("in the %s run: repeats %v, first %v, %d before", run, r.Repeats, r.FirstTime, r.PaidBefore)
		}
	}
	repeats(s, "same")
	s.end()
	s = p.sit()
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	repeats(s, "next")
}
