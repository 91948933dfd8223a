package walletcore_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/cosign"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// given signs and sends operations as they are.
func given(w *testwallet.Wallet, begun map[ledger.ObjectID]int64, how payment.Sending, ops ...ledger.Operation) (*txbuild.Signed, error) {
	how.Broadcast = true
	return w.Payments.Spend(w.Ctx, txbuild.NewRequest("sign_transaction", txbuild.OperationsParams{Operations: ops}, txbuild.Operations).Begun(begun), how)
}

// accountUpdate returns the operation that sets options of alice, with its fee.
func accountUpdate(t *testing.T, w *testwallet.Wallet, options ledger.AccountOptions) ledger.Operation {
	t.Helper()
	ops := []ledger.Operation{ledger.NewOperation(&ledger.AccountUpdateOp{Account: w.Account("alice").ID, NewOptions: &options})}
	_, err := w.Build.SetFees(w.Ctx, ops)
	must(t, err)
	return ops[0]
}

// mineUntil makes blocks until something holds.
func mineUntil(w *testwallet.Wallet, what string, holds func() bool) {
	w.T.Helper()
	for end := time.Now().Add(testwallet.Patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
		w.Mine()
	}
	w.T.Fatalf("%s: it never happened", what)
}

// An update that was made before another change was acknowledged, and that says otherwise, is refused, however it was made; where a person
// sees it, it is a change that is typed.
func TestAnUpdateMadeBeforeUndoesNothingUnseen(t *testing.T) {
	t.Parallel()
	w := testwallet.Open(t, "alice")
	w.Mine()
	first, err := voteFor(w, "miner-b", payment.Sending{})
	must(t, err)
	w.Mine()
	begun, err := w.Objects.Numbers(w.Ctx) // begin_builder_transaction
	must(t, err)
	composed := w.Account("alice").Options // get_account
	signed, err := w.Payments.Spend(w.Ctx, txbuild.NewRequest("vote_for_miner",
		txbuild.VoteForMinerParams{Voter: "alice", Miner: "miner-c", Approve: true}, txbuild.VoteForMiner), payment.Sending{})
	must(t, err)
	second, err := voteFor(w, "miner-d", payment.Sending{})
	must(t, err)
	w.Mine()
	memo := composed
	memo.MemoKey = testwallet.Key("bobby").Public()
	for what, tried := range map[string]struct {
		op    ledger.Operation
		begun map[ledger.ObjectID]int64
	}{
		"votes as they were":                 {accountUpdate(t, w, composed), nil},
		"a memo key, and votes as they were": {accountUpdate(t, w, memo), nil},
		"under construction":                 {accountUpdate(t, w, memo), begun},
		"only signed by this wallet":         {signed.Operations[0], nil},
	} {
		_, err := given(w, tried.begun, payment.Sending{}, tried.op)
		if fault.CodeOf(err) != fault.StateChanged || !strings.Contains(err.Error(), second.TransactionID.String()) {
			t.Errorf("%s: %v", what, err)
		}
		dry, err := w.Payments.DryRun(w.Ctx, txbuild.NewRequest("sign_transaction", txbuild.OperationsParams{Operations: []ledger.Operation{tried.op}},
			txbuild.Operations).Begun(tried.begun), payment.Sending{})
		if err != nil || len(dry.Review.Changed) != 1 || !strings.Contains(dry.Review.Changed[0].Undoes, second.TransactionID.String()) {
			t.Errorf("%s: the dry run says %+v, %v", what, dry.Review.Changed, err)
		}
	}
	undoing, err := given(w, nil, payment.Sending{Approve: func(_ context.Context, r txbuild.Review) error {
		if len(r.Changed) != 1 {
			t.Errorf("the review says %+v", r.Changed)
		}
		return nil
	}}, accountUpdate(t, w, composed))
	must(t, err)
	mineUntil(w, "the undoing is irreversible", func() bool { return w.Payment(undoing.TransactionID).State == payment.Irreversible })
	info, err := w.Payments.Get(w.Ctx, second.TransactionID.String())
	must(t, err)
	if by := info.UndoneBy; by == nil || by.TransactionID != undoing.TransactionID.String() || by.BlockNum == 0 {
		t.Errorf("the second vote was undone by %+v", by)
	}
	if info, err := w.Payments.Get(w.Ctx, first.TransactionID.String()); err != nil || info.UndoneBy != nil {
		t.Errorf("the first vote was undone by %+v, %v", info.UndoneBy, err)
	}
	if s := w.Status().OwnChanged; s != "" {
		t.Errorf("what a person permitted is reported as a change by others: %s", s)
	}
	// Whoever begins after a change sets what it set knowingly.
	now, err := w.Objects.Numbers(w.Ctx)
	must(t, err)
	composed.Votes = w.Account("alice").Options.Votes[:0]
	if _, err := given(w, now, payment.Sending{}, accountUpdate(t, w, composed)); err != nil {
		t.Errorf("set knowingly: %v", err)
	}
}

