package walletcore_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/cosign"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
	"billfold/walletcore/walletapi"
)

// An account needs the signatures of two of three. One wallet writes a payment to a file, two sign
// copies of it without a daemon, and a third broadcasts the merged file.
func TestTwoOfThreeSignByFiles(t *testing.T) {
	writer := testwallet.Open(t, "alice")
	share(writer, "bobby", "carol", "dave")
	text := exported(t, writer)

	signers := map[string]*cosign.File{}
	for _, name := range []string{"bobby", "carol"} {
		file, err := cosign.Parse(text)
		testwallet.Must(t, err)
		w := offline(t, writer, name)
		keys := vault.Cosigner{Vault: w.Vault}
		plan, err := file.PlanSigning(keys, time.Now(), w.Build.CheckFees)
		testwallet.Must(t, err)
		testwallet.Must(t, file.Sign(keys, plan))
		signers[name] = file
	}

	sender := testwallet.On(t, writer.Box, writer.Box.URL(), nil)
	if _, err := sender.Payments.Broadcast(sender.Ctx, signers["bobby"].Transaction, txbuild.Review{}); fault.CodeOf(err) != fault.MissingAuthority {
		t.Fatalf("one signature of two: %v", err)
	}
	merged := signers["bobby"]
	testwallet.Must(t, merged.Merge(signers["carol"]))
	before := writer.DCT("faucet")
	for range 2 { // the second time it has been broadcast already
		sent, err := sender.Payments.Broadcast(sender.Ctx, merged.Transaction, txbuild.Review{})
		testwallet.Must(t, err)
		if sent.ID != merged.ID || sent.State != payment.Sent {
			t.Errorf("%s is %s", sent.ID, sent.State)
		}
	}
	writer.Mine()
	if got := writer.DCT("faucet") - before; got != 3_0000_0000 {
		t.Errorf("%d arrived", got)
	}
	sender.Until("the payment is in a block", func() bool { return sender.Payment(merged.ID).State >= payment.InBlock })
}

// share changes alice's active authority to two of the accounts' keys.
func share(w *testwallet.Wallet, names ...string) {
	w.T.Helper()
	both := ledger.Authority{WeightThreshold: 2}
	for _, name := range names {
		both.KeyAuths = append(both.KeyAuths, ledger.KeyWeight{Key: testwallet.Key(name).Public(), Weight: 1})
	}
	slices.SortFunc(both.KeyAuths, func(a, b ledger.KeyWeight) int { return ledger.ComparePublicKeys(a.Key, b.Key) })
	w.Send(ledger.NewOperation(&ledger.AccountUpdateOp{Account: w.Account("alice").ID, Owner: &both, Active: &both}))
	w.Mine()
}

// exported returns the file of a payment of 3 DCT from alice to faucet.
func exported(t *testing.T, w *testwallet.Wallet) []byte {
	t.Helper()
	api := walletapi.New(walletapi.Core{Wallet: w.Wallet})
	text, err := api.Call(w.Ctx, "transfer", walletapi.Params{
		Positional: []json.RawMessage{
			[]byte(`"alice"`), []byte(`"faucet"`), []byte(`"3"`), []byte(`"DCT"`), []byte(`"for June"`), []byte(`true`)},
		Named: map[string]json.RawMessage{"export": []byte("43200")},
	})
	testwallet.Must(t, err)
	return text
}

// offline returns a wallet with the key of an account that saw the ledger before, and has no daemon now.
func offline(t *testing.T, with *testwallet.Wallet, account string) *testwallet.Wallet {
	t.Helper()
	seen := testwallet.On(t, with.Box, with.Box.URL(), nil)
	seen.Hold(account)
	w := testwallet.Connect(t, seen.Vault.Path, "ws://127.0.0.1:1", nil)
	testwallet.Must(t, w.Vault.Unlock(w.Ctx, testwallet.Password))
	return w
}

