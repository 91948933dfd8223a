package walletcore_test

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/proposal"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// sharedAccount creates an account with an authority of accounts and keys and the given threshold, and returns its id.
func sharedAccount(w *testwallet.Wallet, name string, threshold uint32, accounts []string, keys ...ledger.PublicKey) ledger.AccountID {
	w.T.Helper()
	team := ledger.Authority{WeightThreshold: threshold}
	for _, a := range accounts {
		team.AccountAuths = append(team.AccountAuths, ledger.AccountWeight{Account: w.Account(a).ID, Weight: 1})
	}
	for _, k := range keys {
		team.KeyAuths = append(team.KeyAuths, ledger.KeyWeight{Key: k, Weight: 1})
	}
	pushOperation(w, &ledger.AccountCreateOp{Registrar: w.Account("alice").ID, Name: name, Owner: team, Active: team,
		Options: ledger.NewAccountOptions(w.Account("alice").Options.MemoKey)})
	return w.Account(name).ID
}

// pushOperation puts an operation into a block without signatures.
func pushOperation(w *testwallet.Wallet, op ledger.Body) {
	w.T.Helper()
	_, err := w.Box.PushUnsigned(ledger.NewOperation(op))
	testwallet.Must(w.T, err)
	w.Mine()
}

// propose proposes that an account pays carol.
func propose(w *testwallet.Wallet, from ledger.AccountID, review uint32) {
	w.T.Helper()
	head, err := w.View.Chain.Head(w.Ctx)
	testwallet.Must(w.T, err)
	op := &ledger.ProposalCreateOp{FeePayingAccount: w.Account("alice").ID, ExpirationTime: head.Time + 3600,
		ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(&ledger.TransferObsoleteOp{From: from, To: w.Account("carol").ID,
			Fee: ledger.AssetAmount{Amount: 500_000}, Amount: ledger.AssetAmount{Amount: 3_0000_0000}})}}}
	if review > 0 {
		op.ReviewPeriodSeconds = &review
	}
	pushOperation(w, op)
}

func oneProposal(w *testwallet.Wallet) proposal.Proposal {
	w.T.Helper()
	all, err := proposal.NewReader(w.View, w.Vault, w.Build).Own(w.Ctx)
	testwallet.Must(w.T, err)
	if len(all) != 1 {
		w.T.Fatalf("%d proposals are open", len(all))
	}
	return all[0]
}

func ledgerNow(w *testwallet.Wallet) ledger.Time {
	head, err := w.View.Chain.Head(w.Ctx)
	testwallet.Must(w.T, err)
	return head.Time
}

// proposalStands fails the test unless the proposal has the given status.
func proposalStands(w *testwallet.Wallet, p proposal.Proposal, want proposal.Status, weight, then uint64, enough bool) {
	w.T.Helper()
	n := p.First()
	if p.Status(ledgerNow(w)) != want || n.Weight != weight || n.Then != then || p.Then != enough {
		w.T.Errorf("it stands %d with weight %d, then %d, enough then: %v; it gives %+v", p.Status(ledgerNow(w)), n.Weight, n.Then,
			p.Then, p.Give)
	}
}

func approveProposal(w *testwallet.Wallet, p proposal.Proposal, delta txbuild.ApprovalDelta) {
	w.T.Helper()
	made, err := w.Payments.Prepare(w.Ctx, txbuild.NewRequest("approve_proposal",
		txbuild.ApproveProposalParams{Payer: "alice", Proposal: p.ID.String(), Delta: delta}, txbuild.ApproveProposal))
	testwallet.Must(w.T, err)
	_, err = w.Payments.Send(w.Ctx, made)
	testwallet.Must(w.T, err)
	w.Mine()
}

// The proposal of an account that the wallet does not list is found by the account that acts for it.
func TestOneOfTwoApprovesAndTakesItBack(t *testing.T) {
	w := testwallet.Open(t, "alice")
	team := sharedAccount(w, "our-team", 2, []string{"alice", "bobby"})
	propose(w, team, 0)
	p := oneProposal(w)
	proposalStands(w, p, proposal.ForYou, 0, 1, false)
	if want := "our-team paid 3.00000000 DCT to carol"; len(p.Operations) != 1 || p.Operations[0].Sentence != want {
		t.Errorf("it does %+v", p.Operations)
	}
	n := p.First()
	if n.Account.Name != "our-team" || n.Threshold != 2 || len(n.Parties) != 2 || !n.Parties[0].Yours || n.Parties[1].Yours {
		t.Errorf("it needs %+v", n)
	}
	approveProposal(w, p, p.Give.Adds())
	p = oneProposal(w)
	proposalStands(w, p, proposal.ForOthers, 1, 1, false)
	if !p.First().Parties[0].Approved || len(p.Take.Active) != 1 {
		t.Errorf("alice approved, and it says %+v, %+v", p.First(), p.Take)
	}
	approveProposal(w, p, p.Take.Removes())
	proposalStands(w, oneProposal(w), proposal.ForYou, 0, 1, false)
}

