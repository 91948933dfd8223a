package paytable

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/txbuild"

	"golang.org/x/sync/errgroup"
)

// MaxRows is the maximum number of payments of a table: more belong in a file.
const MaxRows = 1000

// maxParallel is the maximum number of accounts that are looked up at the same time.
const maxParallel = 8

// Tables pays tables.
type Tables struct {
	View     *ledgerview.View
	Payments *payment.Payments
}

// Request is a table as a person typed it.
type Request struct {
	From  string // name or id of the payer
	Text  string // see payout.ReadTable
	Asset string // of the rows that name none
	Label string // of the payout; "" = none
}

// FaultsError is why a table is not paid: what is wrong with its lines.
type FaultsError struct{ Faults []payout.Fault }

// Error returns the first fault, and how many more there are.
func (e *FaultsError) Error() string {
	text := e.Faults[0].String()
	if more := len(e.Faults) - 1; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// OfUser marks it as an error in what a person typed.
func (e *FaultsError) OfUser() bool { return true }

// refuse returns the error for faults of a table, in the order of its lines.
func refuse(faults ...payout.Fault) error {
	slices.SortStableFunc(faults, func(a, b payout.Fault) int { return a.Line - b.Line })
	return &FaultsError{payout.InTable(faults)}
}

// table is a table in the making.
type table struct {
	Tables
	payer ledgerview.AccountRef
	names *payout.Names
	plan  payout.Plan
	id    string
}

// Build builds the transactions of a table that were not sent before, and reviews them together. Nothing is signed. Errors: a *FaultsError; of
// a transaction that cannot be built, that of payment.Prepare with its lines.
func (t Tables) Build(ctx context.Context, req Request) (*Prepared, error) {
	file := payout.ReadTable(req.Text, strings.ToUpper(req.Asset))
	label := strings.TrimSpace(req.Label)
	switch {
	case ledger.SecretIn(label) != "":
		return nil, refuse(payout.Fault{Text: "the label contains " + ledger.SecretIn(label) + ", which is not shown: take it out"})
	case len(file.Rows) > MaxRows:
		return nil, refuse(payout.Fault{Text: fmt.Sprintf("the table has %d payments, and %d are paid from here; save it as a file, and billfold pay FILE pays it",
			len(file.Rows), MaxRows)})
	}
	made := table{Tables: t}
	payer, err := t.View.Accounts.Named(ctx, req.From)
	if err != nil {
		return nil, err
	}
	made.payer = payer
	if made.names, err = t.lookUp(ctx, file.Rows); err != nil {
		return nil, err
	}
	rows := made.names.Identify(file.Rows)
	faults := append(file.Faults, made.names.Faults(payer, rows, file.Faults)...)
	if faults = append(faults, payout.Duplicates(rows)...); len(faults) > 0 {
		return nil, refuse(faults...)
	}
	made.plan = payout.Plan{Chain: t.View.Pins.Chain(), Payer: payer.ID, Label: label, Rows: rows}
	made.id = made.plan.ID()
	return made.prepare(ctx)
}

// lookUp asks for every account and asset of the rows once.
func (t Tables) lookUp(ctx context.Context, rows []payout.Row) (*payout.Names, error) {
	n := payout.NamesIn(rows)
	words := make([]string, 0, len(n.Accounts))
	for word := range n.Accounts {
		words = append(words, word)
	}
	found, meant := make([]*payout.Account, len(words)), make([]string, len(words))
	g, asking := errgroup.WithContext(ctx)
	g.SetLimit(maxParallel)
	for i, word := range words {
		g.Go(func() error {
			a, err := t.View.Accounts.Get(asking, word)
			switch fault.CodeOf(err) {
			case fault.NoSuchAccount, fault.EmptyAccount:
				meant[i] = fault.MeantBy(err)
				return nil
			}
			if err == nil {
				found[i] = &payout.Account{AccountRef: ledgerview.AccountRef{ID: a.ID, Name: a.Name}, MemoKey: a.Options.MemoKey}
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, word := range words {
		n.Accounts[word], n.Meant[word] = found[i], meant[i]
	}
	for word := range n.Assets {
		switch of, err := t.View.Assets.Get(ctx, word); {
		case fault.CodeOf(err) == fault.NoSuchAsset:
		case err != nil:
			return nil, err
		default:
			n.Assets[word] = &ledgerview.AssetRef{ID: of.ID, Symbol: of.Symbol, Precision: of.Precision}
		}
	}
	return n, nil
}

// prepare builds what is left to pay.
func (t *table) prepare(ctx context.Context) (*Prepared, error) {
	out := &Prepared{table: t}
	var open []payout.Row
	for _, b := range t.plan.Batches() {
		p := &part{Batch: b}
		if err := t.find(ctx, p); err != nil {
			return nil, err
		}
		if out.parts = append(out.parts, p); p.sent.ID == (ledger.TransactionID{}) {
			open = append(open, b.Rows...)
		}
	}
	if len(open) == 0 {
		return nil, refuse(payout.Fault{Text: "every payment of this table was sent before; nothing is paid now. To pay the same once more, give the payout a label, such as 2026-06"})
	}
	if err := t.compare(ctx, open, out); err != nil {
		return nil, err
	}
	if err := t.checkBalance(ctx, open, 0); err != nil { // before a transaction that cannot be paid
		return nil, err
	}
	var fee int64
	for _, p := range out.open() {
		made, err := t.Payments.Prepare(ctx, t.request(p.Rows))
		if err != nil {
			return nil, t.blame(ctx, p, err)
		}
		p.made = made
		fee += made.Review().Fee
	}
	if err := t.checkBalance(ctx, open, fee); err != nil {
		return nil, err
	}
	out.addNotes()
	return out, nil
}

// request returns the request that pays rows, as billfold pay makes it of a file.
func (t *table) request(rows []payout.Row) txbuild.Request {
	items := make([]txbuild.PayoutItem, len(rows))
	for i, r := range rows {
		items[i] = txbuild.PayoutItem{To: r.AccountID, Amount: r.Amount, Asset: r.AssetID, Memo: r.Memo}
	}
	return txbuild.NewRequest("pay_many", txbuild.PayManyParams{From: t.payer.ID.String(), Payments: items}, txbuild.PayMany)
}

// find reads what became of a part. The first attempt that has not failed for certain is the current one.
func (t *table) find(ctx context.Context, p *part) error {
	for p.attempt = 1; ; p.attempt++ {
		info, err := t.Payments.Get(ctx, p.Key(t.id, p.attempt))
		switch {
		case fault.CodeOf(err) == fault.NoSuchPayment:
			return nil
		case err != nil:
			return err
		case info.State == payment.Rejected.String(), info.State == payment.Expired.String():
			continue
		case info.Transaction == nil || !t.names.Pays(t.payer.ID, p.Rows, info.Transaction.Operations):
			return refuse(payout.Fault{Line: p.Rows[0].Line, Text: "the journal has another payment in the place of " + p.Lines() +
				", which somebody claimed; billfold pay names the command that takes the claim back"})
		}
		p.sent = payment.Payment{ID: info.TransactionID}
		p.before = true
		p.unsure = info.State == payment.Unknown.String() || info.State == payment.Prepared.String()
		return nil
	}
}

// compare refuses what other payouts of the payer made, and records what was compared.
func (t *table) compare(ctx context.Context, open []payout.Row, out *Prepared) error {
	moves := make([]ledger.Movement, len(open))
	for i, r := range open {
		of := t.names.Assets[r.Asset]
		amount, err := ledger.ParseAmount(r.Amount, of.Precision)
		if err != nil {
			return refuse(payout.Fault{Line: r.Line, Text: err.Error()})
		}
		moves[i] = ledger.Movement{To: t.names.Accounts[r.Account].ID.Object(), Amount: ledger.AssetAmount{Amount: amount, AssetID: of.ID}}
	}
	paid, position, err := t.Payments.CheckPayout(ctx, t.payer.ID, t.id, t.plan.Label, moves, 0)
	if err != nil {
		return err
	}
	out.position = position
	var faults []payout.Fault
	again := map[int]bool{}
	for _, p := range paid {
		r := open[p.Row]
		text := fmt.Sprintf("%s %s to %s was paid on %s, transaction %s", r.Amount, r.Asset, r.Account, ledger.TimeOf(p.At), p.ID)
		switch {
		case p.Lost:
			faults = append(faults, payout.Fault{Line: r.Line, Text: text + ", but the wallet has lost how it was requested; take the line out"})
		case p.Counts && t.plan.Label == "":
			faults = append(faults, payout.Fault{Line: r.Line, Text: text + "; take the line out, or give the payout a label to pay it once more"})
		case p.Counts:
			faults = append(faults, payout.Fault{Line: r.Line, Text: text + " under this label; take the line out, or change the label to pay it once more"})
		default:
			again[r.Line] = true
		}
	}
	if len(faults) > 0 {
		return refuse(faults...)
	}
	out.again = len(again)
	return nil
}

// checkBalance refuses rows and a fee that the payer cannot pay together.
func (t *table) checkBalance(ctx context.Context, rows []payout.Row, fee int64) error {
	needs, err := t.names.Sums(rows)
	if err != nil {
		return refuse(payout.Fault{Text: err.Error()})
	}
	total, fits := ledger.AddAmounts(needs[ledger.CoreAsset], fee)
	if needs[ledger.CoreAsset] = total; !fits {
		return refuse(payout.Fault{Text: "the totals are more than there can be"})
	}
	held, err := t.View.Assets.Balances(ctx, t.payer.ID)
	if err != nil {
		return err
	}
	for _, b := range held {
		needs[b.Asset.ID] -= b.Amount
	}
	for id, missing := range needs {
		if of := t.names.Ref(id); missing > 0 {
			with := ""
			if fee > 0 && id == ledger.CoreAsset {
				with = ", with the fees of all"
			}
			return &fault.Error{Code: fault.InsufficientBalance, Op: "pay_many", Hint: "nothing was sent; pay less, or take lines out",
				Message: fmt.Sprintf("the account %s cannot pay the whole table%s: %s are missing", t.payer.Name, with, of.Format(missing))}
		}
	}
	return nil
}

// blame returns why a transaction cannot be made, with the first line that cannot be paid by itself either.
func (t *table) blame(ctx context.Context, p *part, why error) error {
	switch fault.CodeOf(why) {
	case fault.Locked, fault.DaemonAway, fault.DaemonStale, fault.WrongChain, fault.InsufficientBalance: // not about a line
		return why
	case fault.MissingAuthority:
		return &fault.Error{Code: fault.MissingAuthority, Op: "pay_many", Message: "the keys here may not pay from " + t.payer.Name + " alone, and a table is not proposed",
			Hint: "nothing was sent; pay them one by one, each as a proposal"}
	}
	for _, r := range p.Rows {
		if _, err := t.Payments.Prepare(ctx, t.request([]payout.Row{r})); err != nil && fault.CodeOf(err) == fault.CodeOf(why) {
			return refuse(payout.Fault{Line: r.Line, Text: fault.Public(err)})
		}
	}
	return refuse(payout.Fault{Line: p.Rows[0].Line, Text: p.Lines() + ": " + fault.Public(why)})
}

// addNotes adds what a person has to know beside the review: what is left out because it was sent, what is paid again, and how amounts were
// read that could be others.
func (p *Prepared) addNotes() {
	sent, unsure := 0, 0
	for _, part := range p.parts {
		if !part.before {
			continue
		}
		sent += len(part.Rows)
		if part.unsure {
			unsure += len(part.Rows)
		}
	}
	if sent > 0 {
		text := fmt.Sprintf("%s of %d, which are not paid again", printable.Many(sent, "payment"), len(p.plan.Rows))
		if unsure > 0 {
			text += fmt.Sprintf("; the outcome of %d of them is still looked up", unsure)
		}
		p.notes = append(p.notes, Note{Label: "Sent before", Text: text})
	}
	if p.again > 0 {
		p.notes = append(p.notes, Note{Label: "Again", Careful: true,
			Text: fmt.Sprintf("%s made before under another label, and paid once more now", printable.Many(p.again, "payment"))})
	}
	p.notes = append(append(p.notes, p.repeated()...), p.interpreted()...)
	if p.plan.Label != "" {
		p.notes = append(p.notes, Note{Label: "Label", Text: p.plan.Label})
	}
}

// maxNotes is the maximum number of notes of a kind that stand for themselves.
const maxNotes = 3

// repeated returns who is paid more than once.
func (p *Prepared) repeated() (notes []Note) {
	times := map[ledger.AccountID]int{}
	var order []ledgerview.AccountRef
	for _, part := range p.open() {
		for _, r := range part.Rows {
			to := p.names.Accounts[r.Account].AccountRef
			if times[to.ID]++; times[to.ID] == 2 {
				order = append(order, to)
			}
		}
	}
	for i, to := range order {
		if i == maxNotes {
			return append(notes, Note{Careful: true, Text: printable.Many(len(order)-i, "other account") + " more than once, too"})
		}
		notes = append(notes, Note{Label: "Repeated", Careful: true, Text: fmt.Sprintf("%s is paid %d times", to.Name, times[to.ID])})
	}
	return notes
}

// interpreted returns how amounts were read that could be others: each that could be two amounts, and of those with a sign that no other
// reading fits, one for all if there are many.
func (p *Prepared) interpreted() (notes []Note) {
	var plain []Note
	for _, part := range p.open() {
		for _, r := range part.Rows {
			note := Note{Label: fmt.Sprintf("Line %d", r.Line), Careful: true, Text: fmt.Sprintf("%s is read as %s %s to %s",
				printable.Quote(r.Written, len(r.Written)), r.Amount, p.names.Assets[r.Asset].Symbol, p.names.Accounts[r.Account].Name)}
			switch {
			case r.Ambiguous():
				notes = append(notes, note)
			case r.Interpreted():
				plain = append(plain, note)
			}
		}
	}
	if len(plain) > maxNotes {
		return append(notes, plain[0], Note{Careful: true, Text: fmt.Sprintf("and %d more amounts with a decimal comma or a sign between thousands, as listed below", len(plain)-1)})
	}
	return append(notes, plain...)
}
