package payrun

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
)

// checkedAtOnce is the maximum number of payments that one call compares.
const checkedAtOnce = 100

// paidRow is a row that another plan of the payer pays, or a payment that was found after a loss.
type paidRow struct {
	payout.Row
	Plan   string      `json:"plan"`
	ID     string      `json:"transaction_id"`
	Since  ledger.Time `json:"since"`
	Label  string      `json:"label"`
	Counts bool        `json:"counts"`
	Key    string      `json:"request_key"` // what a person claimed for one that was found after a loss
	Pays   int         `json:"pays"`        // payments of the transaction of one that was found
}

// isLost reports whether it was found after a loss and is not claimed.
func (r paidRow) isLost() bool { return r.Label == "lost" }

// by returns the plan that pays it, or what was claimed instead of one; "" if that is not known.
func (r paidRow) by() string {
	if r.Plan == "" && r.Key != "" {
		return "request key " + fault.Quote(r.Key)
	} else if r.Plan == "" {
		return ""
	}
	return "plan " + r.Plan[:min(len(r.Plan), 8)]
}

// String returns by line what was paid and when.
func (r paidRow) String() string {
	text := fmt.Sprintf("line %d: %s %s to %s was paid on %s", r.Line, r.Amount, r.Asset, r.Account, r.Since.Time().Format("2006-01-02 15:04"))
	if by := r.by(); by != "" {
		text += " by " + by
	}
	switch r.Label {
	case "lost":
		text += ", but the wallet has lost how it was requested"
	case "same":
		text += " under this label"
	case "unknown":
		text += ", perhaps under this label: the journal does not know it"
	}
	return text + ", transaction " + r.ID
}

// others holds the payments of the plan that other plans of the payer make.
type others struct {
	rows     []paidRow
	claim    string // the command that says which request a payment found after a loss was
	position string // of the latest payment of a payout that was compared
}

// lines returns how many lines of the file the rows are.
func lines(rows []paidRow) int {
	seen := map[int]bool{}
	for _, r := range rows {
		seen[r.Line] = true
	}
	return len(seen)
}

// maxNamed is the maximum number of lines of a file that are named.
const maxNamed = 100

// name prints the lines that were paid before.
func (j *job) name(rows []paidRow) {
	for i, r := range rows {
		if i == maxNamed {
			fmt.Fprintf(j.Out, "and %d more\n", len(rows)-i)
			break
		}
		fmt.Fprintf(j.Out, "%s, %s\n", j.File, r)
	}
}

// checkOtherPlans refuses payments of the plan that other plans of the payer have made under the same label, according to the
// journal, whatever their files are called: an edited file, or one with an additional line, would pay them twice. Without a label
// all plans count. With NewPlan, and of payouts with another label, it only warns. Once the plan is approved, the wallet refuses what
// other plans make from then on.
func (j *job) checkOtherPlans(ctx context.Context, open []*batch) error {
	found, err := j.askOtherPlans(ctx, open, "0")
	if err != nil {
		return err
	}
	j.position = found.position
	if err := j.checkClaims(&found); err != nil {
		return err
	}
	if err := j.refuseLost(found, open); err != nil {
		return err
	}
	refused := slices.DeleteFunc(slices.Clone(found.rows), func(r paidRow) bool { return !r.Counts })
	if j.NewPlan || len(refused) == 0 {
		if j.NewPlan {
			j.name(refused)
		}
		if len(found.rows) > 0 {
			fmt.Fprintf(j.Out, "CAREFUL: %s; they are paid once more now\n", told(found.rows, open, ""))
		}
		return nil
	}
	j.name(refused)
	j.offerUndo(found.claim, refused, open)
	under := ""
	if j.Label != "" {
		under = " under the label " + fault.Quote(j.Label)
	}
	return refusal(fault.Denied, told(refused, open, under)+"; nothing was paid now",
		"take these lines out to pay the rest, or undo the change to finish a payout that was started; "+j.onceMore(found.claim, refused))
}

