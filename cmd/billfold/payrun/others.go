package payrun

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
)

// moved is a payment without its memo, which only the ledger's bytes have.
type moved struct {
	to    string // 1.2.N
	asset ledger.AssetID
	units int64
}

// mostOthers is how many transactions of payouts the journal is asked for.
const mostOthers = 1000

// checkOthers looks for payments of the plan in what other plans of the payer have paid, as the journal knows
// it, whatever their files are called: an edited file, or one with a line more, would pay them twice.
// Under a label, or with NewPlan, they are only told.
func (j *job) checkOthers(ctx context.Context, open []*batch) error {
	if len(open) == 0 {
		return nil
	}
	others, plans, err := j.paidByOthers(ctx)
	if err != nil || len(others) == 0 {
		return err
	}
	same, all := 0, 0
	for _, b := range open {
		for _, r := range b.Rows {
			at, err := j.moved(r)
			if err != nil {
				return err
			}
			if all++; others[at] > 0 {
				others[at]--
				same++
			}
		}
	}
	if same == 0 {
		return nil
	}
	told := fmt.Sprintf("paid before, by %s: %d of %s (the same account, asset and amount)",
		strings.Join(plans, " and "), same, printable.Many(all, "payment"))
	if j.NewPlan || j.Label != "" {
		fmt.Fprintln(j.Out, "CAREFUL:", told)
		return nil
	}
	return refusal(fault.Denied, told+"; nothing was paid now",
		"take their lines out, or undo the change to finish a payout that was begun; "+
			"if they are meant once more, name this payout with --label")
}

// moved is what a row of the plan moves.
func (j *job) moved(r payout.Row) (moved, error) {
	of := j.names.assets[r.Asset]
	units, err := ledger.ParseAmount(r.Amount, of.Precision)
	return moved{r.AccountID, of.ID, units}, err
}

// paidByOthers counts the payments that other plans of the payer made, or may have made, and names those plans.
func (j *job) paidByOthers(ctx context.Context) (map[moved]int, []string, error) {
	keys := map[string]json.RawMessage{"keys": json.RawMessage(`"` + payout.KeyPrefix + `"`)}
	latest, err := callNamed[[]payment.Info](ctx, j.Wallet, "list_payments", keys, mostOthers)
	if err != nil {
		return nil, nil, err
	}
	paid := map[moved]int{}
	var plans []string
	for _, info := range latest {
		plan, ok := payout.PlanOf(info.RequestKey)
		failed := slices.Contains([]string{payment.Rejected.String(), payment.Expired.String()}, info.State)
		if !ok || plan == j.id || failed {
			continue
		}
		whole, err := call[payment.Info](ctx, j.Wallet, "get_payment", info.TransactionID.String())
		if err != nil {
			return nil, nil, err
		}
		named := "plan " + plan[:min(len(plan), 8)]
		if whole.Prepared != nil {
			named += " of " + whole.Prepared.Time().Format("2006-01-02 15:04")
		}
		told := func(p string) bool { return strings.HasPrefix(p, named[:13]) }
		if j.count(whole.Transaction, paid) && !slices.ContainsFunc(plans, told) {
			plans = append(plans, named)
		}
	}
	return paid, plans, nil
}

// count adds what a transaction moves from the payer, and reports whether it does.
func (j *job) count(tx *ledger.SignedTransaction, into map[moved]int) (any bool) {
	if tx == nil {
		return false
	}
	for _, op := range tx.Operations {
		for _, m := range op.Moves() {
			if m.From == j.payer.ID.Object() {
				into[moved{m.To.String(), m.Amount.AssetID, m.Amount.Amount}]++
				any = true
			}
		}
	}
	return any
}
