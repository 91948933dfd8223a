package linear

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/history"
	"billfold/walletcore/history/export"
	"billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/label"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// historyRows is the number of rows printed at once.
const historyRows = 5

// historyPage lists the history of the account in focus.
type historyPage struct {
	*Conversation
	answers rowAnswers
	text    string // the filter as typed
	order   order
	first   int // the position of the first row printed
	rows    []history.Entry
	parsed  historyindex.Filter // the parsed filter
	indexed bool                // the history is indexed on disk
	total   uint64              // the rows that match the filter
	all     uint64              // all rows of the account
}

// order is the order in which rows are printed.
type order string

const (
	newest order = "newest"
	oldest order = "oldest"
	amount order = "amount" // the largest of each asset first
)

// orders returns all orders; the word order alone goes from each to the next.
func orders() []order { return []order{newest, oldest, amount} }

// sentence returns the order as a sentence.
func (o order) sentence() string {
	if o == amount {
		return "Largest amount of each asset first."
	}
	return strings.ToUpper(string(o[:1])) + string(o[1:]) + " first."
}

func (p *historyPage) words() []word {
	return []word{
		{say: "more", help: "the next rows", do: p.more},
		{say: "before", help: "the rows before these", do: p.before},
		{
			say:  "filter TEXT",
			row:  "history/history.filter",
			also: []string{"history/history.build"},
			help: "only rows that match; type:transfer with:carol since:30d dir:in memo:rent; empty shows all",
			do:   p.filter,
		},
		{
			say:  "date DAY",
			row:  "history/history.date",
			help: "go to the newest row that is not later than a day, such as 2026-11-20",
			do:   p.date,
		},
		{say: "again N", row: "history/history.again", help: "pay again: enter a payment like row N, or one to the sender of row N", do: p.again},
		{say: "reply N", row: "history/history.message", help: "write a message to the other side of row N", do: p.reply},
		{say: "label N TEXT", row: "history/history.label", help: "private label on row N; no text removes it", do: p.label},
		{say: "card N", row: "history/history.card", help: "account card of the other side of row N", do: p.card},
		{say: "order WAY", row: "history/history.order", help: "newest, oldest or amount first; order alone goes to the next", do: p.changeOrder},
		{say: "sum", help: "how many rows match, and what they move", do: p.sum},
		{
			say:  "export FORMAT FILE",
			row:  "history/history.export",
			help: "write the rows that match the filter to a file: csv, jsonl or hledger",
			do:   p.export,
		},
	}
}

func (p *historyPage) enter(ctx context.Context) error { return p.sayRows(ctx, 0) }

// enterWith runs a word of the page or filters at once: history type:transfer.
func (p *historyPage) enterWith(ctx context.Context, rest string) error {
	first, more := cutWord(rest)
	if w, is := findWord(p.words(), first); is {
		return w.do(ctx, more)
	}
	return p.filter(ctx, rest)
}

// sayRows prints the rows from a position on.
func (p *historyPage) sayRows(ctx context.Context, first int) error {
	env, err := p.account()
	if err != nil {
		return err
	}
	if err := p.read(ctx, env, first); err != nil {
		return err
	}
	switch {
	case p.total == 0 && p.text == "":
		p.Say("No rows yet.")
	case p.total == 0:
		p.Say("No row matches the filter.")
	case len(p.rows) == 0:
		p.Say("There are no more rows.")
	default:
		p.Say(fmt.Sprintf("%s. %s Showing %d to %d.", p.count(), p.order.sentence(), first+1, first+len(p.rows)))
	}
	for i, e := range p.rows {
		p.Item(first+i+1, rowLine(env, e))
	}
	p.sayWords()
	return nil
}

// count returns how many rows match the filter, and of how many, as text.
func (p *historyPage) count() string {
	if p.text == "" {
		return printable.Many(int(p.total), "row")
	}
	return fmt.Sprintf("%s of %d", printable.Many(int(p.total), "row"), p.all)
}

