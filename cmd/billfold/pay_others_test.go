package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/cmd/billfold/payrun"
	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// steadyPayouts is a wallet on a ledger that makes blocks, and what bobby has.
type steadyPayouts struct {
	*payoutWallet
	t         *testing.T
	on        *testwallet.Wallet
	beforePay func() // called before each transaction that is sent; may be nil
}

// Call implements shell.Wallet.
func (p *steadyPayouts) Call(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error) {
	if method == "pay_many" && params.Named["dry_run"] == nil && p.beforePay != nil {
		p.beforePay()
	}
	return p.payoutWallet.Call(ctx, method, params)
}

func newSteadyPayouts(t *testing.T) *steadyPayouts {
	on, _ := testwallet.Keeping(t, testwallet.Folder(t))
	on.Mine()
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-time.After(50 * time.Millisecond):
				_, _ = on.Box.Mine()
			case <-quit:
				return
			}
		}
	}()
	t.Cleanup(func() { close(quit); <-done })
	return &steadyPayouts{payoutWallet: &payoutWallet{api: walletapi.New(walletapi.Core{Wallet: on.Wallet})}, t: t, on: on}
}

// file writes a file that pays bobby 1, 2, … times 0.001 DCT.
func (p *steadyPayouts) file(name string, rows int) string {
	p.t.Helper()
	var text strings.Builder
	text.WriteString("account,amount,asset\n")
	for n := range rows {
		fmt.Fprintf(&text, "bobby,0.%03d,DCT\n", n+1)
	}
	path := filepath.Join(p.t.TempDir(), name)
	testwallet.Must(p.t, os.WriteFile(path, []byte(text.String()), 0o600))
	return path
}

func (p *steadyPayouts) pay(file, label string, approve func()) (string, error) {
	var out bytes.Buffer
	o := payrun.Options{Wallet: p, Out: &out, File: file, From: "alice", Label: label}
	if approve != nil {
		o.Approve = func(context.Context, string) error { approve(); return nil }
	}
	err := o.Do(p.t.Context())
	return out.String(), err
}

// got returns how much bobby got, in thousandths of a DCT.
func (p *steadyPayouts) got() int64 {
	p.on.View.Chain.Forget()
	return (p.on.DCT("bobby") - 830_0000_0000) / 100_000
}

// sum returns what a file of so many rows pays, in thousandths of a DCT.
func sum(rows int64) int64 { return rows * (rows + 1) / 2 }

// While a plan waits at its question, the file is paid with a line more. Then the total is typed.
func TestAPlanThatWaitedIsComparedAgain(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"", "may"} {
		t.Run("label "+label, func(t *testing.T) {
			t.Parallel()
			p := newSteadyPayouts(t)
			plan, edited := p.file("may.csv", 60), p.file("may.csv", 61)
			out, err := p.pay(plan, label, func() {
				if out, err := p.pay(edited, label, nil); err != nil {
					t.Errorf("the edited file: %v\n%s", err, out)
				}
			})
			if fault.CodeOf(err) != fault.Denied || !strings.Contains(err.Error(), "since this plan was shown, paid before, by plan ") ||
				!strings.Contains(err.Error(), ": 60 of 60 payments") {
				t.Errorf("it ends with %v\n%s", err, out)
			}
			if got := p.got(); got != sum(61) {
				t.Errorf("bobby got %d, want %d", got, sum(61))
			}
			if out, err := p.pay(plan, "once more", nil); err != nil || !strings.Contains(out, "CAREFUL: paid before, by plan ") {
				t.Errorf("a person who insists: %v\n%s", err, out)
			}
			if got := p.got(); got != sum(61)+sum(60) {
				t.Errorf("bobby got %d", got)
			}
		})
	}
}

// A file and its edited version are paid at once, and each has looked for the other before either pays: the commit of the first payment
// decides which of them pays, and the other one pays nothing.
func TestTwoPlansAtOncePayOnce(t *testing.T) {
	t.Parallel()
	p := newSteadyPayouts(t)
	plan, edited := p.file("a.csv", 60), p.file("b.csv", 61)
	var both, ready sync.WaitGroup
	var mu sync.Mutex
	paid, refused := int64(0), 0
	ready.Add(2)
	for file, rows := range map[string]int64{plan: 60, edited: 61} {
		both.Go(func() {
			arrive := sync.OnceFunc(ready.Done)
			defer arrive()
			one := *p
			one.beforePay = func() { arrive(); ready.Wait() }
			out, err := one.pay(file, "", nil)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				paid += sum(rows)
			case fault.CodeOf(err) == fault.Denied && strings.Contains(err.Error(), "it came in between"):
				refused++
			default:
				t.Errorf("it ends with %v\n%s", err, out)
			}
		})
	}
	both.Wait()
	if got := p.got(); paid == 0 || refused != 1 || got != paid {
		t.Errorf("%d plans were refused; bobby got %d, and the plans that were paid come to %d", refused, got, paid)
	}
}

// A request key that begins like those of payouts is no caller's. One that a journal has from before is answered.
func TestRequestKeysOfPayoutsAreTheirs(t *testing.T) {
	t.Parallel()
	p := newSteadyPayouts(t)
	transfer := func(key string, named map[string]json.RawMessage) error {
		words := []json.RawMessage{}
		for _, word := range []any{"alice", "bobby", "1", "DCT", "", true, key} {
			text, err := json.Marshal(word)
			testwallet.Must(t, err)
			words = append(words, text)
		}
		_, err := p.Call(t.Context(), "transfer", walletapi.Params{Positional: words, Named: named})
		return err
	}
	for _, key := range []string{"payout/mine", "payout/8d99b56c/1/1", "payout/"} {
		err := transfer(key, nil)
		if fault.CodeOf(err) != fault.RequestKey || !strings.Contains(err.Error(), "belong to payouts") {
			t.Errorf("%q is answered %v", key, err)
		}
	}
	if got := p.got(); got != 0 {
		t.Errorf("bobby got %d", got)
	}
	if out, err := p.pay(p.file("may.csv", 1), "", nil); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	latest, err := p.on.Payments.List(t.Context(), 1)
	testwallet.Must(t, err)
	if err := transfer(latest[0].RequestKey, nil); fault.CodeOf(err) != fault.RequestKey || !strings.Contains(err.Error(), "was used for another payment") {
		t.Errorf("a key of the journal is answered %v", err)
	}
}
