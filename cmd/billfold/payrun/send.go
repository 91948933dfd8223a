package payrun

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

// pay sends the batches one by one.
func (j *job) pay(ctx context.Context, open []*batch) error {
	for i, b := range open {
		if ctx.Err() != nil {
			return j.interrupted(ctx, nil, ctx.Err())
		}
		id, err := j.send(ctx, b, i == 0)
		for again := 0; fault.CodeOf(err) == fault.StateChanged && i == 0 && again < maxCompared && ctx.Err() == nil; again++ {
			compared := j.position // another payout was paid in between: all lines are compared with it before the first is paid
			if since := j.checkOthersSince(ctx, open); since != nil && ctx.Err() != nil {
				return j.interrupted(ctx, nil, since)
			} else if since != nil {
				return since
			}
			if j.position == compared {
				break
			}
			id, err = j.send(ctx, b, true)
		}
		if err != nil && ctx.Err() != nil {
			return j.interrupted(ctx, b, err)
		} else if err != nil {
			return j.checkFailed(ctx, b, err)
		}
		b.paid = &payment.Info{TransactionID: id, State: payment.Sent.String()}
		fmt.Fprintf(j.Out, "sent %d of %d: %s, transaction %s\n", b.Number, len(j.batches), b.Lines(), id)
	}
	return nil
}

// maxCompared is the maximum number of comparisons of a plan with others that are paid meanwhile, before its first payment.
const maxCompared = 20

// send pays a batch, unless the wallet knows of other plans that make some of its payments. If ctx ends, it waits for the answer all the
// same, up to lingerTime.
func (j *job) send(ctx context.Context, b *batch, first bool) (ledger.TransactionID, error) {
	terms, err := json.Marshal(map[string]any{"position": j.position, "label": j.Label, "first": first, "again": j.NewPlan})
	if err != nil {
		return ledger.TransactionID{}, err
	}
	defer j.watchBatch(ctx, b)()
	longer, end := j.linger(ctx, b)
	defer end()
	sent, err := callNamed[struct {
		ID ledger.TransactionID `json:"transaction_id"`
	}](longer, j.Wallet, "pay_many", map[string]json.RawMessage{"payout": terms}, j.payer.ID.String(), b.items(), true, b.key(j.id))
	if err == nil && sent.ID == (ledger.TransactionID{}) {
		err = &fault.Error{Code: fault.OutcomeUnknown, Op: "pay_many", Message: "the answer of pay_many names no transaction; the outcome is not known"}
	}
	return sent.ID, err
}

// checkFailed finds out what became of a batch whose sending failed, since perhaps only the answer was lost. It returns the error to
// report.
func (j *job) checkFailed(ctx context.Context, b *batch, failed error) error {
	ask, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	again := *b
	if err := again.find(ask, j.Wallet, j.id); err == nil && again.attempt == b.attempt {
		if b.paid = again.paid; b.paid != nil && !b.failed() {
			hint := "run the same command again: it looks first, and pays nothing twice"
			if payment.MayHappen(failed) {
				hint = "it may still happen; " + hint
			}
			return prefixError(failed, b.Lines()+": ", hint)
		}
	}
	if fault.CodeOf(failed) == fault.OutcomeUnknown && b.paid == nil {
		b.unsure = "the answer about it was lost"
	}
	if fault.CodeOf(failed) == fault.Denied {
		if since, err := j.askOtherPlans(ask, []*batch{b}, j.position); err == nil && len(since.rows) > 0 {
			j.name(since.rows)
			if !j.NewPlan && !slices.ContainsFunc(since.rows, func(r paidRow) bool { return !r.Counts }) { // refused again, whatever the label
				return prefixError(failed, b.Lines()+": ", "run the same command again to see what is left to pay: it pays nothing twice")
			}
		}
	}
	return prefixError(failed, b.Lines()+": ", j.again())
}

// again returns what running the same command again does. Under another label, and with NewPlan, what other payouts pay is paid once
// more, so of them nothing can be promised.
func (j *job) again() string {
	if j.Label != "" || j.NewPlan {
		return "look at the lines that another payout has paid (billfold call list_payments) before you run the same command again: it pays nothing of " +
			"its own twice, but once more what payouts with another label have paid"
	}
	return "run the same command again once that is solved: it continues where it stopped, and pays nothing twice"
}