// A file cannot give an account the name of another, however this wallet knows that one: by its keys, pins or contacts
// without a daemon, or by the ledger with one.
func TestFileCannotRenameAnAccount(t *testing.T) {
	writer := testwallet.Open(t, "alice")
	text := string(exported(t, writer))
	as := func(name string) *cosign.File {
		var d map[string]json.RawMessage
		testwallet.Must(t, json.Unmarshal([]byte(text), &d))
		d["unchecked"] = bytes.Replace(d["unchecked"], []byte(`"faucet"`), []byte(`"`+name+`"`), 1)
		again, err := json.Marshal(d)
		testwallet.Must(t, err)
		file, err := cosign.Parse(again)
		testwallet.Must(t, err)
		return file
	}
	said := func(w *testwallet.Wallet, name string) (string, error) {
		file := as(name)
		known, err := w.KnownOf(w.Ctx, file)
		if err != nil {
			return "", err
		}
		in, err := file.Inspect(known, time.Now())
		return in.Text(), err
	}
	seen := testwallet.On(t, writer.Box, writer.Box.URL(), nil)
	seen.Hold("bobby")
	carol := seen.Account("carol")
	away := testwallet.Connect(t, seen.Vault.Path, "ws://127.0.0.1:1", nil)
	testwallet.Must(t, away.View.Pins.PinAccount(away.Ctx, ledgerview.AccountRef{ID: carol.ID, Name: carol.Name}))
	for _, name := range []string{"bobby", "carol"} {
		text, err := said(away, name)
		if fault.CodeOf(err) != fault.BadFile || !strings.Contains(err.Error(), "but this wallet knows 1.2.") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	if text, err := said(away, "faucet"); err != nil || !strings.Contains(text, "faucet (1.2.") || !strings.Contains(text, "unchecked)") {
		t.Errorf("a name that nothing confirms: %v\n%s", err, text)
	}
	online := testwallet.On(t, writer.Box, writer.Box.URL(), nil)
	online.Hold("carol")
	if text, err := said(online, "someone"); fault.CodeOf(err) != fault.BadFile || !strings.Contains(err.Error(), "knows it as faucet") {
		t.Errorf("a name that the ledger contradicts: %v\n%s", err, text)
	}
	if text, err := said(online, "faucet"); err != nil || strings.Contains(text, "unchecked)") {
		t.Errorf("a name that the ledger confirms: %v\n%s", err, text)
	}
}

// The current state of an account comes from a daemon, never from the file; without a daemon it is unknown.
func TestOnlyADaemonKnowsAnAccountsCurrentState(t *testing.T) {
	writer := testwallet.Open(t, "alice")
	alice, thief := writer.Account("alice"), ledger.SingleKeyAuthority(testwallet.Key("thief").Public())
	options := alice.Options
	tx := ledger.SignedTransaction{Transaction: ledger.Transaction{Operations: []ledger.Operation{
		ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice.ID, Active: &thief, NewOptions: &options})}}}
	file, err := cosign.New(writer.View.Pins.Chain(), tx,
		cosign.Hints{Accounts: []cosign.AccountHint{{ID: alice.ID, Name: "alice", Owner: &thief, Active: &thief}}})
	testwallet.Must(t, err)
	effects := func(w *testwallet.Wallet) []ledger.Effect {
		known, err := w.KnownOf(w.Ctx, file)
		testwallet.Must(t, err)
		in, err := file.Inspect(known, time.Now())
		testwallet.Must(t, err)
		return in.Effects
	}
	is := alice.Active.KeyAuths[0].Key.String()
	online := effects(writer)
	if len(online) != 1 || online[0].Was != is || online[0].Now != thief.KeyAuths[0].Key.String() {
		t.Errorf("by the daemon: %+v", online)
	}
	away := effects(offline(t, writer, "alice"))
	if len(away) < 3 || away[0].Was != "not known here" || away[0].Now != thief.KeyAuths[0].Key.String() {
		t.Errorf("without one: %+v", away)
	}
}

// An account that a wallet never saw is compared with known ones like any other, and shown as never paid: with a daemon
// under its name on the ledger, without one under its name in the file.
func TestUnknownAccountInAFileIsComparedWithKnownOnes(t *testing.T) {
	writer := testwallet.Open(t, "alice")
	sharedAccount(writer, "carol1", 1, []string{"alice"})
	alice, stranger := writer.Account("alice").ID, writer.Account("carol1").ID
	ops := []ledger.Operation{ledger.NewOperation(&ledger.TransferObsoleteOp{
		From: alice, To: stranger, Amount: ledger.AssetAmount{Amount: 900_00000000}})}
	judged := func(name string, r txbuild.Review) {
		if len(r.New) != 1 || r.New[0].ID != stranger || !r.FirstTime || len(r.LooksLike) != 1 || r.LooksLike[0].Name != "carol" {
			t.Errorf("%s: new %v, looks like %v", name, r.New, r.LooksLike)
		}
	}
	online := testwallet.On(t, writer.Box, writer.Box.URL(), nil)
	online.Hold("carol")
	r := online.Build.FactsOf(ops)
	testwallet.Must(t, online.Build.CompareWithHistory(online.Ctx, &r))
	judged("online", r)
	away := testwallet.Connect(t, online.Vault.Path, "ws://127.0.0.1:1", nil)
	r = away.Build.FactsOf(ops)
	away.Build.AssumeNewRecipients(&r, func(ledger.AccountID) string { return "carol1" })
	judged("offline", r)
	if !r.Presumed {
		t.Error("it is not said that nobody could be asked")
	}
}

// A number in the readable form is the same in every form that JSON has for it, and another one is another.
func TestNumbersOfAFileAreReadAsJSONAllows(t *testing.T) {
	text := string(exported(t, testwallet.Open(t, "alice")))
	const amount = `"amount":300000000`
	if !strings.Contains(text, amount) {
		t.Fatal(text)
	}
	for written, ok := range map[string]bool{"3e8": true, "300000000.0": true, "3000000000e-1": true, "300000001": false, "3e7": false, "0.3": false} {
		if _, err := cosign.Parse([]byte(strings.Replace(text, amount, `"amount":`+written, 1))); (err == nil) != ok {
			t.Errorf("%s: %v", written, err)
		}
	}
}
