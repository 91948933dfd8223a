package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/cmd/billfold/payrun"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// payoutWallet is alice's wallet for a payout.
type payoutWallet struct {
	api    *walletapi.Catalogue
	closed bool           // locked for sends
	left   int            // sends until it locks itself; 0 = it does not
	chain  ledger.ChainID // the chain id it reports; zero = its own
}

func newPayoutWallet(t *testing.T) *payoutWallet {
	t.Helper()
	on, _ := testwallet.Keeping(t, testwallet.Folder(t))
	on.Mine()
	return &payoutWallet{api: walletapi.New(walletapi.Core{Wallet: on.Wallet})}
}

// Call implements shell.Wallet.
func (w *payoutWallet) Call(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error) {
	if method == "pay_many" && params.Named["dry_run"] == nil && w.closed {
		return nil, &fault.Error{Code: fault.Locked, Message: "the wallet is locked"}
	}
	out, err := w.api.Call(ctx, method, params)
	if method == "pay_many" && params.Named["dry_run"] == nil && w.left > 0 {
		w.left--
		w.closed = w.left == 0
	}
	if method == "info" && w.chain != (ledger.ChainID{}) {
		return []byte(`{"chain_id":"` + w.chain.String() + `"}`), err
	}
	return out, err
}

// try pays a file, or makes a dry run.
func (w *payoutWallet) try(t *testing.T, file string, dry bool) error {
	t.Helper()
	return payrun.Options{Wallet: w, Out: io.Discard, File: file, From: "alice", DryRun: dry}.Do(t.Context())
}

// A file that was edited after its payout sent something is refused until that payout is finished. One that sent nothing, a payout on
// another chain, and other files with such a name do not matter.
func TestAnEditedFileIsRefused(t *testing.T) {
	t.Parallel()
	w := newPayoutWallet(t)
	file := filepath.Join(t.TempDir(), "may.csv")
	write := func(amount string) {
		t.Helper()
		text := "account,amount,asset\n"
		for n := range 60 { // two transactions
			text += fmt.Sprintf("bobby,%s.%02d,DCT\n", amount, n+1)
		}
		testwallet.Must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	receipts := func() []string {
		t.Helper()
		list, err := filepath.Glob(file + ".receipt-*.jsonl")
		testwallet.Must(t, err)
		return list
	}
	begin := func() {
		t.Helper()
		w.closed = w.left == 0
		if err := w.try(t, file, false); fault.CodeOf(err) != fault.Locked {
			t.Errorf("a locked wallet pays: %v", err)
		}
		w.closed = false
	}
	write("2")
	testwallet.Must(t, w.try(t, file, true))
	write("1")
	begin()
	testwallet.Must(t, w.try(t, file, true))
	list := receipts()
	if len(list) != 1 {
		t.Fatalf("begun are %v", list)
	}
	write("2")
	testwallet.Must(t, w.try(t, file, true)) // nothing of the other was sent
	write("1")
	w.left = 1
	begin()
	write("2")
	if err := w.try(t, file, false); fault.CodeOf(err) != fault.Denied || !strings.Contains(err.Error(), "started as another plan") {
		t.Errorf("the edited file is answered %v", err)
	}
	w.chain = ledger.ChainID{2}
	testwallet.Must(t, w.try(t, file, true))
	w.chain = ledger.ChainID{}
	testwallet.Must(t, os.WriteFile(file+".receipt-notes.txt", []byte("mine"), 0o600))
	text, err := os.ReadFile(list[0])
	testwallet.Must(t, err)
	head, err := payout.ReadHead(text)
	testwallet.Must(t, err)
	key := testwallet.Key("alice")
	whole := payout.Receipt{Head: head, Rows: make([]payout.ReceiptRow, head.Payments)}
	for n := range whole.Rows {
		whole.Rows[n].Row = n + 1
	}
	signed, err := whole.Sign(key.Public(), func(b []byte) (ledger.Signature, error) { return key.SignBuffer(b), nil })
	testwallet.Must(t, err)
	testwallet.Must(t, os.WriteFile(list[0], []byte(signed), 0o600))
	testwallet.Must(t, w.try(t, file, true))
	write("1")
	begin() // a complete receipt is kept
	kept, err := os.ReadFile(list[0])
	testwallet.Must(t, err)
	if string(kept) != signed || len(receipts()) != 1 {
		t.Errorf("the receipt was begun anew, among %v", receipts())
	}
}

// If the first line of the receipt cannot be written, the payout stops before it pays.
func TestReceiptThatCannotBeStarted(t *testing.T) {
	t.Parallel()
	w := newPayoutWallet(t)
	file := filepath.Join(t.TempDir(), strings.Repeat("m", 240)+".csv") // no file may have the name of its receipt
	testwallet.Must(t, os.WriteFile(file, []byte("account,amount,asset\nbobby,1,DCT\n"), 0o600))
	if err := w.try(t, file, false); fault.CodeOf(err) != fault.File || !strings.Contains(err.Error(), "cannot be written beside") {
		t.Errorf("a receipt that no file can hold is answered %v", err)
	}
	latest := walletapi.Params{Positional: []json.RawMessage{json.RawMessage("10")}}
	if sent, err := w.Call(t.Context(), "list_payments", latest); err != nil || string(sent) != "[]" {
		t.Errorf("paid is %s (%v)", sent, err)
	}
}
