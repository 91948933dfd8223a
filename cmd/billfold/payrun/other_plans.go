package payrun

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
)

// checkedAtOnce is how many payments one call compares.
const checkedAtOnce = 100

// others is what other plans of the payer make of the plan's payments.
type others struct {
	same, all int      // payments
	plans     []string // "plan 3b1c2e0d of 2026-05-31 09:00"
	position  string   // of the latest payment of a payout that was compared
}

// told returns what is said of them.
func (o *others) told() string {
	return fmt.Sprintf("paid before, by %s: %d of %s (the same account, asset and amount)",
		strings.Join(o.plans, " and "), o.same, printable.Many(o.all, "payment"))
}

// checkOtherPlans refuses payments of the plan that other plans of the payer have made, according to the journal,
// whatever their files are called: an edited file, or one with an additional line, would pay them twice.
// With a label or NewPlan it only warns. Once the plan is approved, the wallet refuses what other plans make from then on.
func (j *job) checkOtherPlans(ctx context.Context, open []*batch) error {
	found, err := j.askOtherPlans(ctx, open, "0")
	if err != nil {
		return err
	}
	j.position = "0"
	if j.NewPlan || j.Label != "" {
		j.position = found.position
	}
	switch {
	case found.same == 0:
		return nil
	case j.NewPlan || j.Label != "":
		fmt.Fprintln(j.Out, "CAREFUL:", found.told())
		return nil
	}
	return refusal(fault.Denied, found.told()+"; nothing was paid now",
		"remove their lines, or undo the change to finish a payout that was started; "+
			"to pay them once more, name this payout with --label")
}

// checkOthersSince refuses the plan if other plans began to make some of its payments after they were compared.
func (j *job) checkOthersSince(ctx context.Context, open []*batch) error {
	found, err := j.askOtherPlans(ctx, open, j.position)
	if err != nil || found.same == 0 {
		return err
	}
	return refusal(fault.Denied, "since this plan was shown, "+found.told()+"; nothing was paid now",
		"run the same command again to see what is left to pay")
}

// askOtherPlans asks the wallet which open payments other plans make, as far as they came after a position.
func (j *job) askOtherPlans(ctx context.Context, open []*batch, after string) (found others, err error) {
	var items []map[string]string
	for _, b := range open {
		items = append(items, b.items()...)
	}
	found.all = len(items)
	for _, item := range items {
		delete(item, "memo")
	}
	for part := range slices.Chunk(items, checkedAtOnce) {
		got, err := call[struct {
			Paid  []int `json:"paid"`
			Plans []struct {
				Plan  string      `json:"plan"`
				Since ledger.Time `json:"since"`
			} `json:"plans"`
			Position string `json:"position"`
		}](ctx, j.Wallet, "check_payout", j.payer.ID.String(), j.id, part, after)
		if err != nil {
			return found, err
		}
		if found.position == "" {
			found.position = got.Position
		}
		found.same += len(got.Paid)
		for _, p := range got.Plans {
			named := "plan " + p.Plan[:min(len(p.Plan), 8)]
			if !slices.ContainsFunc(found.plans, func(told string) bool { return strings.HasPrefix(told, named) }) {
				found.plans = append(found.plans, named+" of "+p.Since.Time().Format("2006-01-02 15:04"))
			}
		}
	}
	return found, nil
}