// A transaction file that would undo a change of this wallet shows it, and is not sent unless its review did.
func TestAFileThatUndoesAChangeShowsIt(t *testing.T) {
	t.Parallel()
	w := testwallet.Open(t, "alice")
	w.Mine()
	export := func() (*cosign.File, error) {
		return w.FileOf(w.Ctx, txbuild.NewRequest("vote_for_miner",
			txbuild.VoteForMinerParams{Voter: "alice", Miner: "miner-c", Approve: true}, txbuild.VoteForMiner), 600, payment.Sending{})
	}
	file, err := export()
	for fault.CodeOf(err) == fault.StateChanged { // the watcher saw the account for the first time meanwhile
		file, err = export()
	}
	must(t, err)
	voted, err := voteFor(w, "miner-b", payment.Sending{})
	must(t, err)
	w.Mine()
	keys := vault.Cosigner{Vault: w.Vault}
	plan, err := file.PlanSigning(keys, w.Build.Now(), w.Build.CheckFees)
	must(t, err)
	must(t, file.Sign(keys, plan))
	if _, err := w.Payments.Broadcast(w.Ctx, file.Transaction, txbuild.Review{}); fault.CodeOf(err) != fault.StateChanged {
		t.Errorf("sent unseen: %v", err)
	}
	var saw txbuild.Review
	must(t, w.Build.AddUndone(w.Ctx, &saw, file.Transaction.Operations))
	if len(saw.Changed) != 1 || !strings.Contains(saw.Changed[0].Undoes, voted.TransactionID.String()) {
		t.Fatalf("the review says %+v", saw.Changed)
	}
	if _, err := w.Payments.Broadcast(w.Ctx, file.Transaction, saw); err != nil {
		t.Errorf("sent after it was seen: %v", err)
	}
}

// Others change parts of an account one after the other, and some back again: each payment that is undone names a transaction that changed
// what the payment had set, from what it had set, and none is named before all of that is irreversible.
func TestWhatUndidAPartIsNamed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		w := testwallet.Open(t, "alice")
		other := testwallet.On(t, w.Box, w.Box.URL(), nil)
		other.Hold("alice")
		w.Mine()
		w.Mine()
		own := map[string]ledger.TransactionID{}
		change := func(part string, r txbuild.Request) {
			signed, err := w.Payments.Spend(w.Ctx, r, payment.Sending{Broadcast: true})
			must(t, err)
			own[part] = signed.TransactionID
			w.Mine()
		}
		change("votes", txbuild.NewRequest("vote_for_miner", txbuild.VoteForMinerParams{Voter: "alice", Miner: "miner-b", Approve: true}, txbuild.VoteForMiner))
		change("voting proxy", txbuild.NewRequest("set_voting_proxy", txbuild.SetVotingProxyParams{Account: "alice", Proxy: "bobby"}, txbuild.SetVotingProxy))
		change("memo key", txbuild.NewRequest("update_account_keys",
			txbuild.UpdateAccountKeysParams{Account: "alice", Memo: testwallet.Key("carol").Public().String()}, txbuild.UpdateAccountKeys))
		ours := w.Account("alice").Options
		now, r := ours, rand.New(rand.NewPCG(seed, 1))
		undid := map[string][]string{} // by part: the transactions that changed it from what it was
		for range 5 {
			before := now
			switch r.IntN(4) {
			case 0:
				now.Votes = []ledger.VoteID{ours.Votes[0] + ledger.VoteID((1+r.IntN(2))<<8)}
			case 1:
				now.VotingAccount = ledger.ProxyToSelf
			case 2:
				now.MemoKey = testwallet.Key("bobby").Public()
			case 3:
				now = ours
				now.NumMiner = uint16(0)
			}
			sent, err := other.Payments.Spend(other.Ctx, testwallet.Ready(ledger.NewOperation(
				&ledger.AccountUpdateOp{Account: w.Account("alice").ID, NewOptions: &now})),
				payment.Sending{Broadcast: true, Approve: func(context.Context, txbuild.Review) error { return nil }})
			must(t, err)
			w.Mine()
			id := sent.TransactionID.String()
			if slices.Equal(before.Votes, ours.Votes) && !slices.Equal(now.Votes, ours.Votes) {
				undid["votes"] = append(undid["votes"], id)
			}
			if before.VotingAccount == ours.VotingAccount && now.VotingAccount != ours.VotingAccount {
				undid["voting proxy"] = append(undid["voting proxy"], id)
			}
			if before.MemoKey == ours.MemoKey && now.MemoKey != ours.MemoKey {
				undid["memo key"] = append(undid["memo key"], id)
			}
		}
		for range 25 {
			w.Mine()
		}
		lost := map[string]bool{"votes": !slices.Equal(now.Votes, ours.Votes), "voting proxy": now.VotingAccount != ours.VotingAccount,
			"memo key": now.MemoKey != ours.MemoKey}
		soon(t, "being told of all that was undone", func() bool {
			w.Mine()
			for part, id := range own {
				if info, err := w.Payments.Get(w.Ctx, id.String()); err != nil || lost[part] && info.UndoneBy == nil {
					return false
				}
			}
			return true
		})
		for part, id := range own {
			info, err := w.Payments.Get(w.Ctx, id.String())
			must(t, err)
			if info.UndoneBy != nil && !slices.Contains(undid[part], info.UndoneBy.TransactionID) {
				t.Errorf("seed %d: the change of the %s was undone by one of %v, not by %+v", seed, part, undid[part], info.UndoneBy)
			}
		}
	}
}

// Whoever asks for a change that is only sent is told so, and which transaction it is.
func TestAlreadySaysWhatIsOnItsWay(t *testing.T) {
	t.Parallel()
	w := testwallet.Open(t, "alice")
	w.Mine()
	sent, err := voteFor(w, "miner-b", payment.Sending{})
	must(t, err)
	if _, err := voteFor(w, "miner-b", payment.Sending{}); fault.CodeOf(err) != fault.VotesAlready ||
		!strings.Contains(err.Error(), "on its way in transaction "+sent.TransactionID.String()) {
		t.Errorf("while it is sent: %v", err)
	}
	w.Mine()
	w.Until("a block", func() bool { return w.Payment(sent.TransactionID).State >= payment.InBlock })
	if _, err := voteFor(w, "miner-b", payment.Sending{}); fault.CodeOf(err) != fault.VotesAlready || strings.Contains(err.Error(), "on its way") {
		t.Errorf("once it is in a block: %v", err)
	}
}
