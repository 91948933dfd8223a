package payrun

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
)

// After a loss a person claims payments that were found: the ledger does not have their request keys. A claim may be wrong. So what is under
// the keys of a plan is compared with its rows, and what was claimed under any other key counts as paid.

// pays reports whether the transaction under the key of a batch makes its payments.
func (j *job) pays(b *batch) bool {
	return b.paid.Transaction != nil && j.names.Pays(j.payer.ID, b.Rows, b.paid.Transaction.Operations)
}

// checkClaims refuses a plan if payments were claimed for it that are not those of their keys, with the commands that take the claims
// back. From found it removes what was claimed rightly for the plan.
func (j *job) checkClaims(found *others) error {
	keys, wrong := map[string]*batch{}, map[string]string{} // of wrong ones: why, by key
	for _, b := range j.batches {
		keys[b.key(j.id)] = b
		if b.paid != nil && !j.pays(b) {
			wrong[b.key(j.id)] = fmt.Sprintf("transaction %s, which does not make the payments of %s", b.paid.TransactionID, b.Lines())
		}
	}
	found.rows = slices.DeleteFunc(found.rows, func(r paidRow) bool {
		if r.Key == "" || r.Plan != j.id {
			return false
		}
		b := keys[r.Key]
		if b == nil {
			wrong[r.Key] = fmt.Sprintf("transaction %s, and this plan has no transaction under that key", r.ID)
		}
		return b == nil || b.paid != nil
	})
	if len(wrong) == 0 {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		fmt.Fprintf(j.Out, "%s was claimed for %s\n", key, wrong[key])
	}
	fmt.Fprintln(j.Out, "take that back, and run this one again, which names the right key:")
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		fmt.Fprintf(j.Out, "  %s --undo %s\n", found.claim, payment.ShellWord(key))
	}
	return refusal(fault.Denied, fmt.Sprintf("it is not known what was paid of this plan, since payments found after a loss were claimed wrongly (%d); "+
		"nothing was paid now", len(wrong)), "run the commands above, and this one again")
}

// offerUndo prints, for transactions that were claimed under keys that are not of this plan and make all payments of one of its transactions,
// the commands that take these claims back.
func (j *job) offerUndo(claim string, rows []paidRow, open []*batch) {
	whole := map[string]string{} // key -> transaction
	for _, b := range open {
		of := map[string]int{}
		for _, r := range rows {
			if r.Key == "" || r.Label != "unknown" || !slices.Contains(b.Rows, r.Row) { // of a label that is known the plan is, too
				continue
			}
			if of[r.Key]++; of[r.Key] == len(b.Rows) && r.Pays == len(b.Rows) {
				whole[r.Key] = fmt.Sprintf("transaction %s was claimed under %s; if it is of this payout (%s), and not of another one with the same payments, take that back, and run this one again:",
					r.ID, fault.Quote(r.Key), b.Lines())
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(whole)) {
		answered := ""
		if !strings.HasPrefix(key, payout.KeyPrefix) {
			answered = " --answered"
		}
		fmt.Fprintf(j.Out, "%s\n  %s --undo%s %s\n", whole[key], claim, answered, payment.ShellWord(key))
	}
}

// refuseLost refuses a plan of which payments were found on the ledger that the wallet has no record of. It prints the commands that
// give them the request keys which this plan would use.
func (j *job) refuseLost(found others, open []*batch) error {
	lost := slices.DeleteFunc(slices.Clone(found.rows), func(r paidRow) bool { return !r.isLost() })
	if len(lost) == 0 {
		return nil
	}
	j.name(lost)
	var commands, again, partly []string
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
				commands = append(commands, fmt.Sprintf("  %s %s %s   # %s", found.claim, b.key(j.id), id, b.Lines()))
			}
		}
		for _, id := range slices.Sorted(maps.Keys(ofTransaction)) {
			switch {
			case id == whole:
			case ofTransaction[id] == len(b.Rows) && pays[id] == len(b.Rows):
				again = append(again, fmt.Sprintf("  transaction %s makes the payments of %s as well", id, b.Lines()))
			default:
				partly = append(partly, fmt.Sprintf("  transaction %s makes %s, %d of them of %s", id, printable.Many(pays[id], "payment"), ofTransaction[id], b.Lines()))
			}
		}
	}
	var hints []string
	if len(commands) > 0 {
		fmt.Fprintf(j.Out, "if they are of this payout, say so, and it goes on with what is left:\n%s\n", strings.Join(commands, "\n"))
		hints = append(hints, "run the commands above for those that are of this payout, and this one again")
	}
	if len(again) > 0 {
		fmt.Fprintf(j.Out, "these make the same payments once more, and may be of another payout or request:\n%s\n", strings.Join(again, "\n"))
	}
	if len(partly) > 0 {
		fmt.Fprintf(j.Out, "not the payments of one transaction of this plan, but some of them:\n%s\n", strings.Join(partly, "\n"))
		hints = append(hints, "if this file was edited after it was paid, pay it first as it was then, under the same label: that names the commands for "+
			"transactions that make some of a transaction's payments")
	}
	hints = append(hints, "of a payment that is of another request, "+found.claim+" KEY ID says which; "+found.claim+" --none ID says that nobody "+
		"will repeat it, and then it is paid once more")
	return refusal(fault.Denied, fmt.Sprintf("%d of %s are on the ledger, and the wallet has lost its record of them; nothing was paid now",
		lines(lost), printable.Many(rowsOf(open), "payment")), strings.Join(hints, "; "))
}
