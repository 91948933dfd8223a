package walletcore_test

import (
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// An authority that nobody can ever satisfy is lost, and belongs to nobody; one that anybody can satisfy also belongs to
// the wallet.
func TestWhoCanActAfterAChange(t *testing.T) {
	s := testwallet.Open(t, "alice")
	alice, bobby := s.Account("alice").ID, s.Account("bobby").ID
	own, his := testwallet.Key("alice").Public(), testwallet.Key("bobby").Public()
	of := func(threshold uint32, keys []ledger.PublicKey, accounts ...ledger.AccountID) *ledger.Authority {
		a := ledger.Authority{WeightThreshold: threshold}
		for _, key := range keys {
			a.KeyAuths = append(a.KeyAuths, ledger.KeyWeight{Key: key, Weight: 1})
		}
		for _, id := range accounts {
			a.AccountAuths = append(a.AccountAuths, ledger.AccountWeight{Account: id, Weight: 1})
		}
		return &a
	}
	key, none := []ledger.PublicKey{own}, []ledger.PublicKey(nil)
	type outcome struct{ here, others, anybody bool }
	for name, c := range map[string]struct {
		owner, active *ledger.Authority
		want          []outcome // of the owner authority and the active one, as far as they are set
	}{
		"itself":                    {of(1, none, alice), of(1, none, alice), []outcome{{}, {}}},
		"itself, by its active key": {of(1, none, alice), nil, []outcome{{here: true}}},
		"itself, by its owner key":  {of(1, key), of(1, none, alice), []outcome{{here: true}, {here: true}}},
		"nobody":                    {of(1, none, ledger.NullAccount), of(1, none, ledger.NullAccount), []outcome{{}, {}}},
		"nobody beside a key":       {of(1, key, ledger.NullAccount), nil, []outcome{{here: true}}},
		"itself, by another":        {of(1, none, bobby), of(1, none, alice), []outcome{{others: true}, {others: true}}},
		"itself and another":        {nil, of(2, []ledger.PublicKey{his}, alice), []outcome{{here: true}}},
		"anybody and a key":         {of(2, key, ledger.TempAccount), nil, []outcome{{here: true}}},
		"anybody and another":       {of(2, []ledger.PublicKey{his}, ledger.TempAccount), nil, []outcome{{others: true}}},
		"anybody":                   {nil, of(1, key, ledger.TempAccount), []outcome{{true, true, true}}},
	} {
		op := ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice, Owner: c.owner, Active: c.active})
		r, err := s.Build.Explain(s.Ctx, op)
		testwallet.Must(t, err)
		changes := r.Control
		if name == "itself, by its owner key" { // the key that it has
			changes = append([]txbuild.Control{{Here: true}}, changes...)
		}
		if len(changes) != len(c.want) {
			t.Fatalf("%s: %+v", name, r.Control)
		}
		lost := false
		for i, is := range changes {
			lost = lost || !c.want[i].here
			if (outcome{is.Here, is.Others, is.Anybody}) != c.want[i] {
				t.Errorf("%s: the %s authority: here %v, others %v, anybody %v, want %+v", name, is.Role, is.Here, is.Others, is.Anybody, c.want[i])
			}
		}
		if r.Loses() != lost {
			t.Errorf("%s: loses %v", name, r.Loses())
		}
	}
}

// A proposal that is approved may be executed after what stands beside its approval. Whoever loses in that order is told as well, also an own
// account that only names the one that changes.
func TestTheOrderInWhichMoreIsLostCounts(t *testing.T) {
	w := testwallet.Open(t, "alice")
	key := testwallet.Key("shop")
	shop := sharedAccount(w, "our-shop", 2, []string{"alice"}, key.Public())
	w.ImportKey("our-shop", key)
	alice, bobby := w.Account("alice").ID, w.Account("bobby").ID
	to := func(key ledger.PrivateKey) *ledger.AccountUpdateOp {
		of := ledger.SingleKeyAuthority(key.Public())
		return &ledger.AccountUpdateOp{Account: alice, Owner: &of, Active: &of}
	}
	head, err := w.View.Chain.Head(w.Ctx)
	testwallet.Must(t, err)
	pushOperation(w, &ledger.ProposalCreateOp{FeePayingAccount: bobby, ExpirationTime: head.Time + 3600,
		ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(to(testwallet.Key("bobby")))}}})
	for name, c := range map[string]struct {
		ops  []ledger.Operation
		lost bool
	}{
		"the change alone": {[]ledger.Operation{ledger.NewOperation(to(key))}, false},
		"beside an approval": {[]ledger.Operation{
			ledger.NewOperation(&ledger.ProposalUpdateOp{FeePayingAccount: alice, Proposal: 0, OwnerApprovalsToAdd: []ledger.AccountID{alice}}),
			ledger.NewOperation(to(key))}, true},
	} {
		var r txbuild.Review
		testwallet.Must(t, w.Build.AddEffects(w.Ctx, &r, c.ops))
		testwallet.Must(t, w.Build.AddConsequences(w.Ctx, &r, c.ops))
		if r.Approves != nil {
			r = *r.Approves
		}
		lost := slices.ContainsFunc(r.Control, func(is txbuild.Control) bool { return is.Account.ID == shop && is.Rests && !is.Here })
		if lost != c.lost {
			t.Errorf("%s: our-shop is lost: %v; %+v", name, lost, r.Control)
		}
	}
}