// onceMore returns how lines that another plan paid are paid all the same.
func (j *job) onceMore(claim string, paid []paidRow) string {
	unknown := func(which func(paidRow) bool) int {
		return slices.IndexFunc(paid, func(r paidRow) bool { return r.Label == "unknown" && which(r) })
	}
	ofPlan := unknown(func(r paidRow) bool { return r.Key != "" && r.Plan != "" })
	ofKey := unknown(func(r paidRow) bool { return r.Plan == "" })
	switch {
	case ofPlan >= 0:
		return fmt.Sprintf("the journal does not know the label of %s: if it was another payout, pay its own file once more under its own label, "+
			"which pays nobody twice and tells the journal, and then this one under another --label; --new-plan pays these lines AGAIN", paid[ofPlan].by())
	case ofKey >= 0:
		r := paid[ofKey]
		return fmt.Sprintf("what was claimed under %s may be of any payout: if no payout made it, %s --undo --answered %s and %s --none %s say so; "+
			"--new-plan pays these lines AGAIN", r.by(), claim, payment.ShellWord(r.Key), claim, r.ID)
	case unknown(func(paidRow) bool { return true }) >= 0:
		return "an earlier version paid them, and the journal does not know under which label; --new-plan pays these lines AGAIN"
	case j.Label == "":
		return "to pay them once more, name this payout with --label"
	}
	return "a payout of another month needs another --label; --new-plan pays these lines AGAIN"
}

// maxPlans is the maximum number of other plans that are named.
const maxPlans = 3

// told returns how many rows of a plan were paid before, and by which plans.
func told(paid []paidRow, open []*batch, under string) string {
	slices.SortStableFunc(paid, func(a, b paidRow) int { return int(b.Since) - int(a.Since) })
	var plans []string
	for _, r := range paid {
		if name := r.by() + " of "; !slices.ContainsFunc(plans, func(p string) bool { return strings.HasPrefix(p, name) }) {
			plans = append(plans, name+r.Since.Time().Format("2006-01-02 15:04"))
		}
	}
	if more := len(plans) - maxPlans; more > 0 {
		plans = append(plans[:maxPlans], printable.Many(more, "earlier one"))
	}
	return fmt.Sprintf("paid before%s, by %s: %d of %s (the same account, asset and amount)", under, strings.Join(plans, " and "),
		lines(paid), printable.Many(rowsOf(open), "payment"))
}

// checkOthersSince refuses the plan if other plans began to make some of its payments after they were compared.
func (j *job) checkOthersSince(ctx context.Context, open []*batch) error {
	found, err := j.askOtherPlans(ctx, open, j.position)
	if err != nil {
		return err
	}
	j.position = found.position
	if err := j.checkClaims(&found); err != nil {
		return err
	}
	if err := j.refuseLost(found, open); err != nil || len(found.rows) == 0 {
		return err
	}
	j.name(found.rows)
	return refusal(fault.Denied, "since this plan was shown, "+told(found.rows, open, "")+"; nothing was paid now",
		"run the same command again to see what is left to pay")
}

// rowsOf returns how many rows the batches have.
func rowsOf(all []*batch) (n int) {
	for _, b := range all {
		n += len(b.Rows)
	}
	return n
}

// askOtherPlans asks the wallet which open payments other plans make, as far as they came after a position.
func (j *job) askOtherPlans(ctx context.Context, open []*batch, after string) (found others, err error) {
	items, rows := []map[string]string{}, []payout.Row(nil)
	for _, b := range open {
		items, rows = append(items, b.items()...), append(rows, b.Rows...)
	}
	for _, item := range items {
		delete(item, "memo")
	}
	for first := 0; first == 0 || first < len(items); first += checkedAtOnce { // once at least
		part := items[first:min(first+checkedAtOnce, len(items))]
		got, err := call[struct {
			Paid []struct {
				Payment int `json:"payment"`
				paidRow
			} `json:"paid"`
			Position string `json:"position"`
			Claim    string `json:"claim"`
		}](ctx, j.Wallet, "check_payout", j.payer.ID.String(), j.id, part, after, j.Label)
		if err != nil {
			return found, err
		}
		if found.position == "" {
			found.position, found.claim = got.Position, got.Claim
		}
		for _, paid := range got.Paid {
			paid.Row = rows[first+paid.Payment]
			found.rows = append(found.rows, paid.paidRow)
		}
	}
	return found, nil
}
