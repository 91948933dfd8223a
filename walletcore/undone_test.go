package walletcore_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"
)

// given signs and sends operations as they are.
func given(w *testwallet.Wallet, begun map[ledger.ObjectID]int64, how payment.Sending, ops ...ledger.Operation) (*build.Signed, error) {
	how.Broadcast = true
	return w.Payments.Spend(w.Ctx, build.NewRequest("sign_transaction", build.OperationsParams{Operations: ops}, build.Operations).Begun(begun), how)
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
	for range 40 {
		if holds() {
			return
		}
		w.Mine()
		time.Sleep(5 * time.Millisecond)
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
	signed, err := w.Payments.Spend(w.Ctx, build.NewRequest("vote_for_miner",
		build.VoteForMinerParams{Voter: "alice", Miner: "miner-c", Approve: true}, build.VoteForMiner), payment.Sending{})
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
		dry, err := w.Payments.DryRun(w.Ctx, build.NewRequest("sign_transaction", build.OperationsParams{Operations: []ledger.Operation{tried.op}},
			build.Operations).Begun(tried.begun), payment.Sending{})
		if err != nil || len(dry.Review.Changed) != 1 || !strings.Contains(dry.Review.Changed[0].Undoes, second.TransactionID.String()) {
			t.Errorf("%s: the dry run says %+v, %v", what, dry.Review.Changed, err)
		}
	}
	now, err := w.Objects.Numbers(w.Ctx)
	must(t, err)
	undoing, err := given(w, nil, payment.Sending{Approve: func(_ context.Context, r build.Review) error {
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
	now, err = w.Objects.Numbers(w.Ctx)
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
	file, err := w.FileOf(w.Ctx, build.NewRequest("vote_for_miner",
		build.VoteForMinerParams{Voter: "alice", Miner: "miner-c", Approve: true}, build.VoteForMiner), 600, payment.Sending{})
	must(t, err)
	voted, err := voteFor(w, "miner-b", payment.Sending{})
	must(t, err)
	w.Mine()
	keys := vault.Cosigner{Vault: w.Vault}
	plan, err := file.PlanSigning(keys, w.Build.Now(), w.Build.CheckFees)
	must(t, err)
	must(t, file.Sign(keys, plan))
	if _, err := w.Payments.Broadcast(w.Ctx, file.Transaction, build.Review{}); fault.CodeOf(err) != fault.StateChanged {
		t.Errorf("sent unseen: %v", err)
	}
	var saw build.Review
	must(t, build.Undoing(w.Ctx, w.Build, &saw, file.Transaction.Operations))
	if len(saw.Changed) != 1 || !strings.Contains(saw.Changed[0].Undoes, voted.TransactionID.String()) {
		t.Fatalf("the review says %+v", saw.Changed)
	}
	if _, err := w.Payments.Broadcast(w.Ctx, file.Transaction, saw); err != nil {
		t.Errorf("sent after it was seen: %v", err)
	}
}
