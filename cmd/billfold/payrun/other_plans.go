package payrun

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
)

// checkedAtOnce is how many payments one call compares.
const checkedAtOnce = 100

// paidRow is a row that another plan of the payer pays.
type paidRow struct {
	payout.Row
	Plan   string      `json:"plan"`
	ID     string      `json:"transaction_id"`
	Since  ledger.Time `json:"since"`
	Label  string      `json:"label"`
	Counts bool        `json:"counts"`
	Claim  string      `json:"claim"` // of one that was found after a loss
	Pays   int         `json:"pays"`  // payments of the transaction of one that was found
}

// String returns by line what was paid and when.
func (r paidRow) String() string {
	text := fmt.Sprintf("line %d: %s %s to %s was paid on %s", r.Line, r.Amount, r.Asset, r.Account, r.Since.Time().Format("2006-01-02 15:04"))
	if r.Plan != "" {
		text += " by plan " + r.Plan[:min(len(r.Plan), 8)]
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

// others is what other plans of the payer make of the plan's payments.
type others struct {
	rows     []paidRow
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

// maxNamed is how many lines of a file are named.
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
	if err := j.refuseLost(found.rows, open); err != nil {
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
	hint := "take these lines out to pay the rest, or undo the change to finish a payout that was started; "
	if j.Label == "" {
		return refusal(fault.Denied, told(refused, open, "")+"; nothing was paid now",
			hint+"to pay them once more, name this payout with --label")
	}
	return refusal(fault.Denied, told(refused, open, " under the label "+fault.Quote(j.Label))+"; nothing was paid now",
		hint+"a payout of another month needs another --label; --new-plan pays these lines AGAIN")
}

// refuseLost refuses a plan of which payments were found on the ledger that the wallet has no record of. It prints the commands that
// give them the request keys which this plan would use.
func (j *job) refuseLost(rows []paidRow, open []*batch) error {
	lost := slices.DeleteFunc(slices.Clone(rows), func(r paidRow) bool { return r.Claim == "" })
	if len(lost) == 0 {
		return nil
	}
	j.name(lost)
	fmt.Fprintln(j.Out, "if they are of this payout, say so, and it goes on with what is left:")
	for _, b := range open {
		ofTransaction, pays := map[string]int{}, map[string]int{}
		for _, r := range lost {
			if slices.Contains(b.Rows, r.Row) {
				ofTransaction[r.ID]++
				pays[r.ID] = r.Pays
			}
		}
		whole := ""
		for _, id := range slices.Sorted(maps.Keys(ofTransaction)) {
			if ofTransaction[id] == len(b.Rows) && pays[id] == len(b.Rows) && whole == "" {
				whole = id
				fmt.Fprintf(j.Out, "  %s%s %s %s   (%s)\n", lost[0].Claim, j.Flags, b.key(j.id), id, b.Lines())
			}
		}
		for _, id := range slices.Sorted(maps.Keys(ofTransaction)) {
			if id != whole {
				fmt.Fprintf(j.Out, "  transaction %s makes %s, %d of them of %s: it is of this file before it was edited; pay the file as it was then, "+
					"with the same label, which names the command, and this one afterwards\n", id, printable.Many(pays[id], "payment"), ofTransaction[id], b.Lines())
			}
		}
	}
	return refusal(fault.Denied, fmt.Sprintf("%d of %s are on the ledger, and the wallet has lost its record of them; nothing was paid now",
		lines(lost), printable.Many(rowsOf(open), "payment")),
		"run the commands above for those that are of this payout, and this one again; "+
			lost[0].Claim+" --none ID says of one that nobody will repeat it, and it is paid once more")
}

// maxPlans is how many other plans are named.
const maxPlans = 3

// told returns how many rows of a plan were paid before, and by which plans.
func told(paid []paidRow, open []*batch, under string) string {
	slices.SortStableFunc(paid, func(a, b paidRow) int { return int(b.Since) - int(a.Since) })
	var plans []string
	for _, r := range paid {
		if name := r.Plan[:min(len(r.Plan), 8)]; !slices.ContainsFunc(plans, func(p string) bool { return strings.HasPrefix(p, name) }) {
			plans = append(plans, name+" of "+r.Since.Time().Format("2006-01-02 15:04"))
		}
	}
	if more := len(plans) - maxPlans; more > 0 {
		plans = append(plans[:maxPlans], printable.Many(more, "earlier one"))
	}
	return fmt.Sprintf("paid before%s, by plan %s: %d of %s (the same account, asset and amount)", under, strings.Join(plans, " and "),
		lines(paid), printable.Many(rowsOf(open), "payment"))
}

// checkOthersSince refuses the plan if other plans began to make some of its payments after they were compared.
func (j *job) checkOthersSince(ctx context.Context, open []*batch) error {
	found, err := j.askOtherPlans(ctx, open, j.position)
	if err != nil {
		return err
	}
	j.position = found.position
	if err := j.refuseLost(found.rows, open); err != nil || len(found.rows) == 0 {
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
	var items []map[string]string
	var rows []payout.Row
	for _, b := range open {
		items, rows = append(items, b.items()...), append(rows, b.Rows...)
	}
	for _, item := range items {
		delete(item, "memo")
	}
	if len(items) == 0 {
		found.position = after
	}
	for first := 0; first < len(items); first += checkedAtOnce {
		part := items[first:min(first+checkedAtOnce, len(items))]
		got, err := call[struct {
			Paid []struct {
				Payment int `json:"payment"`
				paidRow
			} `json:"paid"`
			Position string `json:"position"`
		}](ctx, j.Wallet, "check_payout", j.payer.ID.String(), j.id, part, after, j.Label)
		if err != nil {
			return found, err
		}
		if found.position == "" {
			found.position = got.Position
		}
		for _, paid := range got.Paid {
			paid.Row = rows[first+paid.Payment]
			found.rows = append(found.rows, paid.paidRow)
		}
	}
	return found, nil
}