// If the wallet's keys suffice, they approve as the account itself, and the proposal executes at once.
func TestWalletWithAllKeysApprovesAsTheAccount(t *testing.T) {
	w := testwallet.Open(t, "alice")
	team := sharedAccount(w, "our-team", 2, []string{"alice", "bobby"}, testwallet.Key("alice").Public())
	pushOperation(w, &ledger.TransferObsoleteOp{From: w.Account("alice").ID, To: team, Amount: ledger.AssetAmount{Amount: 9_0000_0000}})
	propose(w, team, 0)
	p := oneProposal(w)
	proposalStands(w, p, proposal.ForYou, 0, 2, true)
	if len(p.Give.Active) != 1 || p.Give.Active[0] != team {
		t.Errorf("it gives %+v", p.Give)
	}
	before := w.DCT("carol")
	approveProposal(w, p, p.Give.Adds())
	all, err := proposal.NewReader(w.View, w.Vault, w.Build).Own(w.Ctx)
	if err != nil || len(all) != 0 || w.DCT("carol") != before+3_0000_0000 {
		t.Errorf("%d are open, %v, carol got %d", len(all), err, w.DCT("carol")-before)
	}
}

// Accounts and keys of the wallet approve together.
func TestAccountsAndKeysApproveTogether(t *testing.T) {
	w := testwallet.Open(t, "alice")
	team := sharedAccount(w, "our-team", 3, []string{"alice", "bobby"}, testwallet.Key("alice").Public())
	propose(w, team, 0)
	p := oneProposal(w)
	proposalStands(w, p, proposal.ForYou, 0, 2, false)
	if len(p.Give.Active) != 1 || len(p.Give.Keys) != 1 {
		t.Errorf("it gives %+v", p.Give)
	}
	approveProposal(w, p, p.Give.Adds())
	p = oneProposal(w)
	proposalStands(w, p, proposal.ForOthers, 2, 2, false)
	if len(p.Take.Active) != 1 || len(p.Take.Keys) != 1 {
		t.Errorf("it takes %+v", p.Take)
	}
}

// A proposal that is approved before its review period waits for the end of that period.
func TestApprovedProposalWaitsForTheEndOfItsReview(t *testing.T) {
	w := testwallet.Open(t, "alice")
	sharedAccount(w, "inner-team", 1, []string{"alice"})
	team := sharedAccount(w, "our-team", 1, []string{"inner-team"})
	propose(w, team, 600)
	p := oneProposal(w) // alice is two levels away
	proposalStands(w, p, proposal.ForYou, 0, 1, true)
	approveProposal(w, p, p.Give.Adds())
	p = oneProposal(w)
	proposalStands(w, p, proposal.ForReview, 1, 1, true)
	if !p.Enough || !p.Closed(p.ExpirationTime) || p.Closed(ledgerNow(w)) {
		t.Errorf("%+v", p)
	}
}

// A proposal's operations are read from as many daemons as must agree: if one of them changes the operations, nothing is
// approved.
func TestLieAboutAProposalIsNotApproved(t *testing.T) {
	w, r := testwallet.OpenOnTwo(t, 2, nil, "alice")
	propose(w, w.Account("alice").ID, 0)
	p := oneProposal(w)
	ask := txbuild.NewRequest("approve_proposal",
		txbuild.ApproveProposalParams{Payer: "alice", Proposal: p.ID.String(), Delta: p.Give.Adds()}, txbuild.ApproveProposal)
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			return strings.ReplaceAll(answer, `"amount":300000000,`, `"amount":1000000,`)
		}
	})
	_, err := w.Payments.Prepare(w.Ctx, ask)
	if text := faulttest.Refused(t, err, fault.DaemonsDisagree).Error(); !strings.Contains(text, "the proposal "+p.ID.String()) {
		t.Errorf("it says %s", text)
	}
	r.Set(func(r *testwallet.Relay) { r.Swap = nil })
	made, err := w.Payments.Prepare(w.Ctx, ask)
	testwallet.Must(t, err)
	if does := made.Review().Approves; does == nil || does.SaidBy != 2 {
		t.Errorf("the review has %+v", does)
	}
}
