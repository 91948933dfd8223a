package payrun_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"billfold/cmd/billfold/payrun"
	"billfold/cmd/billfold/shell"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// heldWallet is a wallet that answers one transaction of a payout, or another operation, otherwise than at once.
type heldWallet struct {
	mu     sync.Mutex
	states map[string]string // of the payments in the journal, by request key
	paid   int               // calls that sent something

	pay   func(ctx context.Context, key string) error // before each payment is made; nil = it is made at once
	ask   error                                       // answers get_payment once a call of pay has begun; nil = the journal does
	block bool                                        // payments get into a block
	held  string                                      // an operation that is answered once its call ends
	empty map[string]string                           // what a proxy answers to an operation once something was paid
}

const transactionID = "0123456789abcdef0123456789abcdef01234567"

func (w *heldWallet) Call(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error) {
	if method == w.held {
		<-ctx.Done()
		return nil, &fault.Error{Code: fault.Canceled, Op: method, Message: "the wallet server went away", Err: ctx.Err()}
	}
	w.mu.Lock()
	answer := w.empty[method]
	if answer != "" && params.Named["dry_run"] == nil && (w.paid > 0 || method == "pay_many") {
		w.mu.Unlock()
		return json.RawMessage(answer), nil
	}
	w.mu.Unlock()
	word := ""
	if len(params.Positional) > 0 {
		_ = json.Unmarshal(params.Positional[0], &word)
	}
	switch method {
	case "get_account":
		return json.RawMessage(fmt.Sprintf(`{"id":"1.2.%d","name":%q}`, map[string]int{"alice": 16, "bobby": 17}[word], word)), nil
	case "info":
		return json.RawMessage(`{"chain_id":"` + strings.Repeat("01", 32) + `"}`), nil
	case "get_asset":
		return json.RawMessage(`{"id":"1.3.0","symbol":"DCT","precision":8}`), nil
	case "list_account_balances":
		return json.RawMessage(`[{"amount":100000000000000,"asset_id":"1.3.0"}]`), nil
	case "check_payout":
		return json.RawMessage(`{"paid":[],"position":"0","claim":"billfold journal claim"}`), nil
	case "get_payment":
		return w.payment(word)
	case "wait_payment":
		if w.block {
			return w.payment(word)
		}
		select {
		case <-time.After(20 * time.Second):
			return w.payment(word)
		case <-ctx.Done():
			return nil, &fault.Error{Code: fault.Canceled, Op: method, Message: "the wallet server went away", Err: ctx.Err()}
		}
	case "pay_many":
		if params.Named["dry_run"] != nil {
			return json.RawMessage(`{"fee":{"amount":1,"asset_id":"1.3.0"}}`), nil
		}
		return w.send(ctx, params)
	case "get_payout_receipt":
		return nil, &fault.Error{Code: fault.Denied, Message: "no receipt is made here"}
	}
	return json.RawMessage(`[]`), nil
}

func (w *heldWallet) send(ctx context.Context, params walletapi.Params) (json.RawMessage, error) {
	var key string
	_ = json.Unmarshal(params.Positional[3], &key)
	if w.pay != nil {
		if err := w.pay(ctx, key); err != nil {
			return nil, err
		}
	}
	w.set(key, "sent")
	return json.RawMessage(`{"transaction_id":"` + transactionID + `"}`), nil
}

func (w *heldWallet) set(key, state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states[key] = state
	w.paid++
}

func (w *heldWallet) payment(key string) (json.RawMessage, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	state, there := w.states[key]
	switch {
	case w.ask != nil && w.paid > 1:
		return nil, w.ask
	case !there:
		return nil, &fault.Error{Code: fault.NoSuchPayment, Message: "there is no such payment"}
	case state == "sent" && w.block:
		state = "in_block"
	}
	return json.RawMessage(fmt.Sprintf(`{"transaction_id":%q,"request_key":%q,"state":%q,"reason":"the daemon stands still"}`, transactionID, key, state)), nil
}

