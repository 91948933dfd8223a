package walletcore_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/reconcile"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// bookStage is a wallet with an index behind a relay, and an account that an operation created.
type bookStage struct {
	*testwallet.Wallet
	relay *testwallet.Relay
	given int64 // alice's balance in the genesis
}

func openStage(t *testing.T) *bookStage {
	t.Helper()
	now := testwallet.NewClock()
	box := testwallet.Ledger(t, sandbox.Options{Now: now.Now})
	relay := testwallet.RelayTo(t, box.URL())
	index, err := historyindex.Open(filepath.Join(testwallet.Folder(t), "history.db"))
	testwallet.Must(t, err)
	t.Cleanup(func() { testwallet.Must(t, index.Close()) })
	s := &bookStage{testwallet.On(t, box, relay.URL, func(cfg *walletcore.Config) { cfg.Index, cfg.Now = index, now.Now }), relay, 0}
	s.Hold("alice", "bobby")
	s.Mine()
	s.given = s.DCT("alice")
	key := testwallet.Key("newcomer").Public()
	params := txbuild.RegisterAccountParams{Name: "newcomer", Owner: key, Active: key, Registrar: "alice"}
	request := txbuild.NewRequest("register_account", params, txbuild.RegisterAccount)
	_, err = s.Payments.Spend(s.Ctx, request, payment.Sending{Broadcast: true})
	testwallet.Must(t, err)
	s.Mine()
	s.ImportKey("newcomer", testwallet.Key("newcomer"))
	s.Pay("alice", "newcomer", "10", "")
	s.Mine()
	s.Pay("newcomer", "bobby", "2.5", "")
	s.Mine()
	for range 30 { // until the payments are irreversible
		s.Mine()
	}
	s.Pay("newcomer", "alice", "1", "")
	s.Mine()
	return s
}

func (s *bookStage) reconcile(account string) *reconcile.Report {
	s.T.Helper()
	stop := s.mineSteadily()
	defer stop()
	r, err := reconcile.Account(s.Ctx, s.History, account, "", "")
	testwallet.Must(s.T, err)
	if !r.Complete || !r.Exact {
		s.T.Fatalf("%s: the index is not complete, or its balances are not exact: %+v", account, r)
	}
	return r
}

// mineSteadily makes blocks until it is stopped.
func (s *bookStage) mineSteadily() (stop func()) {
	ctx, cancel := context.WithCancel(s.Ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if _, err := s.Box.Mine(); err != nil {
				s.T.Error(err)
			}
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// reportLines returns the lines for DCT, without their day.
func reportLines(r *reconcile.Report) string {
	var out []string
	for _, l := range r.Lines {
		kind := "day"
		if l.Day == "" {
			kind = "pending"
		}
		out = append(out, fmt.Sprintf("%s %s+%s-%s-%s=%s", kind, l.Opening, l.In, l.Out, l.Fees, l.Closing))
	}
	return strings.Join(out, "; ")
}

func TestHistoryAddsUpToTheBalance(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	r, err := reconcile.Account(s.Ctx, s.History, "newcomer", "", "") // which takes no block
	testwallet.Must(t, err)
	const want = "day 0.00000000+10.00000000-2.50000000-0.00100000=7.49900000; " +
		"pending 7.49900000+0.00000000-1.00000000-0.00100000=6.49800000"
	if got := reportLines(r); got != want || r.Opening != "zero" || len(r.Differences) > 0 {
		t.Errorf("%s %s %+v", got, r.Opening, r.Differences)
	}
	if r := s.reconcile("bobby"); r.Opening != "derived" || len(r.Differences) > 0 || !strings.Contains(reportLines(r), "+2.50000000-") {
		t.Errorf("%+v", r)
	}
	for _, day := range []string{"22.11.2026", "2026-13-01", "yesterday"} {
		if _, err := reconcile.Account(s.Ctx, s.History, "newcomer", day, ""); err == nil {
			t.Errorf("%s is a day", day)
		}
	}
	day := r.Lines[0].Day
	for _, days := range [][2]string{{day, "1999-12-31"}, {"9999-12-31", day}} {
		if r, err := reconcile.Account(s.Ctx, s.History, "newcomer", days[0], days[1]); fault.CodeOf(err) != fault.BadValue {
			t.Errorf("from %s to %s adds up: %+v, %v", days[0], days[1], r, err)
		}
	}
	if r, err := reconcile.Account(s.Ctx, s.History, "newcomer", day, day); err != nil || len(r.Lines) != 1 {
		t.Errorf("one day: %+v, %v", r, err)
	}
}

// A balance that the operations do not add up to is reported as a difference, with account, asset and amount.
func TestWrongBalanceIsADifference(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	held := s.DCT("newcomer")
	s.relay.Set(func(r *testwallet.Relay) {
		r.Swap = func(text string) string {
			return strings.ReplaceAll(text, fmt.Sprintf(`[{"amount":"%d"`, held), fmt.Sprintf(`[{"amount":"%d"`, held-5))
		}
	})
	r := s.reconcile("newcomer")
	if len(r.Differences) != 1 || r.Differences[0].Amount != "-0.00000005" || r.Differences[0].AssetID != ledger.CoreAsset {
		t.Errorf("%+v", r.Differences)
	}
}

// While payments are made, a node's balances hold some that are in no block: none of them becomes a difference, nor part of what
// an account held at first.
func TestBooksAreRightWhileMoneyFlows(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	ctx, cancel := context.WithCancel(s.Ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		for n := 1; ctx.Err() == nil; n++ {
			s.Pay("newcomer", "alice", ledgerview.DCT().Decimals(int64(n)), "")
			rest := 20 * time.Millisecond
			if n%30 == 0 {
				rest = 4 * time.Second // as long as a moment of rest has to be, on a busy machine
			}
			select {
			case <-time.After(rest):
			case <-ctx.Done():
			}
		}
	})
	wg.Go(func() {
		for ctx.Err() == nil {
			time.Sleep(300 * time.Millisecond)
			s.Mine()
		}
	})
	for _, account := range []string{"newcomer", "alice"} {
		r, err := reconcile.Account(s.Ctx, s.History, account, "", "")
		testwallet.Must(t, err)
		if !r.Exact || len(r.Lines) == 0 || len(r.Differences) > 0 {
			t.Errorf("%s: exact %v, %d lines, %+v", account, r.Exact, len(r.Lines), r.Differences)
			continue
		}
		if account == "alice" && r.Lines[0].Opening != ledgerview.DCT().Decimals(s.given) {
			t.Errorf("the opening is %s, and the chain's start gave %s", r.Lines[0].Opening, ledgerview.DCT().Decimals(s.given))
		}
	}
}

// Assets, tokens and a subscription cost fees and prices; added up, they lead back to the balances in the
// genesis.
func TestOperationsOfManyKindsAddUp(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	s.Furnish()
	s.Mine()
	r := s.reconcile("alice")
	if len(r.Differences) > 0 {
		t.Errorf("%+v", r.Differences)
	}
	for _, l := range r.Lines {
		if l.AssetID == ledger.CoreAsset {
			if want := ledgerview.DCT().Decimals(s.given); l.Opening != want {
				t.Errorf("the opening is %s, and the chain's start gave %s", l.Opening, want)
			}
			return
		}
	}
	t.Error("there is no line of DCT")
}
