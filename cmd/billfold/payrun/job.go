package payrun

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
)

// Options are the options of a payout.
type Options struct {
	Wallet     shell.Wallet
	Out        io.Writer // for the plan and the progress
	Problems   io.Writer // for what it waits for; nil = nobody is told
	File       string
	From       string // the payer; "" = the wallet's only account
	Label      string
	Duplicates bool // allow the same payment twice in the file
	NewPlan    bool // treat an edited file as a new plan
	DryRun     bool // send nothing
	// Approve asks for the approval of the plan by its total; nil = no approval is needed.
	Approve func(ctx context.Context, total string) error
}

// job is a payout after its file was read and checked against the ledger.
type job struct {
	Options
	plan    payout.Plan
	id      string
	payer   *account
	names   *payout.Names
	batches []*batch

	unknown  error  // why it is not known what was paid of the plan before; nil = it is
	position string // up to where payments of other plans were taken into account; see check_payout
}

// prepare makes the plan and finds out what was paid of it before. If there are faults, it
// reports those of the file together with the ledger's objections, as far as it can be asked.
func (o *Options) prepare(ctx context.Context, rows []payout.Row, faults []payout.Fault) (*job, error) {
	j, more, err := o.compare(ctx, rows, faults)
	if len(faults) > 0 || len(more) > 0 {
		return nil, refuseFaults(o.Out, o.File, append(faults, more...))
	}
	if err != nil {
		return nil, err
	}
	if err := j.identify(ctx); err != nil {
		return nil, err
	}
	for _, b := range j.plan.Batches() {
		next := &batch{Batch: b}
		err := next.find(ctx, o.Wallet, j.id)
		if fault.CodeOf(err) == fault.File { // a journal that has lost payments cannot tell; what it lost is told instead, if it was found
			j.unknown = cmp.Or(j.unknown, err)
		} else if err != nil {
			return nil, err
		}
		j.batches = append(j.batches, next)
	}
	return j, nil
}

// identify finds the plan's id. A payout that was begun when memos kept the blanks around them is continued as it was begun: under other
// request keys it would be another one.
func (j *job) identify(ctx context.Context) error {
	j.id = j.plan.ID()
	former, differs := j.plan.Former()
	if !differs {
		return nil
	}
	for _, plan := range []*payout.Plan{&j.plan, former} {
		sent, err := j.hasSent(ctx, plan.ID())
		switch {
		case fault.CodeOf(err) == fault.File: // told later, with what was lost
			return nil
		case err != nil:
			return err
		case sent:
			j.plan, j.id = *plan, plan.ID()
			return nil
		}
	}
	return nil
}

// compare checks the rows against the ledger and returns the faults it finds.
func (o *Options) compare(ctx context.Context, rows []payout.Row, faults []payout.Fault) (*job, []payout.Fault, error) {
	payer, err := o.findPayer(ctx)
	if err != nil {
		return nil, nil, err
	}
	info, err := call[struct {
		ChainID ledger.ChainID `json:"chain_id"`
	}](ctx, o.Wallet, "info")
	if err != nil {
		return nil, nil, err
	}
	n, err := lookUp(ctx, o.Wallet, rows)
	if err != nil {
		return nil, nil, err
	}
	rows = n.Identify(rows)
	against := n.Faults(payer.ref(), rows, faults)
	if !o.Duplicates {
		against = append(against, payout.Duplicates(rows)...)
	}
	j := &job{Options: *o, payer: payer, names: n}
	j.plan = payout.Plan{Chain: info.ChainID, Payer: payer.ID, Label: o.Label, Rows: rows}
	return j, against, nil
}

// findPayer returns the account that was named, or the only account of the wallet.
func (o *Options) findPayer(ctx context.Context) (*account, error) {
	name := o.From
	if name == "" {
		own, err := call[[]account](ctx, o.Wallet, "list_my_accounts")
		if err != nil {
			return nil, err
		}
		if len(own) != 1 {
			return nil, shell.Misuse(fmt.Errorf("the wallet has %d accounts; name the one that pays with --from", len(own)))
		}
		name = own[0].Name
	}
	payer, err := call[account](ctx, o.Wallet, "get_account", name)
	return &payer, err
}

// hasSent reports whether a plan has made payments, or may have.
func (j *job) hasSent(ctx context.Context, plan string) (bool, error) {
	if j.unknown != nil { // the journal has lost payments
		return true, nil
	}
	keys, err := json.Marshal(payout.KeyPrefix + plan + "/")
	if err != nil {
		return false, err
	}
	const most = 1000 // of those that never happened, which came later
	latest, err := callNamed[[]payment.Info](ctx, j.Wallet, "list_payments", map[string]json.RawMessage{"keys": keys}, most)
	if err != nil {
		return false, err
	}
	happens := func(p payment.Info) bool { return !neverHappens(p) }
	return len(latest) == most || slices.ContainsFunc(latest, happens), nil
}

// unsent returns the batches that were not sent.
func (j *job) unsent() (open []*batch) {
	for _, b := range j.batches {
		if b.paid == nil {
			open = append(open, b)
		}
	}
	return open
}

