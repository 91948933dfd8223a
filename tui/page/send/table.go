package send

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payout"
	"billfold/walletcore/paytable"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sync/errgroup"
)

// Tables builds the payments of tables, as screen.Several.
type Tables interface {
	Build(ctx context.Context, req paytable.Request) (screen.Built, error)
}

// doSeveral makes the form a table, and a table a single payment.
const doSeveral action.ID = "send.several"

// topicNames is the topic of the task that looks up the names in a table.
const topicNames = "names"

// tableSize is the maximum number of characters of a table.
const tableSize = 200_000

// namesAtOnce is the maximum number of accounts that are looked up at the same time.
const namesAtOnce = 8

// table holds the knowledge about a table while it is typed. Nothing in it is trusted: the payout is read and checked again when it is built.
type table struct {
	of    string      // text and asset from which file was read
	file  payout.File // as it is typed now
	lines map[int]payout.Row

	accounts map[string]lookup // by the words in the table
	assets   map[string]ledgerview.AssetRef
	noAsset  map[string]bool
	failed   bool // the last look-up did

	refused map[int][]string // by line, why the table was not built
}

// lookup is the account that the ledger has for a word; a zero account: none.
type lookup struct{ account ledgerview.AccountRef }

// namesFound is the result of a look-up.
type namesFound struct {
	accounts map[string]lookup
	assets   map[string]ledgerview.AssetRef
	noAsset  map[string]bool
}

// setSeveral makes the form one of a table, or of a single payment.
func (in *inputs) setSeveral(several bool) {
	in.several = several
	to := &in.fields[fieldTo]
	if to.Multiline, to.Rows = several, several; several {
		to.Limit = tableSize
	} else {
		to.Limit = 0
	}
}

// shows reports whether the form has a field now.
func (in *inputs) shows(id fieldID) bool {
	if in.several {
		return id == fieldTo || id == fieldAsset || id == fieldLabel
	}
	return id != fieldLabel
}

// isTable reports whether the text of a recipient is several lines of more than a name, so that it has to become a table. A name that was
// broken into two lines is none.
func isTable(text string) bool {
	lines := strings.Split(strings.Trim(text, " \n"), "\n")
	return len(lines) > 1 && slices.ContainsFunc(lines, func(line string) bool { return strings.ContainsAny(strings.TrimSpace(line), " \t,;") })
}

// switchSeveral makes a table of what is typed, and of a table of one row what it was.
func (f *form) switchSeveral() tea.Cmd {
	f.fault, f.table.refused = "", nil
	was := f.typed()
	if !f.several {
		if f.proposes {
			return screen.NotNow("a table is not proposed")
		}
		var row []string
		for _, text := range []string{was.To, was.Amount, was.Memo} {
			row = append(row, strings.TrimSpace(text))
		}
		text := strings.TrimRight(strings.Join(row, " "), " ")
		if was.Amount != "" && was.Asset != "" && !strings.EqualFold(was.Asset, emptyForm().Asset) {
			text = strings.TrimRight(strings.Join([]string{row[0], row[1], strings.ToUpper(was.Asset), row[2]}, " "), " ")
		}
		switch {
		case isTable(was.To):
			text = was.To
		case text != "":
			text += "\n"
		}
		f.set(Form{To: text, Asset: orDCT(was.Asset), Several: true})
		f.focus, f.typing = fieldTo, true
		return nil
	}
	rows := f.readTable().Rows
	if len(rows) > 1 || len(rows) == 0 && f.text(fieldTo) != "" {
		return screen.NotNow("the table has several lines; ctrl+x clears it")
	}
	to := Form{Asset: orDCT(was.Asset)}
	if len(rows) == 1 {
		to.To, to.Amount, to.Asset, to.Memo = rows[0].Account, rows[0].Amount, rows[0].Asset, rows[0].Memo
	}
	f.set(to)
	f.focus, f.typing = fieldTo, true
	return nil
}

// orDCT returns the symbol of an asset, that of a new form if there is none.
func orDCT(asset string) string {
	if strings.TrimSpace(asset) == "" {
		return emptyForm().Asset
	}
	return asset
}

// readTable returns the table as it is typed now.
func (f *form) readTable() payout.File {
	asset := strings.ToUpper(orDCT(f.text(fieldAsset)))
	if of := asset + "\n" + f.fields[fieldTo].Value(); of != f.table.of || f.table.lines == nil {
		f.table.of, f.table.file = of, payout.ReadTable(f.fields[fieldTo].Value(), asset)
		f.table.lines = map[int]payout.Row{}
		for _, r := range f.table.file.Rows {
			f.table.lines[r.Line] = r
		}
	}
	return f.table.file
}

