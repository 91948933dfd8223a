package walletcore_test

import (
	"context"
	"strings"
	"testing"

	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// A daemon that was honest names another key of the same wallet as the sender's memo key: nothing is encrypted with it unseen, whatever carries
// the text; once a person has seen it, it is accepted.
func TestALieAboutTheSendersMemoKeyIsNotUsed(t *testing.T) {
	t.Parallel()
	w, r, _ := testwallet.OpenBehindRelay(t)
	w.ImportKey("carol", testwallet.Key("carol"))
	w.Mine()
	_, err := voteFor(w, "miner-b", payment.Sending{}) // from then on the account's state is known
	must(t, err)
	w.Mine()
	transfer := testwallet.OneDCT()
	transfer.Memo = "hello"
	requests := map[string]txbuild.Request{
		"transfer": txbuild.NewRequest("transfer", transfer, txbuild.Transfer),
		"send_message": txbuild.NewRequest("send_message", txbuild.MessageParams{From: "alice", To: []string{"bobby"}, Text: "hello"},
			txbuild.SendMessage),
	}
	for name, request := range requests {
		if _, err := w.Payments.Spend(w.Ctx, request, payment.Sending{Broadcast: true}); err != nil {
			t.Errorf("%s before the lie: %v", name, err)
		}
	}
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			if !strings.Contains(answer, `"name":"alice"`) {
				return answer
			}
			return strings.ReplaceAll(answer, `"memo_key":"`+testwallet.Key("alice").Public().String(), `"memo_key":"`+testwallet.Key("carol").Public().String())
		}
	})
	w.View.Chain.Forget()
	for name, request := range requests {
		if _, err := w.Payments.Spend(w.Ctx, request, payment.Sending{Broadcast: true}); fault.CodeOf(err) != fault.StateChanged {
			t.Errorf("%s after the lie: %v", name, err)
		}
	}
	plain := testwallet.OneDCT()
	if _, err := w.Transfer(plain, payment.Sending{Broadcast: true}); err != nil {
		t.Errorf("without a memo: %v", err)
	}
	var saw txbuild.Review
	if _, err := w.Payments.Spend(w.Ctx, requests["transfer"], payment.Sending{Broadcast: true,
		Approve: func(_ context.Context, r txbuild.Review) error { saw = r; return nil }}); err != nil {
		t.Errorf("after a person saw it: %v", err)
	}
	if len(saw.Changed) != 1 || saw.Changed[0].What != "memo key" {
		t.Errorf("the person saw %+v", saw.Changed)
	}
	w.View.Chain.Forget()
	if _, err := w.Payments.Spend(w.Ctx, requests["send_message"], payment.Sending{Broadcast: true}); err != nil {
		t.Errorf("once it is accepted: %v", err)
	}
}