// salaries writes a file of six transactions.
func salaries(t *testing.T) string {
	var text strings.Builder
	text.WriteString("account,amount,asset\n")
	for n := range 300 {
		fmt.Fprintf(&text, "bobby,%d.5,DCT\n", n+1)
	}
	path := filepath.Join(t.TempDir(), "may.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Whatever an interruption meets, it says what was sent for certain, what is not known, and how the rest is paid. Its exit code is 3
// if anything is not known. It takes some seconds at most.
func TestAnInterruptionSaysWhatIsKnown(t *testing.T) {
	broken := func(code fault.Code) error { return &fault.Error{Code: code, Message: "the wallet server went away"} }
	const rest = "with the same file and label: it pays exactly the rest"
	for name, c := range map[string]struct {
		pay  func(w *heldWallet, ctx context.Context, key string) error // the third transaction
		ask  error
		code int
		told []string
	}{
		"it answers after a second": {code: shell.Refused, told: []string{"3 of 6 transactions were sent (lines 2 to 151: 150 payments)", rest},
			pay: func(*heldWallet, context.Context, string) error { time.Sleep(time.Second); return nil }},
		"it is refused": {code: shell.Refused, told: []string{"2 of 6 transactions were sent (lines 2 to 101: 100 payments); lines 102 to 151 were not: the fee rose", rest},
			pay: func(*heldWallet, context.Context, string) error {
				return &fault.Error{Code: fault.Denied, Message: "the fee rose"}
			}},
		"its bytes are out": {code: shell.Unknown, told: []string{"2 of 6 transactions were sent (lines 2 to 101: 100 payments)",
			"whether lines 102 to 151 were sent is not known: transaction " + transactionID + " is unknown (the daemon stands still)", "lines 102 to 151 may have been paid", "pays exactly the rest"},
			pay: func(w *heldWallet, ctx context.Context, key string) error {
				w.set(key, "unknown")
				<-ctx.Done()
				return broken(fault.OutcomeUnknown)
			}},
		"it was sent after all": {code: shell.Refused, told: []string{"3 of 6 transactions were sent (lines 2 to 151: 150 payments)", rest},
			pay: func(w *heldWallet, ctx context.Context, key string) error {
				w.set(key, "sent")
				<-ctx.Done()
				return broken(fault.OutcomeUnknown)
			}},
		"a server may go on": {code: shell.Unknown, told: []string{"2 of 6 transactions were sent", "whether lines 102 to 151 were sent is not known: the wallet has not recorded it, but may be about to"},
			pay: func(_ *heldWallet, ctx context.Context, _ string) error {
				<-ctx.Done()
				return broken(fault.OutcomeUnknown)
			}},
		"the own wallet ended before it signed": {code: shell.Refused, told: []string{"2 of 6 transactions were sent", rest},
			pay: func(_ *heldWallet, ctx context.Context, _ string) error {
				<-ctx.Done()
				return broken(fault.Canceled)
			}},
		"the server went away": {code: shell.Unknown, ask: broken(fault.Canceled),
			told: []string{"2 of 6 transactions were sent", "whether lines 102 to 151 were sent is not known: the wallet could not be asked about it"},
			pay: func(_ *heldWallet, ctx context.Context, _ string) error {
				<-ctx.Done()
				return broken(fault.OutcomeUnknown)
			}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, file := &heldWallet{states: map[string]string{}, ask: c.ask}, salaries(t)
				ctx, interrupt := context.WithCancel(t.Context())
				w.pay = func(called context.Context, key string) error {
					if strings.Contains(key, "/3/101") {
						interrupt()
						return c.pay(w, called, key)
					}
					return nil
				}
				var out, problems bytes.Buffer
				began := time.Now()
				err := payrun.Options{Wallet: w, Out: &out, Problems: &problems, File: file, From: "alice", Label: "may"}.Do(ctx)
				if took := time.Since(began); took > 8*time.Second {
					t.Errorf("it took %s", took)
				}
				said := fmt.Sprint(err)
				for _, want := range append(c.told, "interrupted: ") {
					if !strings.Contains(said, want) {
						t.Errorf("%q is not said: %s", want, said)
					}
				}
				if got := shell.ExitCode(err); got != c.code || strings.Contains(said, "went away") {
					t.Errorf("it ends with %d, want %d: %s", got, c.code, said)
				}
			})
		})
	}
}

