package history

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/history"
	historyexport "billfold/walletcore/history/export"
	"billfold/walletcore/historyindex"

	tea "github.com/charmbracelet/bubbletea"
)

// topicExport is the topic of the task that writes the file.
const topicExport = "export"

// fileFormat is a format in which rows are written.
type fileFormat struct {
	format      historyexport.Format
	name, about string
}

func formats() []fileFormat {
	return []fileFormat{
		{historyexport.CSV, "CSV", "one line per row, decimal amounts as text"},
		{historyexport.JSONL, "JSONL", "one object per row, exact integers and ids"},
		{historyexport.Hledger, "hledger", "double entry journal, fees as expenses"},
	}
}

// The fields of the form in reading order.
const (
	exportRows = iota
	exportFormat
	exportMemos
	exportLabels
	exportIDs
	exportFile
	exportFields
)

// export is the pop-up that writes what the filter shows to a file: its form, and the
// work that it starts.
type export struct {
	list *listing

	focus        int
	span         historyexport.Span
	monthRows    uint64 // how many rows the chosen month has
	monthCounted bool   // they are counted
	format       int
	memos        bool
	labels       bool
	ids          bool
	file         field.Field
	nameTyped    bool // the person typed the name of the file
	fault        error

	stop    context.CancelFunc // cancels the work; nil while the form is open
	started time.Time
	done    *atomic.Uint64
	written uint64 // rows done, as of the last tick
}

func newExport(env screen.Env, list *listing) *export {
	x := &export{list: list, focus: exportFormat}
	x.proposeName(env)
	return x
}

// rebind returns the form for another list, without what it knew about the rows of the old one.
func (x *export) rebind(list *listing) *export {
	x.list, x.monthRows, x.monthCounted, x.fault = list, 0, false, nil
	return x
}

// exportPlaces returns the keys of the pop-up.
func exportPlaces() []action.Place {
	return []action.Place{
		{ID: "history.export", Title: "Export history", Modal: true, Actions: []action.Action{
			{ID: "up", Keys: []string{"up", "k"}, Show: "↑↓", Word: "format", Help: "previous format", Group: "↑↓|format", Hint: 1},
			{ID: "down", Keys: []string{"down", "j"}, Help: "next format", Group: "↑↓|format"},
			{ID: "export.span", Keys: []string{"t"}, Word: "month", Help: "this month, last month, all rows", Hint: 2},
			{ID: "export.flip", Keys: []string{" "}, Show: "space", Word: "flip", Help: "flip the field in focus", Hint: 3},
			{ID: "export.memos", Keys: []string{"m"}, Help: "go to memos; there: write them, on, off"},
			{ID: "next", Keys: []string{"tab"}, Word: "next field", Help: "next field", Hint: 4},
			{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "previous field"},
			{ID: "enter", Keys: []string{"enter"}, Word: "write", Help: "write the file", Hint: 5},
			{ID: "esc", Keys: []string{"esc"}, Word: "cancel", Help: "write nothing", Hint: 6, Typing: true},
		}},
		{ID: "history.export.file", Title: "Export history", Modal: true, Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "write", Help: "write the file", Hint: 1, Typing: true},
			{ID: "next", Keys: []string{"tab"}, Word: "next field", Help: "next field", Hint: 2, Typing: true},
			{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "previous field", Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "cancel", Help: "write nothing", Hint: 3, Typing: true},
		}},
		{ID: "history.export.run", Title: "Export history", Modal: true, Actions: []action.Action{
			{ID: "esc", Keys: []string{"esc"}, Word: "stop, leave no file", Help: "stop, leave no file", Hint: 1, Typing: true},
		}},
	}
}

func (x *export) place() (string, screen.Mode) {
	switch {
	case x.stop != nil:
		return "history.export.run", screen.MODAL
	case x.focus == exportFile:
		return "history.export.file", screen.TYPE
	}
	return "history.export", screen.MODAL
}

