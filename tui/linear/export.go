package linear

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/history/export"
	"billfold/walletcore/historyindex"
)

// exporter writes rows of the history to files.
type exporter struct{ *Conversation }

// exportForm describes an export: the rows that a filter selects in a span of time.
type exportForm struct {
	id     ledger.AccountID
	filter historyindex.Filter // the filter, without the span
	span   export.Span
	rows   uint64
	named  bool   // the person named the file
	name   string // the name of the account
	req    export.Request
}

// run exports the rows that a filter selects after the word write. rest is what was typed: a format and a file.
func (p exporter) run(ctx context.Context, env screen.Env, rest string, req export.Request, total uint64) error {
	name, file, _ := strings.Cut(rest, " ")
	if name == "" {
		name = "csv"
	}
	req.Path, req.Memos = screen.Path(file), env.Unlocked()
	o := exportForm{id: env.Account.ID, filter: req.Filter, rows: total, named: req.Path != "",
		name: format.Name(env.Account).String(), req: req}
	for _, f := range export.Formats() {
		if strings.EqualFold(name, string(f)) || strings.EqualFold(name, f.Extension()) {
			o.req.Format = f
		}
	}
	if o.req.Format == "" {
		return misuse("There is no format "+format.Clean(quoted(name))+".", "export csv FILE, export jsonl FILE or export hledger FILE.")
	}
	o.setSpan(env, export.All)
	p.sayRows(o)
	p.Tell("Memos", o.privacy(env, o.req.Memos))
	p.Tell("Labels", o.privacy(env, o.req.Labels))
	p.sayIDs(o)
	p.Tell("File", format.Clean(o.req.Path))
	return p.askChanges(ctx, env, &o)
}

// setSpan changes the span; the default file name changes with it.
func (o *exportForm) setSpan(env screen.Env, to export.Span) {
	o.span = to
	o.req.Filter = to.Of(o.filter, env.Now)
	if o.named {
		return
	}
	when := fileDate(env.Now)
	if from, _ := to.Month(env.Now); !from.IsZero() {
		when = from.Format("2006-01")
	}
	o.req.Path = fmt.Sprintf("~/billfold-%s-%s.%s", o.name, when, o.req.Format.Extension())
}

func (p exporter) sayRows(o exportForm) {
	span := [export.Spans]string{"all that the filter shows", "of this month", "of last month"}[o.span]
	p.Tell("Export", printable.Many(int(o.rows), "row")+", "+span+".")
}

func (p exporter) sayIDs(o exportForm) {
	p.Tell("Transaction ids", map[bool]string{true: "yes, the node is asked for each block.", false: "no."}[o.req.IDs])
}

// privacy returns whether private text is written, and why not, as text.
func (o exportForm) privacy(env screen.Env, is bool) string {
	switch {
	case is:
		return "yes, readable by anyone with the file."
	case !env.Unlocked():
		return "no, the wallet is locked."
	}
	return "no."
}

// askChanges reads the words that change the export until write starts it.
func (p exporter) askChanges(ctx context.Context, env screen.Env, o *exportForm) error {
	const other = "month, last month, all, memos, labels, ids"
	prompt := "Type write to go on, " + other + " to change, back to leave"
	for {
		line, err := p.AskFresh(ctx, prompt, "write, "+other+", or back")
		if err != nil {
			return err
		}
		prompt = "write, " + other + ", back" // the long form was heard
		word := strings.Join(strings.Fields(line), " ")
		if word == "write" {
			return p.write(ctx, o.id, o.req, o.rows)
		}
		known, err := p.change(ctx, env, o, word)
		if !known {
			err = p.sayUndecided("the word write")
		}
		if err != nil {
			return err
		}
	}
}

// change applies a word that changes the export and prints the effect; known reports whether there is such a word.
func (p exporter) change(ctx context.Context, env screen.Env, o *exportForm, word string) (known bool, err error) {
	switch word {
	case "month":
		err = p.changeSpan(ctx, env, o, export.ThisMonth)
	case "last month":
		err = p.changeSpan(ctx, env, o, export.LastMonth)
	case "all":
		err = p.changeSpan(ctx, env, o, export.All)
	case "memos":
		err = p.toggle(o, "Memos", &o.req.Memos)
	case "labels":
		err = p.toggle(o, "Labels", &o.req.Labels)
	case "ids":
		o.req.IDs = !o.req.IDs
		p.sayIDs(*o)
	default:
		return false, nil
	}
	return true, err
}

// changeSpan changes the span and counts its rows.
func (p exporter) changeSpan(ctx context.Context, env screen.Env, o *exportForm, to export.Span) (err error) {
	o.setSpan(env, to)
	if o.rows, err = within(ctx, p.Conversation, "Counting", func(ctx context.Context) (uint64, error) {
		return p.opt.Core.History.Counter.Count(ctx, o.id, o.req.Filter)
	}); err != nil {
		return err
	}
	p.sayRows(*o)
	if !o.named {
		p.Tell("File", format.Clean(o.req.Path))
	}
	return nil
}

// toggle switches memos or labels on or off; they can be switched on only while the wallet is open.
func (p exporter) toggle(o *exportForm, what string, on *bool) error {
	if !*on && !p.env().Unlocked() {
		return p.report(&Refusal{What: what + " can be written only while the wallet is open.", Money: untouched,
			Next: "back, unlock, then export again.", Code: IsLocked})
	}
	*on = !*on
	p.Tell(what, o.privacy(p.env(), *on))
	return nil
}

// write writes the file and reports progress: every 10 s at most, when another 10 % are done.
func (p exporter) write(ctx context.Context, id ledger.AccountID, req export.Request, total uint64) error {
	var done atomic.Uint64
	type answer struct {
		rows uint64
		err  error
	}
	ended := make(chan answer, 1)
	go func() {
		rows, err := p.opt.Core.History.Exporter.Export(ctx, id, req, done.Store)
		ended <- answer{rows, err}
	}()
	next := uint64(10)
	for {
		timer := time.NewTimer(10 * time.Second)
		select {
		case a := <-ended:
			timer.Stop()
			if a.err != nil {
				return a.err
			}
			p.Say(fmt.Sprintf("Done. %s written.", printable.Many(int(a.rows), "row")))
			p.Tell("File", format.Clean(req.Path))
			return nil
		case <-timer.C:
			if percent := done.Load() * 100 / max(total, 1); percent >= next {
				p.Say(fmt.Sprintf("%d %%.", percent))
				next = percent/10*10 + 10
			}
		}
	}
}

// fileDate formats the day of a time for a file name.
func fileDate(t time.Time) string { return t.UTC().Format(time.DateOnly) }