// read reads the rows from a position on: from the index on disk, or the newest ones from the node if there is none.
func (p *historyPage) read(ctx context.Context, env screen.Env, first int) error {
	core, id := p.opt.Core.History, env.Account.ID
	got, err := within(ctx, p.Conversation, "Reading the history", func(ctx context.Context) (historyPage, error) {
		out := historyPage{first: first}
		progress, err := core.Index.Progress(ctx, id)
		if err != nil {
			return out, err
		}
		if out.indexed = progress.Known; !out.indexed {
			return p.unindexed(ctx, id, first)
		}
		found, err := core.Index.FindSoon(ctx, id, p.text, env.Now, 0)
		if err != nil {
			return out, err
		}
		out.parsed = found.Filter
		if out.total, err = core.Counter.Count(ctx, id, out.parsed); err != nil {
			return out, err
		}
		if out.all, err = core.Counter.Count(ctx, id, historyindex.Filter{}); err != nil {
			return out, err
		}
		out.rows, err = core.Rows.Page(ctx, id, out.parsed, historyindex.Window{Skip: uint64(first), Limit: historyRows,
			Oldest: p.order == oldest, Amount: p.order == amount})
		return out, err
	})
	var mistake *filter.Mistake
	switch {
	case errors.As(err, &mistake):
		return p.filterMistake(mistake)
	case err != nil:
		return err
	}
	p.first, p.rows, p.parsed, p.indexed, p.total, p.all = first, got.rows, got.parsed, got.indexed, got.total, got.all
	return nil
}

// filterMistake clears the filter and returns a refusal that names the word it could not parse.
func (p *historyPage) filterMistake(m *filter.Mistake) error {
	what := sentence(m.What)
	if m.From < m.To && m.To <= len(p.text) {
		what = format.Clean(quoted(p.text[m.From:m.To])) + ": " + m.What + "."
	}
	next := "filter, with other words."
	if m.Nearest != "" {
		next = "did you mean " + format.Clean(p.text[:m.From]+m.Nearest+p.text[m.To:]) + "?"
	}
	p.text = ""
	return misuse(what, next)
}

// maxUnindexed is the maximum number of rows that are read from the node when there is no index.
const maxUnindexed = 100

// unindexed reads the newest rows from the node; they cannot be filtered or sorted.
func (p *historyPage) unindexed(ctx context.Context, id ledger.AccountID, first int) (historyPage, error) {
	out := historyPage{first: first}
	if p.order != newest {
		p.order = newest
		return out, refuse("There is no index of the history yet, so the newest rows come first.", "history lists them.")
	}
	if p.text != "" {
		return out, refuse("There is no index of the history yet, so it cannot be filtered.", "filter alone shows all rows.")
	}
	all, err := p.opt.Core.History.Recent.Entries(ctx, id, 0, maxUnindexed)
	out.total = uint64(len(all))
	out.rows = all[min(first, len(all)):min(first+historyRows, len(all))]
	return out, err
}

func (p *historyPage) more(ctx context.Context, _ string) error {
	return p.sayRows(ctx, p.first+len(p.rows))
}

func (p *historyPage) before(ctx context.Context, _ string) error {
	return p.sayRows(ctx, max(p.first-historyRows, 0))
}

func (p *historyPage) filter(ctx context.Context, rest string) error {
	p.text = rest
	return p.sayRows(ctx, 0)
}

// changeOrder switches to the named order, or to the next one if none was named.
func (p *historyPage) changeOrder(ctx context.Context, rest string) error {
	to := order(strings.ToLower(rest))
	if at := slices.Index(orders(), p.order); rest == "" {
		to = orders()[(at+1)%len(orders())]
	}
	if !slices.Contains(orders(), to) {
		return misuse("There is no order "+format.Clean(quoted(rest))+".", "order newest, order oldest or order amount.")
	}
	p.order = to
	return p.sayRows(ctx, 0)
}

func (p *historyPage) sum(ctx context.Context, _ string) error {
	env, err := p.account()
	if err != nil {
		return err
	}
	totals, err := within(ctx, p.Conversation, "Adding up", func(ctx context.Context) (history.Totals, error) {
		return p.opt.Core.History.Counter.Totals(ctx, env.Account.ID, p.parsed)
	})
	if err != nil {
		return err
	}
	p.Tell("Rows", fmt.Sprint(totals.Rows))
	for _, s := range totals.Sums {
		sayMoved(p.Conversation, env, "In", s.Asset, s.In)
		sayMoved(p.Conversation, env, "Out", s.Asset, s.Out)
	}
	return nil
}