// An answer that names no payment says nothing of one: neither that it was made, nor that it was not.
func TestAnAnswerWithoutAPaymentIsUnknown(t *testing.T) {
	for name, c := range map[string]struct {
		empty map[string]string
		fails bool // the second transaction
		told  []string
	}{
		"no transaction":           {map[string]string{"pay_many": "{}"}, false, []string{"lines 2 to 51: the answer of pay_many names no transaction", "run the same command again"}},
		"no state":                 {map[string]string{"wait_payment": "null"}, false, []string{"lines 2 to 51 were sent, but what became of that cannot be read: the answer of wait_payment names no payment"}},
		"no state of what is lost": {map[string]string{"get_payment": "null"}, true, []string{"lines 52 to 101: the wallet server went away"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &heldWallet{states: map[string]string{}, empty: c.empty, block: true}
				w.pay = func(_ context.Context, key string) error {
					if c.fails && strings.Contains(key, "/2/51") {
						return &fault.Error{Code: fault.OutcomeUnknown, Message: "the wallet server went away"}
					}
					return nil
				}
				var out bytes.Buffer
				err := payrun.Options{Wallet: w, Out: &out, File: salaries(t), From: "alice"}.Do(t.Context())
				said := out.String() + fmt.Sprint(err)
				for _, want := range c.told {
					if !strings.Contains(said, want) {
						t.Errorf("%s: %q is not said: %s", name, want, said)
					}
				}
				if got := shell.ExitCode(err); got != shell.Unknown || strings.Contains(said, strings.Repeat("0", 40)) || c.fails && !strings.Contains(said, "1 of 6 transactions was sent, and 1 perhaps") {
					t.Errorf("%s: it ends with %d: %s", name, got, said)
				}
			})
		})
	}
}

// Interruptions before the first payment and after the last.
func TestAnInterruptionBeforeAndAfterThePayments(t *testing.T) {
	for held, c := range map[string]struct {
		code int
		told string
	}{
		"get_account":  {shell.Refused, "interrupted; nothing was paid now"},
		"check_payout": {shell.Refused, "interrupted; nothing was paid now"},
		"wait_payment": {shell.Unknown, "interrupted: 6 of 6 transactions were sent (lines 2 to 301: 300 payments), 6 of them in no block yet"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &heldWallet{states: map[string]string{}, held: held}
			ctx, interrupt := context.WithTimeout(t.Context(), time.Second)
			defer interrupt()
			err := payrun.Options{Wallet: w, Out: io.Discard, File: salaries(t), From: "alice"}.Do(ctx)
			if got := shell.ExitCode(err); got != c.code || !strings.Contains(err.Error(), c.told) {
				t.Errorf("at %s it ends with %d: %v", held, got, err)
			}
		})
	}
}

// A payout that waits says what for: after a quarter of a minute, and then rarely.
func TestAPayoutThatWaitsSaysWhatFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &heldWallet{states: map[string]string{}, block: true}
		began := time.Now()
		var told notes
		told.since = began
		w.pay = func(_ context.Context, key string) error {
			if strings.Contains(key, "/3/101") {
				time.Sleep(30 * time.Second)
				w.set(key, "unknown")
				time.Sleep(20 * time.Minute)
			}
			return nil
		}
		_ = payrun.Options{Wallet: w, Out: io.Discard, Problems: &told, File: salaries(t), From: "alice"}.Do(t.Context())
		want := []string{
			"15s still waiting for transaction 3 of 6 (lines 102 to 151): the wallet has not signed it yet; it waits for its daemon, or for a person who approves spends there",
			"1m15s still waiting for transaction 3 of 6 (lines 102 to 151): transaction " + transactionID + " is unknown (the daemon stands still)",
			"6m15s", "11m15s", "16m15s", "",
		}
		for i, line := range strings.Split(told.String(), "\n") {
			if i >= len(want) || !strings.HasPrefix(line, want[i]) {
				t.Errorf("line %d is %q", i+1, line)
			}
		}
		if n := strings.Count(told.String(), "\n"); n != 5 {
			t.Errorf("it says %d lines:\n%s", n, told.String())
		}
	})
}

// notes is text with the time before each line.
type notes struct {
	bytes.Buffer
	since time.Time
}

func (n *notes) Write(line []byte) (int, error) {
	fmt.Fprintf(&n.Buffer, "%s %s", time.Since(n.since).Round(time.Second), line)
	return len(line), nil
}