// proposeName proposes the name of the file, unless one was typed.
func (x *export) proposeName(env screen.Env) {
	if x.nameTyped {
		return
	}
	when := env.Now.UTC().Format(time.DateOnly)
	if from, _ := x.span.Month(env.Now); !from.IsZero() {
		when = from.Format("2006-01")
	}
	x.file.Set(fmt.Sprintf("~/billfold-%s-%s.%s", format.Name(env.Account), when, formats()[x.format].format.Extension()))
}

// typeKey types into the name of the file.
func (x *export) typeKey(k tea.KeyMsg) { x.nameTyped = x.file.Key(k) || x.nameTyped }

// updateProgress reads how many rows are written so far.
func (x *export) updateProgress() {
	if x.done != nil {
		x.written = x.done.Load()
	}
}

// cancel cancels the work, if there is any.
func (x *export) cancel() {
	if x.stop != nil {
		x.stop()
	}
}

// do performs an action of the pop-up; closed reports whether the pop-up is closed.
func (x *export) do(env screen.Env, id action.ID) (cmd tea.Cmd, closed bool) {
	switch id {
	case "esc":
		x.cancel() // which ends in a result
		return nil, x.stop == nil
	case "clear":
		x.file.Set("")
		x.nameTyped = true
	case "next":
		x.focus = (x.focus + 1) % exportFields
	case "prev":
		x.focus = (x.focus + exportFields - 1) % exportFields
	case "export.span":
		return x.nextSpan(env), false
	case "export.flip":
		return x.toggle(env), false
	case "up":
		x.changeFormat(env, len(formats())-1)
	case "down":
		x.changeFormat(env, 1)
	case "export.memos":
		if x.focus != exportMemos { // a stray key must not have private text written
			x.focus = exportMemos
			return nil, false
		}
		return x.togglePrivate(env, "Memos", &x.memos), false
	case "enter":
		return x.startWriting(env), false
	}
	return nil, false
}

// spanTexts returns a text for each historyexport.Span: which rows are written.
func spanTexts() []string {
	return []string{"everything the filter shows", "of this month, within the filter", "of last month, within the filter"}
}

// filter returns the filter of the rows to be written.
func (x *export) filter(env screen.Env) historyindex.Filter {
	return x.span.Of(x.list.filter.parsed, env.Now)
}

// rows returns how many rows will be written; while counted is false, there are at least so many.
func (x *export) rows() (n uint64, counted bool) {
	if x.span != 0 {
		return x.monthRows, x.monthCounted
	}
	return uint64(max(x.list.table.total, 0)), x.list.table.counted
}

// nextSpan chooses the next span and counts its rows.
func (x *export) nextSpan(env screen.Env) tea.Cmd {
	x.span = (x.span + 1) % historyexport.Spans
	x.proposeName(env)
	return x.countRows(env)
}

// countRows starts counting the rows of the chosen month.
func (x *export) countRows(env screen.Env) tea.Cmd {
	if x.list.tasks.Forget(topicExportCount); x.span == 0 {
		return nil
	}
	x.monthRows, x.monthCounted = 0, false
	counter, id, f := x.list.core.Counter, x.list.account, x.filter(env)
	return x.list.tasks.Start(env, topicExportCount, readLimit, func(ctx context.Context) (any, error) { return counter.Count(ctx, id, f) })
}

// toggle changes the field in focus.
func (x *export) toggle(env screen.Env) tea.Cmd {
	switch x.focus {
	case exportRows:
		return x.nextSpan(env)
	case exportFormat:
		x.changeFormat(env, 1)
	case exportMemos:
		return x.togglePrivate(env, "Memos", &x.memos)
	case exportLabels:
		return x.togglePrivate(env, "Labels", &x.labels)
	case exportIDs:
		x.ids = !x.ids
	}
	return nil
}

// togglePrivate toggles what only an unlocked wallet can write.
func (x *export) togglePrivate(env screen.Env, what string, on *bool) tea.Cmd {
	if !env.Unlocked() {
		return screen.Request(screen.Toast{Line: canvas.Text(what + " can be written while the wallet is unlocked")})
	}
	*on = !*on
	return nil
}

