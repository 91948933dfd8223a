package walletapi

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/deposit"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
)

// Who waits for deposits gets one as soon as it is irreversible, nothing once the time is over, and an error if they leave.
func TestDepositsAreWaitedFor(t *testing.T) {
	s := open(t)
	book, err := sqlite.Open(filepath.Join(testwallet.Folder(t), "store.db"))
	must(t, err)
	t.Cleanup(func() { _ = book.Close() })
	s.api = New(Core{Wallet: s.on.Wallet, Versions: ledgerview.Versions{Version: "test"}, Deposits: deposit.New(book.Cursors, deposit.Sources{
		Accounts: s.on.View.Accounts, History: s.on.History, Prover: s.on.Deposits, Chain: s.on.View.Chain})})
	if list := s.ok("deposits.wait", `"bobby"`, `10`, `0`); string(list) != "[]" {
		t.Fatalf("there are deposits: %s", list)
	}
	type answer struct {
		list json.RawMessage
		err  error
	}
	wait := func(ctx context.Context) <-chan answer {
		done := make(chan answer, 1)
		go func() {
			list, err := s.api.Call(ctx, "deposits.wait", positional(`"bobby"`, `10`, `50`))
			done <- answer{list, err}
		}()
		return done
	}
	leaving, leave := context.WithCancel(s.ctx)
	left := wait(leaving)
	waiting := wait(s.ctx)
	s.ok("transfer", `"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `true`)
	s.on.Mine()
	select {
	case got := <-waiting:
		t.Fatalf("it is told before it is irreversible: %s, %v", got.list, got.err)
	case <-time.After(2 * depositPause):
	}
	leave()
	if got := <-left; got.err == nil || fault.CodeOf(got.err) != fault.Canceled && fault.CodeOf(got.err) != fault.DaemonAway {
		t.Errorf("who left is told %s, %v", got.list, got.err)
	}
	for range 5 {
		s.on.Mine()
	}
	if got := <-waiting; got.err != nil || strings.Count(string(got.list), `"transaction_id":"`) != 1 {
		t.Errorf("it is told %s, %v", got.list, got.err)
	}
	if _, err := s.api.Call(s.ctx, "deposits.wait", positional(`"bobby"`, `10`, `51`)); fault.CodeOf(err) != fault.LimitExceeded {
		t.Error(err)
	}
}
