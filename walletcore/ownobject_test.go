package walletcore_test

import (
	"context"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

func voteFor(w *testwallet.Wallet, miner string, how payment.Sending) (*txbuild.Signed, error) {
	how.Broadcast = true
	return w.Payments.Spend(w.Ctx, txbuild.NewRequest("vote_for_miner",
		txbuild.VoteForMinerParams{Voter: "alice", Miner: miner, Approve: true}, txbuild.VoteForMiner), how)
}

// Another wallet with the same keys undoes a vote: whoever asks for the vote is told by which transaction, once, and the next change
// does not write that back before somebody saw it.
func TestWhoeverUndoesAChangeIsNamed(t *testing.T) {
	t.Parallel()
	w := testwallet.Open(t, "alice")
	other := testwallet.On(t, w.Box, w.Box.URL(), nil)
	other.Hold("alice")
	w.Mine() // what is seen twice, with two blocks, is accepted
	w.Mine()
	options := w.Account("alice").Options
	voted, err := voteFor(w, "miner-b", payment.Sending{})
	must(t, err)
	w.Mine()
	options.MemoKey = testwallet.Key("bobby").Public()
	undoing, err := other.Payments.Spend(other.Ctx, testwallet.Ready(ledger.NewOperation(
		&ledger.AccountUpdateOp{Account: w.Account("alice").ID, NewOptions: &options})), payment.Sending{Broadcast: true})
	must(t, err)
	w.Mine()
	if info, err := w.Payments.Get(w.Ctx, voted.TransactionID.String()); err != nil || info.UndoneBy != nil {
		t.Errorf("told of before it is irreversible: %+v, %v", info.UndoneBy, err)
	}
	mineUntil(w, "being told", func() bool { found, _ := w.Watcher.Unseen(); return len(found) == 1 })
	info, err := w.Payments.Get(w.Ctx, voted.TransactionID.String())
	must(t, err)
	if by := info.UndoneBy; by == nil || by.TransactionID != undoing.TransactionID.String() || !strings.Contains(by.What, "memo key") {
		t.Errorf("the vote was undone by %+v", by)
	}
	if s := w.Status().OwnChanged; !strings.Contains(s, undoing.TransactionID.String()) || !strings.Contains(s, voted.TransactionID.String()) {
		t.Errorf("the status says %q", s)
	}
	must(t, w.AcknowledgeChanges(w.Ctx))
	w.Mine()
	if s := w.Status().OwnChanged; s != "" {
		t.Errorf("once acknowledged, the status says %q", s)
	}
	if _, err := voteFor(w, "miner-c", payment.Sending{}); fault.CodeOf(err) != fault.StateChanged {
		t.Errorf("a vote that writes back what nobody saw: %v", err)
	}
	var saw txbuild.Review
	_, err = voteFor(w, "miner-c", payment.Sending{Approve: func(_ context.Context, r txbuild.Review) error { saw = r; return nil }})
	must(t, err)
	if len(saw.Changed) != 2 { // the memo key and the votes
		t.Errorf("the review says %+v", saw.Changed)
	}
	if _, err := voteFor(w, "miner-d", payment.Sending{}); err != nil {
		t.Errorf("after it was accepted: %v", err)
	}
}

// A daemon that was honest lies about an own account in the course of a change: what it says is not signed, and what was asked is not
// left out because it calls it so already.
func TestALieAboutAnOwnAccountIsNotWrittenBack(t *testing.T) {
	t.Parallel()
	w, r, _ := testwallet.OpenBehindRelay(t)
	_, err := voteFor(w, "miner-b", payment.Sending{})
	must(t, err)
	w.Mine()
	own, liar := w.Account("alice").Options.MemoKey.String(), testwallet.Key("bobby").Public().String()
	bobby := w.Account("bobby").ID.String()
	vote := w.Account("alice").Options.Votes[0].String()
	for name, lie := range map[string][2]string{
		"memo key": {`"memo_key":"` + own, `"memo_key":"` + liar},
		"proxy":    {`"voting_account":"1.2.3"`, `"voting_account":"` + bobby + `"`},
		"votes":    {`"votes":["` + vote + `"]`, `"votes":[]`},
		"count":    {`"num_miner":0`, `"num_miner":1`},
	} {
		told := false
		r.Set(func(r *testwallet.Relay) {
			r.Swap = func(answer string) string {
				if !strings.Contains(answer, `"name":"alice"`) {
					return answer
				}
				now := strings.ReplaceAll(answer, lie[0], lie[1])
				told = told || now != answer
				return now
			}
		})
		w.View.Chain.Forget()
		if _, err := voteFor(w, "miner-c", payment.Sending{}); fault.CodeOf(err) != fault.StateChanged || !told {
			t.Errorf("%s: told %v, %v", name, told, err)
		}
	}
	wanted := ledger.SingleKeyAuthority(testwallet.Key("bobby").Public())
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			if !strings.Contains(answer, `"name":"alice"`) {
				return answer
			}
			before, after, _ := strings.Cut(answer, `"active":{`)
			return before + `"active":{` + strings.Replace(after, own, liar, 1)
		}
	})
	w.View.Chain.Forget()
	tried, err := w.Payments.DryRun(w.Ctx, txbuild.NewRequest("update_account_keys_to_multisig", txbuild.UpdateAccountToMultisigParams{
		Account: "alice", Owner: ledger.SingleKeyAuthority(testwallet.Key("alice").Public()), Active: wanted, Memo: testwallet.Key("alice").Public(),
	}, txbuild.UpdateAccountToMultisig), payment.Sending{})
	must(t, err)
	if op := tried.Operations[0].Body.(*ledger.AccountUpdateOp); op.Active == nil {
		t.Error("the active authority was left out, because the daemon says that it is so already")
	}
}