// review makes a dry run of every unsent batch, checks the totals against the balances, shows the plan and has it approved.
func (j *job) review(ctx context.Context, open []*batch) error {
	var rows []payout.Row
	for _, b := range open {
		rows = append(rows, b.Rows...)
	}
	sums, err := j.names.Sums(rows)
	if err == nil {
		err = j.checkBalances(ctx, sums, 0) // before the dry run of a transaction that cannot be paid
	}
	if err != nil {
		return err
	}
	var fee int64
	for i, b := range open {
		end := func() {}
		if i > 0 { // the first may ask a person for the password
			end = j.watch(ctx, func(context.Context) string { return "for the review of " + b.Lines() + "; nothing was paid yet" })
		}
		of, err := b.dryRun(ctx, j.Wallet, j.payer.ID.String())
		end()
		switch fault.CodeOf(err) {
		case fault.Locked, fault.WrongPassword, fault.TooManyTries, fault.DaemonAway: // not about a line
			return err
		}
		if err != nil {
			return j.blame(ctx, b, err)
		}
		fee += of.Amount
	}
	if err := j.checkBalances(ctx, sums, fee); err != nil {
		return err
	}
	total := j.total(sums)
	j.show(open, rows, total, fee)
	friends, err := knownAccounts(ctx, j.Wallet, j.payer)
	if err != nil {
		return err
	}
	for _, warning := range j.names.LookAlikes(friends) {
		fmt.Fprintln(j.Out, "CAREFUL:", warning)
	}
	if j.DryRun || j.Approve == nil {
		return nil
	}
	return j.Approve(ctx, total)
}

// blame returns why a transaction cannot be made, with the first line that cannot be paid by itself either.
func (j *job) blame(ctx context.Context, b *batch, why error) error {
	for _, r := range b.Rows {
		alone := batch{Batch: payout.Batch{Rows: []payout.Row{r}}}
		if _, err := alone.dryRun(ctx, j.Wallet, j.payer.ID.String()); err != nil && fault.CodeOf(err) == fault.CodeOf(why) {
			return prefixError(err, alone.Lines()+": ", "nothing was paid")
		}
	}
	return prefixError(why, b.Lines()+": ", "nothing was paid")
}

// receipt returns the file of the plan's receipt.
func (j *job) receipt() receiptFile { return receiptFile{j.File, j.id} }

// total returns the total as it is typed to approve it: "12.5 DCT", with a plus between several assets.
func (j *job) total(sums map[ledger.AssetID]int64) string {
	var parts []string
	for _, id := range sortedAssets(sums) {
		of := j.names.Ref(id)
		parts = append(parts, payout.Plain(of.Decimals(sums[id]))+" "+of.Symbol)
	}
	return strings.Join(parts, " + ")
}

// quoteMemo returns a memo or label in quotes, and names a blank in it that is no space: an exchange may compare memos letter by letter.
func quoteMemo(memo string) string {
	text := printable.Quote(memo, len(memo))
	if at := strings.IndexFunc(memo, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsSpace(r) }); at >= 0 {
		text += fmt.Sprintf(" (a blank in it is U+%04X, no space)", []rune(memo[at:])[0])
	}
	return text
}

// show prints the plan.
func (j *job) show(open []*batch, rows []payout.Row, total string, fee int64) {
	line := func(name, text string) { fmt.Fprintf(j.Out, "  %-12s %s\n", name, text) }
	fmt.Fprintf(j.Out, "Payout plan %s\n", j.id)
	for _, r := range rows {
		if r.Memo == "" && !r.Interpreted() {
			continue
		}
		text := fmt.Sprintf("%s %s to %s", r.Amount, j.names.Assets[r.Asset].Symbol, j.names.Accounts[r.Account].Name)
		if r.Interpreted() {
			text = printable.Quote(r.Written, len(r.Written)) + " is " + text
		}
		if r.Memo != "" {
			text += " with the memo " + quoteMemo(r.Memo)
		}
		fmt.Fprintf(j.Out, "  line %d: %s\n", r.Line, text)
	}
	line("payer", fmt.Sprintf("%s (%s)", j.payer.Name, j.payer.ID))
	if j.Label != "" {
		line("label", quoteMemo(j.Label))
	}
	paid := len(j.plan.Rows) - len(rows)
	if paid > 0 {
		line("sent before", fmt.Sprintf("%s of %d", printable.Many(paid, "payment"), len(j.plan.Rows)))
	}
	to := map[ledger.AccountID]bool{}
	for _, r := range rows {
		to[j.names.Accounts[r.Account].ID] = true
	}
	line("to pay", fmt.Sprintf("%s to %s in %s", printable.Many(len(rows), "payment"), printable.Many(len(to), "account"),
		printable.Many(len(open), "transaction")))
	line("total", total)
	line("fees", payout.Plain(ledgerview.DCT().Decimals(fee))+" DCT")
}

// checkBalances refuses sums and fees that the payer cannot pay.
func (j *job) checkBalances(ctx context.Context, sums map[ledger.AssetID]int64, fee int64) error {
	held, err := call[[]ledger.AssetAmount](ctx, j.Wallet, "list_account_balances", j.payer.ID.String())
	if err != nil {
		return err
	}
	has := map[ledger.AssetID]int64{}
	for _, b := range held {
		has[b.AssetID] = b.Amount
	}
	needs := map[ledger.AssetID]int64{ledger.CoreAsset: fee}
	for id, amount := range sums {
		total, fits := ledger.AddAmounts(needs[id], amount)
		if !fits {
			return errors.New("the totals are more than there can be")
		}
		needs[id] = total
	}
	var faults []payout.Fault
	for _, id := range sortedAssets(needs) {
		if of := j.names.Ref(id); needs[id] > has[id] {
			faults = append(faults, payout.Fault{Text: fmt.Sprintf("%s has %s, and the plan needs %s: %s are missing",
				j.payer.Name, of.Format(has[id]), of.Format(needs[id]), of.Format(needs[id]-has[id]))})
		}
	}
	if len(faults) > 0 {
		for _, f := range faults {
			fmt.Fprintln(j.Out, f)
		}
		return refusal(fault.InsufficientBalance, j.payer.Name+" cannot pay the whole plan; nothing was paid",
			"deposit more, or remove lines from the file")
	}
	return nil
}
