package walletcore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/draft"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/paytable"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

func tablesOf(w *testwallet.Wallet) paytable.Tables {
	return paytable.Tables{View: w.View, Payments: w.Payments}
}

// manyRows returns a table of so many payments to bobby, each of another amount.
func manyRows(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "bobby 0.%04d\n", i+1)
	}
	return text.String()
}

// faultsOf returns the faults for which a table was refused, a line each.
func faultsOf(t *testing.T, err error) string {
	t.Helper()
	var refused *paytable.FaultsError
	if !errors.As(err, &refused) {
		t.Fatalf("it was not refused for its rows: %v", err)
	}
	var out []string
	for _, f := range refused.Faults {
		out = append(out, f.String())
	}
	return strings.Join(out, "\n")
}

func TestTableNamesEachWrongRow(t *testing.T) {
	w, _ := testwallet.Keeping(t, testwallet.Folder(t))
	w.Mine()
	text := "bobby 1.5\n" + "carrol 1\n" + "bobby\n" + "carol 1.123456789\n" + "alice 1\n" + "carol 1 NOSUCH\n" + "bobby 1.5\n" + "carol 1 rent\n"
	_, err := tablesOf(w).Build(w.Ctx, paytable.Request{From: "alice", Text: text, Asset: "DCT"})
	got := faultsOf(t, err)
	for _, want := range []string{`line 2: there is no account "carrol"; did you mean carol?`, "line 3: the amount is missing", "line 4: \"1.123456789\" is not an amount of DCT",
		"line 5: alice would pay itself", `line 6: there is no asset "NOSUCH"`, "line 7: the same payment as in line 1"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "line 8") || strings.HasPrefix(got, "line 1:") {
		t.Errorf("a row that is right is a fault:\n%s", got)
	}
	_, err = tablesOf(w).Build(w.Ctx, paytable.Request{From: "alice", Text: "bobby 9000000\ncarol 9000000\n", Asset: "DCT"})
	faulttest.Refused(t, err, fault.InsufficientBalance)
}

// A table that is broken off is paid again by paying it again: each of its rows once.
func TestTableIsPaidOnce(t *testing.T) {
	w, _ := testwallet.Keeping(t, testwallet.Folder(t))
	w.Mine()
	req := paytable.Request{From: "alice", Text: manyRows(120), Asset: "DCT"}
	before := w.DCT("bobby")
	built, err := tablesOf(w).Build(w.Ctx, req)
	testwallet.Must(t, err)
	r, sum := built.Review(), int64(0)
	for _, m := range r.Moves {
		sum += m.Amount
	}
	if len(built.Parts()) != 3 || len(r.Moves) != 120 || len(r.Sentences) != 120 || sum != 72_600_000 || r.Outgoing[0].Amount != sum+r.Fee {
		t.Errorf("%d parts, %d moves, %d sentences, loses %d, moves %d, fee %d", len(built.Parts()), len(r.Moves), len(r.Sentences), r.Outgoing[0].Amount, sum, r.Fee)
	}
	ctx, cancel := context.WithCancel(w.Ctx)
	number, err := w.Drafts.Save(w.Ctx, 16, txbuild.TransferParams{From: "alice", To: "kept"})
	testwallet.Must(t, err)
	_, err = built.Send(draft.Spent(afterPayment{ctx, w, new(sync.Once), cancel}, number))
	sent := 0
	for _, p := range built.Parts() {
		if p.Payment.ID != (ledger.TransactionID{}) {
			sent++
		}
	}
	if err == nil || sent == 0 || sent == 3 {
		t.Fatalf("%d of 3 were sent before it was broken off: %v", sent, err)
	}
	if kept, err := w.Drafts.List(w.Ctx, 16); err != nil || len(kept) != 1 {
		t.Errorf("the draft of a table that is half paid is gone: %v, %v", kept, err)
	}
	rest, err := tablesOf(w).Build(w.Ctx, req)
	testwallet.Must(t, err)
	if len(rest.Notes()) == 0 || !strings.Contains(rest.Notes()[0].Text, "not paid again") {
		t.Errorf("the review does not say what was sent before: %v", rest.Notes())
	}
	_, err = rest.Send(draft.Spent(w.Ctx, number))
	testwallet.Must(t, err)
	if kept, err := w.Drafts.List(w.Ctx, 16); err != nil || len(kept) != 0 {
		t.Errorf("the draft of a table that was paid is left: %v, %v", kept, err)
	}
	w.Until("all is paid", func() bool { w.Mine(); return w.DCT("bobby")-before >= 72_600_000 }) // also what was broken off while it was sent
	if got := w.DCT("bobby") - before; got != 72_600_000 {
		t.Errorf("bobby got %d", got)
	}
	_, err = tablesOf(w).Build(w.Ctx, req)
	if got := faultsOf(t, err); !strings.Contains(got, "every payment of this table was sent before") {
		t.Error(got)
	}
	_, err = tablesOf(w).Build(w.Ctx, paytable.Request{From: "alice", Text: "carol 1\nbobby 0.0002\n", Asset: "DCT"})
	if got := faultsOf(t, err); !strings.Contains(got, "line 2: 0.0002 DCT to bobby was paid on") || strings.Contains(got, "line 1") {
		t.Error(got)
	}
	_, err = rest.Send(w.Ctx) // the same transactions once more
	testwallet.Must(t, err)
	again, err := tablesOf(w).Build(w.Ctx, paytable.Request{From: "alice", Text: "carol 1\nbobby 0.0002\n", Asset: "DCT", Label: "June"})
	testwallet.Must(t, err)
	_, err = again.Send(w.Ctx)
	testwallet.Must(t, err)
	w.Mine()
	if got := w.DCT("bobby") - before; got != 72_620_000 {
		t.Errorf("bobby got %d in the end", got)
	}
}