func (x *export) changeFormat(env screen.Env, by int) {
	x.format = (x.format + by) % len(formats())
	x.proposeName(env)
}

// startWriting starts writing the file.
func (x *export) startWriting(env screen.Env) tea.Cmd {
	if x.stop != nil {
		return nil
	}
	if fault := x.file.Fault(); fault != "" {
		x.fault = errors.New("The file name: " + fault + ".")
		return nil
	}
	if (x.memos || x.labels) && !env.Unlocked() { // it was locked after they were chosen
		return screen.Request(screen.NeedUnlock{})
	}
	var ended context.Context
	ended, x.stop = context.WithCancel(context.Background())
	x.started, x.done, x.written, x.fault = env.Now, new(atomic.Uint64), 0, nil
	exporter, id, done := x.list.core.Exporter, x.list.account, x.done
	what := historyexport.Request{
		Filter: x.filter(env),
		Format: formats()[x.format].format,
		Memos:  x.memos,
		Labels: x.labels,
		IDs:    x.ids,
		Oldest: x.list.table.order == oldestFirst,
		Path:   screen.Path(x.file.Value()),
	}
	return x.list.tasks.Start(env, topicExport, 0, endWith(ended, func(ctx context.Context) (any, error) {
		n, err := exporter.Export(ctx, id, what, done.Store)
		if ended.Err() != nil && err != nil { // the error is whatever the cancellation broke
			err = context.Canceled
		}
		return rowsWritten(n), err
	}))
}

// rowsWritten is the number of rows in a file.
type rowsWritten uint64

// applyResult takes a count, or the end of the writing; closed reports whether the pop-up is closed.
func (x *export) applyResult(msg screen.Result) (cmd tea.Cmd, closed bool) {
	switch {
	case msg.Topic == topicExportCount:
		if x.fault = msg.Err; msg.Err == nil {
			x.monthRows, x.monthCounted = msg.Body.(uint64), true
		}
		return nil, false
	case errors.Is(msg.Err, context.Canceled):
		return screen.Request(screen.Toast{Line: canvas.Text("Export stopped. No file was written")}), true
	case msg.Err != nil:
		x.stop, x.fault = nil, msg.Err
		return nil, false
	}
	path := screen.Path(x.file.Value())
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	text := " " + format.Many(int(msg.Body.(rowsWritten)), "row") + " written to " + format.Clean(path)
	return screen.Request(screen.Toast{Line: canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Text(text))}), true
}

// buildingPause is the interval at which the page reads again while the index is built.
const buildingPause = 400 * time.Millisecond

// paceWindow is the time over which the speed of building is measured, paceMinimum the
// time for which it must be measured before a time left is shown.
const (
	paceWindow  = 10 * time.Second
	paceMinimum = 2 * time.Second
)

// pace measures how fast the index is built.
type pace struct{ samples []sample }

type sample struct {
	at   time.Time
	rows uint64
}

func (p *pace) add(now time.Time, progress history.Progress) {
	if progress.Whole || len(p.samples) > 0 && progress.Rows < p.samples[0].rows {
		p.samples = nil
		return
	}
	p.samples = append(p.samples, sample{now, progress.Rows})
	for len(p.samples) > 2 && now.Sub(p.samples[0].at) > paceWindow {
		p.samples = p.samples[1:]
	}
}

// timeLeft returns how long building will still take; ok is false while that is not known.
func (p *pace) timeLeft(progress history.Progress) (d time.Duration, ok bool) {
	if len(p.samples) < 2 || progress.Total < progress.Rows {
		return 0, false
	}
	from, to := p.samples[0], p.samples[len(p.samples)-1]
	took, done := to.at.Sub(from.at), to.rows-from.rows
	if took < paceMinimum || done == 0 {
		return 0, false
	}
	return took * time.Duration(progress.Total-progress.Rows) / time.Duration(done), true
}
