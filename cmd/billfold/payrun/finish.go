package payrun

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
)

// How long to wait for a batch to be in a block: its fate is known about a minute after the transaction expires.
const (
	waitSeconds = 20 // seconds
	maxWaits    = 12
)

// finish waits for the blocks, writes the receipt and reports the outcome of the payout.
func (j *job) finish(ctx context.Context) error {
	for _, b := range j.batches {
		if err := j.await(ctx, b); err != nil && ctx.Err() != nil {
			return j.interrupted(ctx, nil, err)
		} else if err != nil {
			return err
		}
	}
	if err := j.writeReceipt(ctx); err != nil && ctx.Err() != nil {
		return j.interrupted(ctx, nil, err)
	} else if err != nil {
		return err
	}
	return j.outcome()
}

// await waits until a block holds the batch, or it is certain that none will.
func (j *job) await(ctx context.Context, b *batch) error {
	if b.done() || b.failed() {
		return nil
	}
	defer j.watchBatch(ctx, b)()
	for range maxWaits {
		if b.done() || b.failed() {
			return nil
		}
		info, err := askPayment(ctx, j.Wallet, "wait_payment", b.key(j.id), payment.InBlock.String(), waitSeconds)
		if err != nil {
			return prefixError(err, printable.LinesWere(b.Lines())+" sent, but what became of that cannot be read: ",
				"run the same command again")
		}
		b.paid = &info
	}
	return nil
}

// outcome prints how much was paid and returns an error unless the payout is finished.
func (j *job) outcome() error {
	var paid, final, failed, unknown int
	for _, b := range j.batches {
		switch {
		case b.done():
			paid += len(b.Rows)
			if b.paid.State == payment.Irreversible.String() {
				final += len(b.Rows)
			}
		case b.failed():
			failed += len(b.Rows)
		default:
			unknown += len(b.Rows)
		}
	}
	fmt.Fprintf(j.Out, "in a block: %d of %s, %d of them irreversible; receipt: %s\n",
		paid, printable.Many(len(j.plan.Rows), "payment"), final, j.receipt().path())
	switch {
	case unknown > 0:
		return refusal(fault.OutcomeUnknown, fmt.Sprintf("the outcome of %s is not known yet", printable.Many(unknown, "payment")),
			"run the same command again later: it looks first, and pays nothing twice")
	case failed > 0:
		return refusal(fault.Denied, fmt.Sprintf("%s did not happen: the time was over before a block", printable.Many(failed, "payment")),
			"run the same command again: it sends them again, and pays nothing twice")
	}
	return nil
}

// reportStop reports how much was sent before a payout stopped and, if possible, writes the receipt. It returns why.
func (j *job) reportStop(ctx context.Context, why error) error {
	perhaps := ""
	if unsure := j.among((*batch).maybe); len(unsure) > 0 {
		perhaps = fmt.Sprintf(", and %d perhaps", len(unsure))
	}
	fmt.Fprintf(j.Out, "stopped: %s sent%s\n", printable.PartWere(len(j.among((*batch).isSent)), len(j.batches), "transaction"), perhaps)
	if fault.CodeOf(why) == fault.Locked || ctx.Err() != nil {
		return why
	}
	ask, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := j.writeReceipt(ask); err != nil {
		fmt.Fprintln(j.Out, "their receipt is written when the payout continues")
	}
	return why
}

// writeReceipt has the wallet sign a receipt for what was paid, and writes it beside the file.
func (j *job) writeReceipt(ctx context.Context) error {
	keys := []string{}
	for _, b := range j.batches {
		if b.paid != nil && !b.failed() {
			keys = append(keys, b.key(j.id))
		}
	}
	const hint = "what was sent stays paid; run the same command again for the receipt: it pays nothing twice"
	text, err := callNamed[string](ctx, j.Wallet, "get_payout_receipt", j.proof(),
		j.payer.ID.String(), j.id, j.Label, len(j.plan.Rows), len(j.batches), keys)
	if err != nil {
		return prefixError(err, "the receipt cannot be made: ", hint)
	}
	if _, err := payout.ReadReceipt([]byte(text)); err != nil {
		return refusal(fault.Internal, "the receipt that the wallet made is not valid: "+err.Error(), hint)
	}
	if err := replace(j.receipt().path(), []byte(text)); err != nil {
		return refusal(fault.File, "the receipt cannot be written: "+err.Error(), hint)
	}
	return nil
}

// longestProof is the maximum size in bytes of memos sent to prove a label. Those of a larger plan are read from the ledger.
const longestProof = 256 << 10

// proof returns the memos of the plan, with which its id proves its label.
func (j *job) proof() map[string]json.RawMessage {
	memos := make([]string, len(j.plan.Rows))
	for i, r := range j.plan.Rows {
		memos[i] = r.Memo
	}
	text, err := json.Marshal(memos)
	if err != nil || len(text) > longestProof {
		return nil
	}
	return map[string]json.RawMessage{"memos": text}
}
