package payment_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// memoTo pays with a memo and returns the key that the memo is for.
func memoTo(w *testwallet.Wallet, to string) (ledger.PublicKey, error) {
	req := txbuild.TransferParams{From: "alice", To: to, Amount: "1", Asset: "DCT", Memo: "for the boat"}
	signed, err := w.Transfer(req, payment.Sending{Broadcast: true})
	if err != nil {
		return ledger.PublicKey{}, err
	}
	return signed.Operations[0].Memo().To, nil
}

// What is known of a recipient lasts for one block: a key that changes is seen with the block that changes it,
// and so is a fork that takes the change back.
func TestARecipientChangesKeysBetweenTwoPayments(t *testing.T) {
	t.Parallel()
	w := testwallet.Open(t, "alice")
	other := testwallet.On(t, w.Box, w.Box.URL(), nil)
	other.Hold("bobby")
	w.Mine()
	was, now := testwallet.Key("bobby").Public(), testwallet.Key("carol").Public()
	paid := func(when string) {
		t.Helper()
		if key, err := memoTo(w, "bobby"); err != nil || key != was {
			t.Fatalf("%s: the memo is for %s, %v", when, key, err)
		}
	}
	paid("first")
	bobby := other.Account("bobby")
	options := bobby.Options
	options.MemoKey = now
	change, err := other.Payments.Spend(other.Ctx, testwallet.Ready(ledger.NewOperation(&ledger.AccountUpdateOp{
		Account: bobby.ID, NewOptions: &options,
	})), payment.Sending{})
	testwallet.Must(t, err)
	testwallet.Must(t, w.Client.BroadcastTransaction(w.Ctx, &change.SignedTransaction)) // which nobody sends again
	paid("while the change is in no block")
	w.Mine()
	_, err = memoTo(w, "bobby")
	if fault.CodeOf(err) != fault.KeysChanged {
		t.Fatalf("with the block of the change: %v", err)
	}
	_, err = w.Box.Fork(1, false)
	testwallet.Must(t, err)
	w.Mine()
	w.Mine() // which is later than any block before
	paid("after the fork")
}

// What the wallet's own keys change is seen at once, in the same block.
func TestAnOwnChangeIsSeenAtOnce(t *testing.T) {
	t.Parallel()
	w := testwallet.Open(t, "alice", "bobby")
	if key, err := memoTo(w, "bobby"); err != nil || key != testwallet.Key("bobby").Public() {
		t.Fatal(key, err)
	}
	bobby := w.Account("bobby")
	options := bobby.Options
	options.MemoKey = testwallet.Key("carol").Public()
	w.Send(ledger.NewOperation(&ledger.AccountUpdateOp{Account: bobby.ID, NewOptions: &options}))
	if _, err := memoTo(w, "bobby"); fault.CodeOf(err) != fault.KeysChanged {
		t.Errorf("the changed key is answered with %v", err)
	}
}

// Balances are never kept: what another wallet spends in the same block is missing at once.
func TestABalanceIsSpentFromAnotherWallet(t *testing.T) {
	t.Parallel()
	w := testwallet.Open(t, "alice")
	other := testwallet.On(t, w.Box, w.Box.URL(), nil)
	other.Hold("alice")
	w.Mine()
	w.Pay("alice", "bobby", "1", "") // everything else is known of this block
	before := w.Prepare(testwallet.OneDCT()).Review().Available
	other.Pay("alice", "carol", "7", "")
	if after := w.Prepare(testwallet.OneDCT()).Review().Available; before-after < 7*1_0000_0000 {
		t.Errorf("alice has %d, and %d after 7 DCT were spent", before, after)
	}
	all := testwallet.OneDCT()
	all.Amount = ledger.FormatAmount(before, 8)
	_, err := w.Payments.Prepare(w.Ctx, txbuild.NewRequest("transfer", all, txbuild.Transfer))
	if fault.CodeOf(err) != fault.InsufficientBalance {
		t.Errorf("more than there is: %v", err)
	}
}

// What one daemon said is not used once another is in use, however soon a payment comes after it.
func TestFactsEndWithTheirDaemon(t *testing.T) {
	t.Parallel()
	box := testwallet.Ledger(t, sandbox.Options{})
	liar := testwallet.RelayTo(t, box.URL())
	config := testwallet.ClientConfig("")
	config.URLs, config.Pin = []string{liar.URL, box.URL()}, liar.URL
	config.StaleAfter, config.ProbeInterval = -1, 10*time.Millisecond
	client := daemonclient.New(config)
	testwallet.Run(t, client.Run)
	w := testwallet.Connect(t, filepath.Join(testwallet.Folder(t), "wallet.keys"), box.URL(),
		func(c *walletcore.Config) { c.Daemon = client })
	w.Box, w.Client = box, client
	testwallet.Must(t, client.WaitOnline(w.Ctx))
	w.Hold("alice")
	w.Mine()
	w.Until("the liar is in use", func() bool { return client.Status().URL == liar.URL && client.Status().State == daemonclient.Online })
	was, lie := testwallet.Key("carol").Public().String(), testwallet.Key("bobby").Public().String()
	liar.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			if strings.Contains(answer, `"name":"carol"`) {
				return strings.ReplaceAll(answer, `"memo_key":"`+was+`"`, `"memo_key":"`+lie+`"`)
			}
			return answer
		}
	})
	if got := w.Account("carol").Options.MemoKey.String(); got != lie {
		t.Fatalf("the lie is not told: %s", got)
	}
	events, stop := client.Subscribe()
	defer stop()
	liar.HangUp(true)
	for s := client.Status(); s.URL != box.URL() || s.State != daemonclient.Online; s = client.Status() {
		select {
		case <-events:
		case <-w.Ctx.Done():
			t.Fatal("no other daemon took over")
		}
	}
	if key, err := memoTo(w, "carol"); err != nil || key.String() != was {
		t.Errorf("the memo is for %s, as the former daemon had it: %v", key, err)
	}
}