// open prints everything about a row.
func (p *historyPage) open(_ context.Context, n int) error {
	at := n - 1 - p.first
	if at < 0 || at >= len(p.rows) {
		return misuse(
			"No row with that number is listed.",
			fmt.Sprintf("a number from %d to %d, or more.", p.first+1, p.first+len(p.rows)),
		)
	}
	e := p.rows[at]
	p.sayRow(p.env(), e)
	if text, state := p.opt.Core.History.Labels.Of(label.Row{ID: e.ID, Block: e.Block}); state == vault.MemoOpen && text != "" {
		p.Tell("Label", format.Clean(text))
	}
	return nil
}

// export writes the rows that match the filter to a file.
func (p *historyPage) export(ctx context.Context, rest string) error {
	env, err := p.account()
	if err != nil {
		return err
	}
	if !p.indexed {
		if err := p.read(ctx, env, 0); err != nil {
			return err
		}
	}
	return exporter{p.Conversation}.run(ctx, env, rest, export.Request{Filter: p.parsed, Oldest: p.order == oldest}, p.total)
}

// sayMoved prints the amount of an asset that moved, unless it is zero.
func sayMoved(d *Conversation, env screen.Env, label string, asset ledgerview.AssetRef, n *big.Int) {
	if n != nil && n.IsInt64() && n.Sign() != 0 {
		d.Fact(label, env.Money().Amount(asset, n.Int64()))
	}
}

// date goes to the newest row that is not later than a day, in the zone of the screen.
func (p *historyPage) date(ctx context.Context, rest string) error {
	env, err := p.account()
	if err != nil {
		return err
	}
	day, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(rest), env.Now.Location())
	if err != nil {
		return misuse("That is not a day.", "date and a day, such as date 2026-11-20.")
	}
	if err := p.read(ctx, env, 0); err != nil {
		return err
	}
	if !p.indexed {
		return refuse("There is no index of the history yet, so it cannot be searched by day.", "more goes on to older rows.")
	}
	place, found, err := p.opt.Core.History.Rows.Jump(ctx, env.Account.ID, p.parsed, ledger.TimeOf(day.AddDate(0, 0, 1))-1)
	if err != nil {
		return err
	}
	if !found {
		return refuse("No row is older than that.", "date, with a later day.")
	}
	p.order = newest
	return p.sayRows(ctx, int(place.Position))
}

// numberedRow returns the printed row whose number was typed after word.
func (p *historyPage) numberedRow(text, word string) (history.Entry, error) {
	return numberedRow(p.rows, p.first, text, word)
}

// label sets the private label of a row; an empty text removes it.
func (p *historyPage) label(ctx context.Context, rest string) error {
	number, text := cutWord(rest)
	e, err := p.numberedRow(number, "label")
	if err != nil {
		return err
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	if err := p.opt.Core.History.Labels.Set(ctx, label.Row{ID: e.ID, Block: e.Block}, text); err != nil {
		return err
	}
	if text == "" {
		p.Say("The row has no label now.")
		return nil
	}
	p.Tell("Label of "+e.ID.String(), format.Clean(text))
	p.Say("It is encrypted with the wallet and never leaves it. filter label:WORD finds it.")
	return nil
}

// card prints the account card of the other side of a row.
func (p *historyPage) card(ctx context.Context, rest string) error {
	e, err := p.numberedRow(rest, "card")
	if err != nil {
		return err
	}
	return p.sayCard(ctx, e.With.ID)
}

// again starts a payment like a row, or one to its sender.
func (p *historyPage) again(ctx context.Context, rest string) error {
	e, err := p.numberedRow(rest, "again")
	if err != nil {
		return err
	}
	return p.answers.pay(ctx, e)
}

// reply writes to the other side of a row.
func (p *historyPage) reply(ctx context.Context, rest string) error {
	e, err := p.numberedRow(rest, "reply")
	if err != nil {
		return err
	}
	return p.answers.write(ctx, e)
}

func (p *historyPage) forget() { p.rows = nil }
