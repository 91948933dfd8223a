package rpcserver

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/walletcore/deposit"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// A script shows the operations that no recorded conversation with the reference shows,
// with a wallet on a real ledger.
func TestOperationsOverTheWire(t *testing.T) {
	t.Parallel()
	on := testwallet.New(t, nil)
	on.Hold("alice")
	if _, err := on.Box.Mine(); err != nil {
		t.Fatal(err)
	}
	kept, err := sqlite.Open(filepath.Join(testwallet.Folder(t), sqlite.Name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	deposits := deposit.New(
		kept.Cursors,
		deposit.Sources{
			Accounts: on.Wallet.View.Accounts, History: on.Wallet.History, Prover: on.Wallet.Deposits,
			Chain: on.Wallet.View.Chain,
		},
	)
	api := walletapi.New(walletapi.Core{Wallet: on.Wallet, Deposits: deposits})
	conn := open(t, func(o *Options) { o.Caller, o.Feed, o.Pace = api, NewFeed(), api.PaceOf }).mustDial()
	handle := "" // of the transaction that was begun last
	for _, x := range readWire(t, "testdata/operations.wire") {
		x.sent = strings.ReplaceAll(x.sent, "{handle}", handle)
		send(t, conn, x.sent)
		got := receive(t, conn)
		if strings.Contains(x.sent, "begin_builder_transaction") {
			_, handle, _ = strings.Cut(strings.TrimSuffix(got, "}"), `"result":`)
		}
		x.answer = strings.ReplaceAll(strings.TrimSpace(x.status+" "+x.answer), "{handle}", handle)
		if !x.same(got) {
			t.Errorf("operations.wire:%d (%s)\n--> %s\n<-- %s\nwant %s", x.line, x.title, x.sent, got, x.answer)
		}
	}
}

// Every operation of the catalogue is shown by a recorded conversation or by the script.
func TestEveryOperationIsShown(t *testing.T) {
	shown := map[string]bool{}
	for _, x := range readWire(t, "testdata/operations.wire") {
		noteMethod(shown, []byte(strings.ReplaceAll(x.sent, "{handle}", "0")))
	}
	recorded, err := os.Open("../testdata/conformance/wallet.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer recorded.Close()
	lines := bufio.NewScanner(recorded)
	for lines.Buffer(nil, 16<<20); lines.Scan(); {
		var x struct{ Request json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		noteMethod(shown, x.Request)
	}
	for _, m := range walletapi.Methods() {
		if !shown[m.Name] {
			t.Errorf("no recorded conversation and no script shows %s: add it to rpcserver/testdata/operations.wire", m.Name)
		}
	}
}

func noteMethod(shown map[string]bool, request []byte) {
	var call struct{ Method string }
	if json.Unmarshal(request, &call) == nil {
		shown[call.Method] = true
	}
}
