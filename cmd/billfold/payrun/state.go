package payrun

import (
	"context"
	"encoding/json"
	"slices"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
)

// batch is a transaction of the plan with what is known of it.
type batch struct {
	payout.Batch
	attempt int
	paid    *payment.Info // nil: it was not sent yet
}

// key is the request key that the batch is, or was, sent under.
func (b *batch) key(plan string) string { return b.Key(plan, b.attempt) }

// done reports whether a block holds it.
func (b *batch) done() bool {
	return b.paid != nil && slices.Contains([]string{payment.InBlock.String(), payment.Irreversible.String()}, b.paid.State)
}

// failed reports whether it was sent and is known never to happen.
func (b *batch) failed() bool {
	return b.paid != nil && slices.Contains([]string{payment.Rejected.String(), payment.Expired.String()}, b.paid.State)
}

// find reads what became of the batch: the first attempt that is not known to have failed counts.
func (b *batch) find(ctx context.Context, w shell.Wallet, plan string) error {
	for b.attempt = 1; ; b.attempt++ {
		info, err := call[payment.Info](ctx, w, "get_payment", b.key(plan))
		if fault.CodeOf(err) == fault.NoSuchPayment {
			b.paid = nil
			return nil
		}
		if err != nil {
			return err
		}
		if b.paid = &info; !b.failed() {
			return nil
		}
	}
}

// items are the parameters of pay_many.
func (b *batch) items() []map[string]string {
	out := make([]map[string]string, len(b.Rows))
	for i, r := range b.Rows {
		out[i] = map[string]string{"to": r.AccountID, "amount": r.Amount, "asset_symbol": r.AssetID, "memo": r.Memo}
	}
	return out
}

// tryOut has the batch built and reviewed, and returns its fee.
func (b *batch) tryOut(ctx context.Context, w shell.Wallet, payer string) (ledger.AssetAmount, error) {
	tried, err := callNamed[struct {
		Fee ledger.AssetAmount `json:"fee"`
	}](ctx, w, "pay_many", map[string]json.RawMessage{"dry_run": json.RawMessage("true")}, payer, b.items(), true)
	return tried.Fee, err
}

// send pays the batch.
func (b *batch) send(ctx context.Context, w shell.Wallet, payer, plan string) (ledger.TransactionID, error) {
	sent, err := call[struct {
		ID ledger.TransactionID `json:"transaction_id"`
	}](ctx, w, "pay_many", payer, b.items(), true, b.key(plan))
	return sent.ID, err
}
