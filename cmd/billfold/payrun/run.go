package payrun

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/usertext"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
)

// Do carries out the payout. It fails with fault.Denied if the file has faults or the plan is not approved, with
// fault.OutcomeUnknown, or with an error of the wallet.
func (o Options) Do(ctx context.Context) error {
	if secret := ledger.SecretIn(o.Label); secret != "" { // it would be shown, and kept
		return refusal(fault.BadParameter, "the label contains "+secret+", which is not shown", "name the payout otherwise; nothing was paid")
	}
	if sign := LabelQuote(o.Label); sign != "" {
		return refusal(fault.BadParameter, "the label is between quotes ("+sign+"), which would make it another label than without them",
			"leave the quotes out; nothing was paid")
	}
	file, err := o.read(ctx)
	if err != nil {
		return err
	}
	o.showSkipped(file.Skipped)
	end := o.watch(ctx, func(context.Context) string {
		return "for what the file is compared with: accounts, assets, and what was paid before"
	})
	j, err := o.prepare(ctx, file.Rows, file.Faults)
	if end(); err != nil {
		return early(ctx, err)
	}
	if !o.NewPlan {
		sent := func(plan string) (bool, error) { return j.hasSent(ctx, plan) }
		if err := j.receipt().checkEarlier(j.plan.Chain, sent); err != nil {
			return early(ctx, err)
		}
	}
	open := j.unsent()
	if err := cmp.Or(j.checkOtherPlans(ctx, open), j.unknown); err != nil {
		return early(ctx, err)
	}
	if len(open) > 0 {
		if err := j.review(ctx, open); err != nil || o.DryRun {
			return early(ctx, err)
		}
		if err := j.checkOthersSince(ctx, open); err != nil { // a person may have taken long to look at it
			return early(ctx, err)
		}
		if err := j.receipt().begin(&j.plan, j.payer.Name); err != nil {
			return err
		}
		if err := j.pay(ctx, open); err != nil {
			return j.reportStop(ctx, err)
		}
	} else {
		fmt.Fprintf(o.Out, "every payment of this plan was sent before; nothing is paid now "+
			"(to pay the same once more, name the new payout with --label)\n")
		if o.DryRun {
			return nil
		}
	}
	return j.finish(ctx)
}

// read reads the file.
func (o *Options) read(ctx context.Context) (payout.File, error) {
	if !o.DryRun && !stays(o.File) {
		return payout.File{}, refusal(fault.BadParameter, o.File+" is no file that stays: an interrupted payout is continued from it, and its receipt is put beside it",
			"save the text in a file, and pay that; nothing was paid")
	}
	text, err := readFile(ctx, o.File)
	if err != nil {
		return payout.File{}, shell.Unreadable("file", o.File, err)
	}
	return payout.Read(text), nil
}

// stays reports whether a path is of a file that can be read again, and beside which there is room: not -, a pipe, or what the system has for
// standard input.
func stays(path string) bool {
	whole, err := filepath.Abs(path)
	if err != nil || path == "-" || whole == "/dev/stdin" || strings.HasPrefix(whole, "/dev/fd/") || strings.HasPrefix(whole, "/proc/") {
		return false
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular() || info.IsDir() // whoever reads it says what is wrong
}

// showSkipped names the lines of the file that pay nobody: a payee among them was left out.
func (o *Options) showSkipped(skipped []payout.Fault) {
	for i, f := range skipped {
		if i == maxFaults {
			fmt.Fprintf(o.Out, "and %d more lines pay nobody\n", len(skipped)-i)
			break
		}
		fmt.Fprintf(o.Out, "pays nobody: line %d %s\n", f.Line, f.Text)
	}
}

// LabelQuote returns the quote with which a label begins or ends, of a keyboard or of a word processor, as U+201C; "" = none. An apostrophe
// at its end alone is none.
func LabelQuote(label string) string {
	label = usertext.Trim(label)
	first, _ := utf8.DecodeRuneInString(label)
	last, _ := utf8.DecodeLastRuneInString(label)
	for _, r := range []rune{first, last} {
		quote := r == '"' || usertext.QuoteIn(string(r)) != "" && r != '’'
		if quote || strings.ContainsRune("'`’´", r) && strings.ContainsRune("'`´", first) {
			return fmt.Sprintf("U+%04X", r)
		}
	}
	return ""
}
