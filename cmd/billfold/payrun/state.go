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

// batch is a transaction of the plan with its state.
type batch struct {
	payout.Batch
	attempt int
	paid    *payment.Info // nil = not sent yet
	unsure  string        // why it is not known whether it was sent; "" = it is
}

// key returns the request key of the current attempt.
func (b *batch) key(plan string) string { return b.Key(plan, b.attempt) }

// done reports whether a block holds it.
func (b *batch) done() bool {
	return b.paid != nil && slices.Contains([]string{payment.InBlock.String(), payment.Irreversible.String()}, b.paid.State)
}

// failed reports whether it was sent and will certainly never happen.
func (b *batch) failed() bool { return b.paid != nil && neverHappens(*b.paid) }

func neverHappens(p payment.Info) bool {
	return slices.Contains([]string{payment.Rejected.String(), payment.Expired.String()}, p.State)
}

// find reads the state of the batch. The first attempt that has not failed for certain is the current one.
func (b *batch) find(ctx context.Context, w shell.Wallet, plan string) error {
	for b.attempt = 1; ; b.attempt++ {
		info, err := askPayment(ctx, w, "get_payment", b.key(plan))
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

// items returns the payments as pay_many takes them.
func (b *batch) items() []map[string]string {
	out := make([]map[string]string, len(b.Rows))
	for i, r := range b.Rows {
		out[i] = map[string]string{"to": r.AccountID, "amount": r.Amount, "asset_symbol": r.AssetID, "memo": r.Memo}
	}
	return out
}

// dryRun makes a dry run of the batch and returns its fee.
func (b *batch) dryRun(ctx context.Context, w shell.Wallet, payer string) (ledger.AssetAmount, error) {
	tried, err := callNamed[struct {
		Fee ledger.AssetAmount `json:"fee"`
	}](ctx, w, "pay_many", map[string]json.RawMessage{"dry_run": json.RawMessage("true")}, payer, b.items(), true)
	return tried.Fee, err
}
