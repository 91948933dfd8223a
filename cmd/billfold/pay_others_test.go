package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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
	t  *testing.T
	on *testwallet.Wallet

	armed     bool
	before    func(method string) // called before each call once it is armed
	beforePay func()              // called before each transaction that is sent; may be nil
}

func (p *steadyPayouts) Call(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error) {
	if p.armed && p.before != nil {
		p.before(method)
	}
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
	return p.run(&out, payrun.Options{File: file, Label: label}, approve)
}

func (p *steadyPayouts) run(out *bytes.Buffer, o payrun.Options, approve func()) (string, error) {
	o.Wallet, o.Out, o.From = p, out, "alice"
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

// A file is edited again and again (lines added, taken out, in another order, by id for name) and paid under the same label, in any
// spelling: no line is paid twice, whatever is refused names exactly its lines that were paid, and what is left to pay is paid.
func TestAnEditedFileUnderOneLabelPaysNoLineTwice(t *testing.T) {
	t.Parallel()
	p := newSteadyPayouts(t)
	random := rand.New(rand.NewPCG(20261127, 1)) //nolint:gosec // not used for secrets
	paid := map[int]bool{}
	path := filepath.Join(t.TempDir(), "may.csv")
	for edit := range 12 {
		rows := random.Perm(200)[:1+random.IntN(110)]
		if edit%3 == 2 { // what is left
			left := slices.DeleteFunc(random.Perm(200), func(n int) bool { return paid[n] })
			rows = left[:min(len(left), 30)]
		}
		text, want := "account,amount,asset\n", []string{}
		for i, n := range rows {
			text += fmt.Sprintf("%s,0.%03d,DCT\n", []string{"bobby", "1.2.17"}[edit%2], n+1)
			if paid[n] {
				want = append(want, fmt.Sprintf("%s, line %d: 0.%03d", path, i+2, n+1))
			}
		}
		testwallet.Must(t, os.WriteFile(path, []byte(text), 0o600))
		out, err := p.pay(path, []string{"May", " may", "MAY "}[edit%3], nil)
		named := 0
		for _, line := range strings.Split(out, "\n") {
			if strings.Contains(line, ", line ") && strings.Contains(line, "under this label, transaction ") {
				named++
			}
		}
		switch {
		case len(want) == 0 && err != nil:
			t.Errorf("edit %d: %v\n%s", edit, err, out)
		case len(want) == 0:
			for _, n := range rows {
				paid[n] = true
			}
		case fault.CodeOf(err) != fault.Denied || named != min(len(want), 100):
			t.Errorf("edit %d: %v; it names %d lines, and %d were paid\n%s", edit, err, named, len(want), out)
		default:
			for _, w := range want[:min(len(want), 1)] {
				if named < 100 && !strings.Contains(out, strings.TrimSuffix(w, "0")) {
					t.Errorf("edit %d: %q is not named\n%s", edit, w, out)
				}
			}
		}
		total := int64(0)
		for n := range paid {
			total += int64(n + 1)
		}
		if got := p.got(); got != total {
			t.Fatalf("edit %d: bobby got %d, and the lines come to %d\n%s", edit, got, total, out)
		}
	}
	var out bytes.Buffer
	before := p.got()
	testwallet.Must(t, os.WriteFile(path, []byte("account,amount,asset\nbobby,0.001,DCT\nbobby,0.002,DCT\n"), 0o600))
	if text, err := p.run(&out, payrun.Options{File: path, Label: "may", NewPlan: true}, nil); err != nil || p.got() != before+3 {
		t.Errorf("on purpose: %v\n%s", err, text)
	}
}

// While a plan waits, another one pays something else, or something of the plan's second transaction: in the first case the plan is paid,
// in the second nothing of it.
func TestTheFirstPaymentComparesTheWholeFile(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"", "may"} {
		p := newSteadyPayouts(t)
		plan := p.file("may.csv", 60)
		other := filepath.Join(t.TempDir(), "other.csv")
		testwallet.Must(t, os.WriteFile(other, []byte("account,amount,asset\nbobby,0.077,DCT\n"), 0o600))
		p.before = func(method string) {
			if method == "pay_many" { // between the last question and the first payment
				p.before = nil
				_, err := p.pay(other, label, nil)
				testwallet.Must(t, err)
			}
		}
		out, err := p.pay(plan, label, func() { p.armed = true })
		if want := sum(60) + 77; err != nil || p.got() != want {
			t.Errorf("something else: bobby got %d of %d (%v)\n%s", p.got(), want, err, out)
		}
		was := p.got()
		p.armed = false
		testwallet.Must(t, os.WriteFile(other, []byte("account,amount,asset\nbobby,0.159,DCT\n"), 0o600))
		text := "account,amount,asset\n"
		for n := 100; n < 160; n++ {
			text += fmt.Sprintf("bobby,0.%03d,DCT\n", n)
		}
		testwallet.Must(t, os.WriteFile(plan, []byte(text), 0o600))
		p.before = func(method string) {
			if method == "pay_many" {
				p.before = nil
				_, err := p.pay(other, label, nil)
				testwallet.Must(t, err)
			}
		}
		out, err = p.pay(plan, label, func() { p.armed = true })
		if fault.CodeOf(err) != fault.Denied || p.got() != was+159 || !strings.Contains(out, "line 61: 0.159 DCT to bobby was paid") {
			t.Errorf("its last line: bobby got %d of %d (%v)\n%s", p.got()-was, 159, err, out)
		}
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
			case fault.CodeOf(err) == fault.Denied && strings.Contains(out, "DCT to bobby was paid on"):
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
