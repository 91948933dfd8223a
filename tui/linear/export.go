package linear

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/history/export"
)

// formats are the ways to write rows, with the end of the file's name.
func formats() []struct {
	is  export.Format
	end string
} {
	return []struct {
		is  export.Format
		end string
	}{{export.CSV, "csv"}, {export.JSONL, "jsonl"}, {export.Hledger, "journal"}}
}

// exporter writes rows to files.
type exporter struct{ *Desk }

// run writes what a filter fits to a file, by its word. rest is what was typed: a format and a file.
func (p exporter) run(ctx context.Context, env screen.Env, rest string, req export.Request, total uint64) error {
	name, file, _ := strings.Cut(rest, " ")
	if name == "" {
		name = "csv"
	}
	req.Path, req.Memos = strings.TrimSpace(file), env.Unlocked()
	for _, f := range formats() {
		if strings.EqualFold(name, string(f.is)) || strings.EqualFold(name, f.end) {
			req.Format = f.is
			if req.Path == "" {
				req.Path = fmt.Sprintf("~/billfold-%s-%s.%s", format.Name(env.Account), stampDay(env.Now), f.end)
			}
		}
	}
	if req.Format == "" {
		return misuse("There is no format "+format.Clean(quoted(name))+".", "export csv FILE, export jsonl FILE or export hledger FILE.")
	}
	memos := "Memos: no, the wallet is locked."
	if req.Memos {
		memos = "Memos: yes."
	}
	p.Say(fmt.Sprintf("Export: %s. %s Readable by anyone with the file.", plural(int(total), "row"), memos))
	p.Tell("File", format.Clean(req.Path))
	if err := p.Agree(ctx, "write", "go on"); err != nil {
		return err
	}
	return p.write(ctx, env.Account.ID, req, total)
}

// write writes, and says how far it is: at 10 % steps or every 10 s, whichever is rarer.
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
			p.Say(fmt.Sprintf("Done. %s written.", plural(int(a.rows), "row")))
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

// stampDay is the day of a time, for names of files.
func stampDay(t time.Time) string { return t.UTC().Format(time.DateOnly) }