// lookUpNames starts asking the ledger for the accounts and assets of the table that it was not asked for. The row with the cursor waits
// until the person leaves it, unless it was pasted.
func (f *form) lookUpNames(env screen.Env, all bool) tea.Cmd {
	_, busy := f.tasks.Busy(topicNames)
	if !f.several || busy || !env.Online() || f.fields[fieldTo].HoldsSecret() {
		return nil
	}
	here, _ := f.fields[fieldTo].Row()
	var accounts, assets []string
	for _, r := range f.readTable().Rows {
		if !all && f.typing && f.focus == fieldTo && r.Line == here+1 {
			continue
		}
		if _, asked := f.table.accounts[r.Account]; r.Account != "" && !asked && !slices.Contains(accounts, r.Account) {
			accounts = append(accounts, r.Account)
		}
		if _, known := f.tableAsset(r.Asset); !known && r.Asset != "" && !f.table.noAsset[r.Asset] && !slices.Contains(assets, r.Asset) {
			assets = append(assets, r.Asset)
		}
	}
	if len(accounts)+len(assets) == 0 {
		return nil
	}
	find := f.finder
	return f.tasks.Start(env, topicNames, readLimit, func(ctx context.Context) (any, error) { return findNames(ctx, find, accounts, assets) })
}

// findNames asks the ledger for accounts and assets.
func findNames(ctx context.Context, find Finder, accounts, assets []string) (namesFound, error) {
	out := namesFound{map[string]lookup{}, map[string]ledgerview.AssetRef{}, map[string]bool{}}
	found := make([]lookup, len(accounts))
	g, asking := errgroup.WithContext(ctx)
	g.SetLimit(namesAtOnce)
	for i, word := range accounts {
		g.Go(func() error {
			like, err := find.FindAccounts(asking, strings.ToLower(word), suggestRows)
			for _, a := range like {
				if a.Name == word || a.ID.String() == word {
					found[i] = lookup{a}
				}
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return out, err
	}
	for i, word := range accounts {
		out.accounts[word] = found[i]
	}
	for _, word := range assets {
		switch of, err := find.Asset(ctx, word); {
		case fault.CodeOf(err) == fault.NoSuchAsset:
			out.noAsset[word] = true
		case err != nil:
			return out, err
		default:
			out.assets[word] = ledgerview.AssetRef{ID: of.ID, Symbol: of.Symbol, Precision: of.Precision}
		}
	}
	return out, nil
}

// applyNames takes what a look-up found, and looks up what was typed meanwhile.
func (f *form) applyNames(env screen.Env, msg screen.Result) tea.Cmd {
	t := &f.table
	if t.failed = msg.Err != nil; t.failed {
		return nil
	}
	if t.accounts == nil {
		t.accounts, t.assets, t.noAsset = map[string]lookup{}, map[string]ledgerview.AssetRef{}, map[string]bool{}
	}
	found := msg.Body.(namesFound)
	maps.Copy(t.accounts, found.accounts)
	maps.Copy(t.assets, found.assets)
	maps.Copy(t.noAsset, found.noAsset)
	return f.lookUpNames(env, false)
}

// found returns the accounts of the table.
func (t *table) found() (all []ledgerview.AccountRef) {
	for _, l := range t.accounts {
		if l.account.ID != 0 {
			all = append(all, l.account)
		}
	}
	return all
}

// forgetMissing has the ledger asked again for what it did not have: it may have it by now.
func (t *table) forgetMissing() {
	maps.DeleteFunc(t.accounts, func(_ string, l lookup) bool { return l.account.ID == 0 })
	t.noAsset = map[string]bool{}
}

// tableAsset returns an asset by the word for it in a row, if it is known.
func (f *form) tableAsset(word string) (ledgerview.AssetRef, bool) {
	if a, ok := f.funds.asset(word); ok {
		return a, true
	}
	a, ok := f.table.assets[word]
	return a, ok
}

// amountOf returns the amount of a row in the smallest unit of its asset, if both are right as far as is known.
func (f *form) amountOf(r payout.Row) (int64, ledgerview.AssetRef, bool) {
	of, known := f.tableAsset(r.Asset)
	if !known || r.Written == "" || r.Objection(of.Symbol, of.Precision) != "" {
		return 0, of, false
	}
	n, err := ledger.ParseAmount(r.Amount, of.Precision)
	return n, of, err == nil
}

// rowProblems returns what is wrong with a line of the table, as far as the page can tell.
func (f *form) rowProblems(env screen.Env, line int) (out []string) {
	for _, fault := range f.readTable().Faults {
		if fault.Line == line {
			out = append(out, fault.Text)
		}
	}
	r, is := f.table.lines[line]
	if is {
		if found, asked := f.table.accounts[r.Account]; asked && found.account.ID == 0 {
			text := "there is no account " + fault.Quote(r.Account)
			like, near := f.recipients.nearest(env, r.Account)
			if !near {
				like, near = ledgerview.Meant(r.Account, f.table.found())
			}
			if near {
				text += "; did you mean " + format.Account(like).String() + "?"
			}
			out = append(out, text)
		} else if asked && found.account.ID == env.Account.ID {
			out = append(out, "that is the account which pays; leave the line out")
		}
		if of, known := f.tableAsset(r.Asset); known && r.Written != "" {
			if why := r.Objection(of.Symbol, of.Precision); why != "" {
				out = append(out, why)
			}
		} else if f.table.noAsset[r.Asset] {
			out = append(out, "there is no asset "+fault.Quote(r.Asset)+"; a word in capitals after the amount is one")
		}
	}
	for _, why := range f.table.refused[line] {
		if !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	return out
}

// wrongLines returns the lines of the table that are wrong, as far as the page can tell.
func (f *form) wrongLines(env screen.Env) (wrong []int) {
	_, rows := f.fields[fieldTo].Row()
	for line := 1; line <= rows; line++ {
		if len(f.rowProblems(env, line)) > 0 {
			wrong = append(wrong, line)
		}
	}
	return wrong
}

// totals returns what the rows come to, by asset, the largest number of rows first; complete is false if some rows are not in it.
func (f *form) totals() (sums []ledgerview.Balance, complete bool) {
	complete = true
	for _, r := range f.readTable().Rows {
		n, of, ok := f.amountOf(r)
		if !ok {
			complete = false
			continue
		}
		at := slices.IndexFunc(sums, func(b ledgerview.Balance) bool { return b.Asset.ID == of.ID })
		if at < 0 {
			at, sums = len(sums), append(sums, ledgerview.Balance{Asset: of})
		}
		total, fits := ledger.AddAmounts(sums[at].Amount, n)
		if sums[at].Amount = total; !fits {
			return nil, false
		}
	}
	return sums, complete
}

// tableFee returns the fee of all payments, if it is paid in an asset; else 0.
func (f *form) tableFee(a ledgerview.AssetRef) int64 {
	return f.funds.feeIn(a) * int64(len(f.readTable().Rows))
}

// tooMuchText returns which total is more than the account has; empty if none is.
func (f *form) tooMuchText() string {
	sums, _ := f.totals()
	for _, s := range sums {
		b, held := f.funds.balance(s.Asset.Symbol)
		if !held && len(f.funds.balances) > 0 {
			b = ledgerview.Balance{Asset: s.Asset}
		}
		if held || len(f.funds.balances) > 0 {
			if why := TooMuch(s.Amount, b, f.tableFee(s.Asset)); why != "" {
				return "the total is " + why
			}
		}
	}
	return ""
}

// checkTable reports whether the table can be built as far as the page can tell; if not, it puts the cursor into the first line that is wrong.
func (f *form) checkTable(env screen.Env) bool {
	f.fault, f.table.refused = "", nil
	if secret := ledger.SecretIn(f.text(fieldLabel)); secret != "" {
		f.focus, f.typing, f.fault = fieldLabel, true, "The label contains "+secret+"; take that out of it."
		return false
	}
	file := f.readTable()
	if wrong := f.wrongLines(env); len(wrong) > 0 {
		f.goToWrong(wrong)
		return false
	}
	for _, fault := range file.Faults {
		f.focus, f.typing, f.fault = fieldTo, true, "Not built: "+fault.Text+"."
		return false
	}
	if why := f.tooMuchText(); why != "" {
		f.focus, f.typing, f.fault = fieldTo, true, "Not built: "+why+"."
		return false
	}
	return true
}

// goToWrong puts the cursor into the first of the lines that are wrong.
func (f *form) goToWrong(wrong []int) {
	f.focus, f.typing = fieldTo, true
	f.fields[fieldTo].EndOfRow(wrong[0] - 1)
	f.fault = fmt.Sprintf("Not built: line %d is wrong.", wrong[0])
	if more := len(wrong) - 1; more > 0 {
		f.fault = fmt.Sprintf("Not built: %s are wrong, line %d first.", printable.Many(len(wrong), "line"), wrong[0])
	}
}

// applyFaults shows for which lines the table was not built.
func (f *form) applyFaults(all []payout.Fault) {
	f.table.refused = map[int][]string{}
	var wrong []int
	for _, fault := range all {
		if fault.Line == 0 {
			f.fault = "Not built: " + format.Clean(fault.Text) + "."
			continue
		}
		if wrong = append(wrong, fault.Line); f.table.refused[fault.Line] == nil {
			f.table.refused[fault.Line] = []string{}
		}
		f.table.refused[fault.Line] = append(f.table.refused[fault.Line], fault.Text)
	}
	if wrong = slices.Compact(wrong); len(wrong) > 0 {
		f.goToWrong(wrong)
	}
}

// tableRequest returns the table as it is built.
func (f *form) tableRequest(env screen.Env) paytable.Request {
	return paytable.Request{From: env.Account.Name, Text: f.fields[fieldTo].Value(), Asset: orDCT(f.text(fieldAsset)), Label: f.text(fieldLabel)}
}
