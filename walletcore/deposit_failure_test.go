package walletcore_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/deposit"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
)

// Whichever call of the daemon or statement of the store fails, deposits are listed as they are otherwise or not at all, what is told
// as acknowledged is, and what is told as not is not. What an earlier row says is proven only by its block.
func TestDepositsAreWholeOrRefused(t *testing.T) {
	t.Parallel()
	w, relay, now := testwallet.OpenBehindRelay(t)
	faults := new(storetest.Faults)
	kept, err := sqlite.Options{Between: faults.Between}.Open(filepath.Join(testwallet.Folder(t), "the store.db"))
	must(t, err)
	t.Cleanup(func() { must(t, kept.Close()) })
	last := uint32(0)
	for range 3 {
		_, err := w.Box.Fund("alice", "1", "DCT")
		must(t, err)
		last = w.Mine().Num()
	}
	for range 6 {
		w.Mine()
	}
	w.Until("the proof", func() bool { return w.Status().Irreversible >= last })
	now.Forward(time.Minute)
	prover := func() *deposit.Prover { return deposit.NewProver(w.Deposits.ProverConfig) } // which has proven nothing yet
	queue := func() *deposit.Queue {
		return deposit.New(kept.Cursors, deposit.Sources{Accounts: w.View.Accounts, History: w.History, Prover: prover(), Chain: w.View.Chain})
	}
	all, err := queue().Next(w.Ctx, "alice", 1000)
	must(t, err)
	if len(all) < 3 {
		t.Fatalf("%d deposits are listed", len(all))
	}
	if list, err := queue().Next(w.Ctx, "nobody", 10); list != nil || fault.CodeOf(err) != fault.NoSuchAccount {
		t.Errorf("the deposits of nobody are %+v, %v", list, err)
	}
	if moved, err := queue().Ack(w.Ctx, "nobody", all[0].Position.String(), false); moved || fault.CodeOf(err) != fault.NoSuchAccount {
		t.Errorf("a deposit of nobody is acknowledged: %v, %v", moved, err)
	}
	parts := map[string]struct {
		begin func(n int)
		end   func() string
	}{
		"call":      {func(n int) { relay.FailCall(n, testwallet.ErrorAnswered) }, relay.MendCall},
		"statement": {func(n int) { faults.Arm(n, false) }, faults.Disarm},
	}
	for name, part := range parts {
		failed := 0
		for n := 1; n < 100; n++ {
			part.begin(n)
			list, err := queue().Next(w.Ctx, "alice", 1000)
			hit := part.end()
			if err == nil && !reflect.DeepEqual(list, all) && (len(list) == 0 || !reflect.DeepEqual(list, all[:len(list)])) {
				t.Errorf("without %s %d, %.200s, %d of %d deposits are listed: %+v", name, n, hit, len(list), len(all), list)
			}
			if hit == "" {
				break
			}
			failed++
		}
		for n := 1; n < 100; n++ { // a position that is no deposit
			position := all[0].Position
			position.Op++
			part.begin(n)
			moved, err := queue().Ack(w.Ctx, "alice", position.String(), false)
			hit := part.end()
			if moved || err == nil {
				t.Errorf("without %s %d, %.200s, what is no deposit is acknowledged: %t, %v", name, n, hit, moved, err)
			}
			if hit == "" {
				break
			}
		}
		if list, err := queue().Next(w.Ctx, "alice", 1000); len(list) != len(all) || err != nil {
			t.Fatalf("%d of %d deposits are left, %v", len(list), len(all), err)
		}
		left := all
		for n := 1; n < 100 && len(left) > 0; n++ {
			part.begin(n)
			moved, err := queue().Ack(w.Ctx, "alice", left[0].Position.String(), false)
			hit := part.end()
			list, failure := queue().Next(w.Ctx, "alice", 1000)
			must(t, failure)
			if gone := len(list) < len(left); gone != (err == nil) || moved != gone {
				t.Errorf("without %s %d, %.200s, it is acknowledged: %t, and told as %t, %v", name, n, hit, gone, moved, err)
			}
			left = list
			if hit == "" {
				break
			}
			failed++
		}
		if failed < 3 {
			t.Errorf("only %d times a %s failed", failed, name)
		}
		must(t, kept.Close())
		kept, err = sqlite.Options{Between: faults.Between}.Open(filepath.Join(testwallet.Folder(t), "another store.db"))
		must(t, err)
	}
}

// What an earlier payment is taken to have paid is what its block says, and nothing that a row says otherwise.
func TestAnEarlierPaymentIsProvenByItsBlock(t *testing.T) {
	t.Parallel()
	w, relay, _ := testwallet.OpenBehindRelay(t)
	w.Pay("alice", "bobby", "2", "")
	for range 8 {
		w.Mine()
	}
	alice := w.Account("alice").ID
	page, err := w.History.Entries(w.Ctx, alice, 0, 10)
	must(t, err)
	at := slices.IndexFunc(page, func(e history.Entry) bool { return e.Direction == history.Out && e.Amount == 2_0000_0000 })
	row := page[at]
	w.Until("the proof", func() bool { return w.Status().Irreversible >= row.Block })
	prover := func() *deposit.Prover { return deposit.NewProver(w.Deposits.ProverConfig) }
	if !prover().Paid(w.Ctx, alice, row) {
		t.Fatal("what was paid is not proven")
	}
	for name, change := range map[string]func(*history.Entry){
		"another recipient":         func(e *history.Entry) { e.To.ID++ },
		"another amount":            func(e *history.Entry) { e.Amount++ },
		"another asset":             func(e *history.Entry) { e.Asset.ID++ },
		"another operation":         func(e *history.Entry) { e.OpInTrx++ },
		"another transaction":       func(e *history.Entry) { e.TrxInBlock++ },
		"another block":             func(e *history.Entry) { e.Block-- },
		"the result of a proposal":  func(e *history.Entry) { e.VirtualOp = 1 },
		"a block that is not final": func(e *history.Entry) { e.Block = 1 << 30 },
		"no block":                  func(e *history.Entry) { e.Block = 0 },
	} {
		other := row
		change(&other)
		if prover().Paid(w.Ctx, alice, other) {
			t.Errorf("%s is proven", name)
		}
	}
	if prover().Paid(w.Ctx, ledger.AccountID(1), row) {
		t.Error("it is proven that another account paid it")
	}
	relay.FailCall(1, testwallet.ErrorAnswered)
	if prover().Paid(w.Ctx, alice, row) {
		t.Error("it is proven without a block")
	}
	relay.MendCall()
}
