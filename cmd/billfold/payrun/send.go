package payrun

import (
	"context"
	"fmt"
	"time"

	"billfold/walletcore/payment"
)

// pay sends the batches one by one.
func (j *job) pay(ctx context.Context, open []*batch) error {
	for _, b := range open {
		id, err := b.send(ctx, j.Wallet, j.payer.ID.String(), j.id, j.position)
		if err != nil {
			return j.checkFailed(ctx, b, err)
		}
		b.paid = &payment.Info{TransactionID: id, State: payment.Sent.String()}
		fmt.Fprintf(j.Out, "sent %d of %d: %s, transaction %s\n", b.Number, len(j.batches), b.Lines(), id)
	}
	return nil
}

// checkFailed finds out what became of a batch whose sending failed, since perhaps only the answer was lost. It returns the error to
// report.
func (j *job) checkFailed(ctx context.Context, b *batch, failed error) error {
	ask, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	again := *b
	if err := again.find(ask, j.Wallet, j.id); err == nil && again.attempt == b.attempt {
		if b.paid = again.paid; b.paid != nil && !b.failed() {
			return prefixError(failed, b.Lines()+": ", "run the same command again: it looks first, and pays nothing twice")
		}
	}
	return prefixError(failed, b.Lines()+": ", j.again())
}

// again returns what running the same command again does. A label means that what other payouts pay is paid once more, so with one nothing
// of them can be promised.
func (j *job) again() string {
	if j.Label != "" {
		return "look at the lines that another payout has paid (billfold call list_payments) before you run the same command again: it pays nothing of " +
			"its own twice, but with a label it pays once more what others have paid"
	}
	return "run the same command again once that is solved: it continues where it stopped, and pays nothing twice"
}