// afterPayment is a context that calls then when it is asked, for the first time after the wallet has sent a payment, whether it has ended. What
// pays several in turn asks it before each.
type afterPayment struct {
	context.Context
	w    *testwallet.Wallet
	once *sync.Once
	then func()
}

func (c afterPayment) Err() error {
	if recent := c.w.Payments.Recent(); len(recent) > 0 && recent[0].State == payment.Sent {
		c.once.Do(c.then)
	}
	return c.Context.Err()
}

// A lock between two transactions stops the table, also if the wallet is unlocked again before the next one.
func TestLockStopsTable(t *testing.T) {
	w, _ := testwallet.Keeping(t, testwallet.Folder(t))
	w.Mine()
	built, err := tablesOf(w).Build(w.Ctx, paytable.Request{From: "alice", Text: manyRows(200), Asset: "DCT"})
	testwallet.Must(t, err)
	_, err = built.Send(afterPayment{w.Ctx, w, new(sync.Once), func() {
		w.Vault.Lock()
		_ = w.Vault.Unlock(context.Background(), testwallet.Password)
	}})
	faulttest.Refused(t, err, fault.Locked)
	if parts := built.Parts(); parts[0].Payment.ID == (ledger.TransactionID{}) || parts[len(parts)-1].Payment.ID != (ledger.TransactionID{}) {
		t.Error("it did not stop between two transactions")
	}
}

// Whatever request is lost on the way, the table ends as paid once.
func TestTableOverFailingConnection(t *testing.T) {
	for _, how := range []testwallet.Failure{testwallet.RequestLost, testwallet.AnswerLost} {
		t.Run(how.String(), func(t *testing.T) {
			box := testwallet.Ledger(t, sandbox.Options{})
			relay := testwallet.RelayTo(t, box.URL())
			kept, err := sqlite.Open(testwallet.Folder(t) + "/" + sqlite.Name)
			testwallet.Must(t, err)
			t.Cleanup(func() { testwallet.Must(t, kept.Close()) })
			w := testwallet.On(t, box, relay.URL, func(cfg *walletcore.Config) { cfg.Store = kept })
			w.Hold("alice")
			w.Mine()
			before := w.DCT("bobby")
			req := paytable.Request{From: "alice", Text: manyRows(120), Asset: "DCT"}
			for try := 0; ; try++ {
				if try == 60 {
					t.Fatal("it never ended")
				}
				testwallet.Must(t, w.Client.WaitOnline(w.Ctx))
				built, err := tablesOf(w).Build(w.Ctx, req)
				var refused *paytable.FaultsError
				if errors.As(err, &refused) {
					if !strings.Contains(refused.Error(), "every payment") {
						t.Fatal(err)
					}
					break
				}
				if err == nil {
					if try < 8 {
						relay.FailCall(try+1, how)
					}
					_, _ = built.Send(w.Ctx)
					relay.MendCall()
				}
				testwallet.Must(t, w.Client.WaitOnline(w.Ctx))
				w.Mine()
			}
			w.Until("all is paid", func() bool { w.Mine(); return w.DCT("bobby")-before >= 72_600_000 })
			for range 3 {
				w.Mine()
			}
			if got := w.DCT("bobby") - before; got != 72_600_000 {
				t.Errorf("bobby got %d", got)
			}
		})
	}
}
