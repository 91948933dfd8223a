package txbuild

import (
	"testing"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// Whatever a person reads in a review and approves is a term; what is another with each building is none.
func TestWhatChangesIsNamed(t *testing.T) {
	review := func() Review {
		r := Review{Operation: "transfer", From: refTo(alice), To: refTo(bobby), Amount: 100, Fee: 5, Memo: "rent",
			JSON:      `{"memo":{"from":"DCT1","to":"DCT2","nonce":"7","message":"aa"}}`,
			Moves:     []Move{pays(bobby, 100, 0)},
			SignsWith: []ledger.PublicKey{ledger.DeriveKey("alice", 0).Public()}, Outgoing: []Outgoing{{Amount: 105, Available: 1000}}}
		return r
	}
	approved := review().Terms()
	for want, change := range map[string]func(r *Review){
		"":                                    func(r *Review) { r.JSON = `{"memo":{"from":"DCT1","to":"DCT2","nonce":"8","message":"bb"}}` },
		"the recipient":                       func(r *Review) { r.To = refTo(carol) },
		"the amount":                          func(r *Review) { r.Amount++ },
		"the fee":                             func(r *Review) { r.Fee++ },
		"the memo":                            func(r *Review) { r.Memo = "rest" },
		"the key of the memo":                 func(r *Review) { r.JSON = `{"memo":{"from":"DCT1","to":"DCT3","nonce":"7","message":"aa"}}` },
		"what goes to whom":                   func(r *Review) { r.Moves[0].Amount++ },
		"the keys that sign":                  func(r *Review) { r.SignsWith = nil },
		"what else it does":                   func(r *Review) { r.Effects = append(r.Effects, ledger.Effect{}) },
		"whether it is signed here":           func(r *Review) { r.Outcome++ },
		"whether it is a first payment":       func(r *Review) { r.FirstTime = true },
		"the names it is easily mistaken for": func(r *Review) { r.LooksLike = append(r.LooksLike, refTo(carol)) },
		"what changed about the recipient":    func(r *Review) { r.Changed = append(r.Changed, ledgerview.Change{What: "memo key"}) },
		"whether the fee leaps":               func(r *Review) { r.FeeLeaps = true },
		"whether the same was paid lately":    func(r *Review) { r.Repeats = new(history.Entry) },
		"whether it takes more than half of the balance": func(r *Review) { r.Outgoing[0].Available = 200 },
		"the payer":       func(r *Review) { r.From = refTo(carol) },
		"the operation":   func(r *Review) { r.Operation = "issue" },
		"the chain":       func(r *Review) { r.Chain[0]++ },
		"who has to sign": func(r *Review) { r.Signers = append(r.Signers, Signer{}) },
	} {
		r := review()
		if change(&r); ChangedTerm(approved, r.Terms()) != want {
			t.Errorf("%q is told as %q", want, ChangedTerm(approved, r.Terms()))
		}
	}
	if ChangedTerm(nil, approved) == "" || ChangedTerm(approved, approved[:3]) == "" {
		t.Error("what lacks terms is the same")
	}
}
