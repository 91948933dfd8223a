package linear_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"billfold/tui/linear"
	"billfold/tui/uitest"
	"billfold/walletcore/approval"
	"billfold/walletcore/txbuild"
)

// A request that arrived and ended while a question was open is reported at the next prompt, and none is reported
// twice.
func TestEndedRequestsAreReportedOnce(t *testing.T) {
	uitest.Live(t, saved(), func(w *uitest.World) {
		queue := approval.New()
		defer queue.Close()
		heard := make(chan approval.Answer, 99)
		asks := func(who string) act {
			return func() {
				r := approval.Request{Who: who, Via: "HTTP", Method: "dump_private_keys", Why: "programs have to ask",
					Sentence: "export all private keys"}
				go func() { heard <- queue.Ask(context.Background(), r) }()
			}
		}
		const unheard = pause(approval.Patience + 10*time.Second)
		script := []any{"send", "carol", asks("anybody"), unheard, "5", "stop", asks("till"), "", "approvals", "deny", "",
			asks("slow"), "", unheard, "", "events"}
		for i := range 12 {
			script = append(script, asks(fmt.Sprintf("job-%d", i)))
		}
		script = append(script, unheard, "", "", "quit", "quit")
		output, _ := runSession(w, func(o *linear.Options) { o.Approvals = queue }, script...)
		before, after, _ := strings.Cut(output, "> events")
		for what, n := range map[string]int{"nobody answered a program without a token, which asked at": 1, "nobody answered till": 0,
			"slow asks for keys": 1, "nobody answered slow": 1} {
			if strings.Count(before, "Event: "+what) != n {
				t.Errorf("%q is not reported %d times", what, n)
			}
		}
		for what, n := range map[string]int{"Event: 4 events before these. events lists them.": 1, "Event: nobody answered job-3": 0,
			"Event: nobody answered job-4": 1, "Event: nobody answered job-11": 1} {
			if strings.Count(after, what) != n {
				t.Errorf("%q is not reported %d times", what, n)
			}
		}
		if t.Failed() {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// A program's payment that a node refused is reported with the reason, although no prompt appeared while it was
// pending.
func TestRefusedPaymentOfAProgramIsReported(t *testing.T) {
	uitest.Live(t, saved(), func(w *uitest.World) {
		pays := act(func() {
			uitest.Must(t, w.Ledger.RefuseBroadcast(10, "the pending list is full"))
			p := txbuild.TransferParams{From: uitest.Alice.Name, To: uitest.Carol.Name, Amount: "6", Asset: "DCT"}
			made, err := w.Wallet.Payments.Prepare(w.Ctx, txbuild.NewRequest("transfer", p, txbuild.Transfer))
			uitest.Must(t, err)
			if _, err := w.Wallet.Payments.Send(w.Ctx, made); err == nil {
				t.Error("the node accepted it")
			}
		})
		output, _ := runSession(w, nil, pays, pause(3*time.Minute), "", "quit", "quit")
		if !strings.Contains(output, "6.00000000 DCT to carol 1.2.57") || strings.Count(output, "Event:") != 1 {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}
