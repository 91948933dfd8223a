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

// sentPayment is a payment without its memo, which is encrypted in the transactions of other plans.
type sentPayment struct {
	to    string // 1.2.N
	asset ledger.AssetID
	units int64
}

// maxOthers is how many payout transactions are read from the journal.
const maxOthers = 1000

// checkOtherPlans refuses payments of the plan that other plans of the payer have made, according to the journal,
// whatever their files are called: an edited file, or one with an additional line, would pay them twice.
// With a label or NewPlan it only warns.
func (j *job) checkOtherPlans(ctx context.Context, open []*batch) error {
	if len(open) == 0 {
		return nil
	}
	others, plans, err := j.paidByOtherPlans(ctx)
	if err != nil || len(others) == 0 {
		return err
	}
	same, all := 0, 0
	for _, b := range open {
		for _, r := range b.Rows {
			at, err := j.paymentOf(r)
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
		"remove their lines, or undo the change to finish a payout that was started; "+
			"to pay them once more, name this payout with --label")
}

// paymentOf returns the payment of a row.
func (j *job) paymentOf(r payout.Row) (sentPayment, error) {
	of := j.names.assets[r.Asset]
	units, err := ledger.ParseAmount(r.Amount, of.Precision)
	return sentPayment{r.AccountID, of.ID, units}, err
}

// paidByOtherPlans counts the payments that other plans of the payer have made, or may have made, and names those plans.
func (j *job) paidByOtherPlans(ctx context.Context) (map[sentPayment]int, []string, error) {
	keys := map[string]json.RawMessage{"keys": json.RawMessage(`"` + payout.KeyPrefix + `"`)}
	latest, err := callNamed[[]payment.Info](ctx, j.Wallet, "list_payments", keys, maxOthers)
	if err != nil {
		return nil, nil, err
	}
	paid := map[sentPayment]int{}
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
		if j.countPayments(whole.Transaction, paid) && !slices.ContainsFunc(plans, told) {
			plans = append(plans, named)
		}
	}
	return paid, plans, nil
}

// countPayments adds the payments of a transaction by the payer to into, and reports whether there are any.
func (j *job) countPayments(tx *ledger.SignedTransaction, into map[sentPayment]int) (any bool) {
	if tx == nil {
		return false
	}
	for _, op := range tx.Operations {
		for _, m := range op.Moves() {
			if m.From == j.payer.ID.Object() {
				into[sentPayment{m.To.String(), m.Amount.AssetID, m.Amount.Amount}]++
				any = true
			}
		}
	}
	return any
}
