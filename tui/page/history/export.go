package history

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	historyexport "billfold/walletcore/history/export"
	"billfold/walletcore/historyindex"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"

	tea "github.com/charmbracelet/bubbletea"
)

// writing is the topic of the task.
const writing = "export"

// fileFormat is a way to write rows.
type fileFormat struct {
	is        historyexport.Format
	name, end string
	what      string
}

func formats() []fileFormat {
	return []fileFormat{
		{historyexport.CSV, "CSV", "csv", "one line per row, decimal amounts as text"},
		{historyexport.JSONL, "JSONL", "jsonl", "one object per row, exact integers and ids"},
		{historyexport.Hledger, "hledger", "journal", "double entry journal, fees as expenses"},
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

	focus  int
	span   historyexport.Span
	month  uint64 // the rows of the month that is chosen, once they are counted
	known  bool   // they are
	format int
	memos  bool
	labels bool
	ids    bool
	file   field.Field
	named  bool // the name was typed
	fault  error

	stop  context.CancelFunc // ends the work; nil while the form is open
	began time.Time
	done  *atomic.Uint64
	seen  uint64 // done, as of the last tick
}

func newExport(env screen.Env, list *listing) *export {
	x := &export{list: list, focus: exportFormat}
	x.name(env)
	return x
}

// on is the form over another list; what it was told of the rows is asked again.
func (x *export) on(list *listing) *export {
	x.list, x.month, x.known, x.fault = list, 0, false, nil
	return x
}

// exportPlaces are the keys of the form.
func exportPlaces() []action.Place {
	return []action.Place{
		{ID: "history.export", Title: "Export history", Modal: true, Actions: []action.Action{
			{ID: "up", Keys: []string{"up", "k"}, Show: "↑↓", Word: "format", Help: "previous format", Group: "↑↓|format", Hint: 1},
			{ID: "down", Keys: []string{"down", "j"}, Help: "next format", Group: "↑↓|format"},
			{ID: "export.span", Keys: []string{"t"}, Word: "month", Help: "this month, last month, all rows", Hint: 2},
			{ID: "export.flip", Keys: []string{" "}, Show: "space", Word: "flip", Help: "flip the field in focus", Hint: 3},
			{ID: "export.memos", Keys: []string{"m"}, Help: "to memos; there: write them, on, off"},
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

// name proposes a file while none was typed.
func (x *export) name(env screen.Env) {
	if x.named {
		return
	}
	when := env.Now.UTC().Format(time.DateOnly)
	if from, _ := x.span.Month(env.Now); !from.IsZero() {
		when = from.Format("2006-01")
	}
	x.file.Set(fmt.Sprintf("~/billfold-%s-%s.%s", format.Name(env.Account), when, formats()[x.format].end))
}

// typeKey types into the file's name.
func (x *export) typeKey(k tea.KeyMsg) { x.named = x.file.Key(k) || x.named }

// tick takes how many rows are written.
func (x *export) tick() {
	if x.done != nil {
		x.seen = x.done.Load()
	}
}

// cancel ends the work, if there is any.
func (x *export) cancel() {
	if x.stop != nil {
		x.stop()
	}
}

// do performs an action of the pop-up; closed reports whether it is over.
func (x *export) do(env screen.Env, id action.ID) (cmd tea.Cmd, closed bool) {
	switch id {
	case "esc":
		x.cancel() // which ends in a result
		return nil, x.stop == nil
	case "clear":
		x.file.Set("")
		x.named = true
	case "next":
		x.focus = (x.focus + 1) % exportFields
	case "prev":
		x.focus = (x.focus + exportFields - 1) % exportFields
	case "export.span":
		return x.turn(env), false
	case "export.flip":
		return x.flip(env), false
	case "up":
		x.choose(env, len(formats())-1)
	case "down":
		x.choose(env, 1)
	case "export.memos":
		if x.focus != exportMemos { // a stray key writes nothing that is private
			x.focus = exportMemos
			return nil, false
		}
		return x.private(env, "Memos", &x.memos), false
	case "enter":
		return x.write(env), false
	}
	return nil, false
}

// spans are what of the rows that the filter shows is written.
func spans() []string {
	return []string{"everything the filter shows", "of this month, as the filter shows", "of last month, as the filter shows"}
}

// filter is what is written.
func (x *export) filter(env screen.Env) historyindex.Filter {
	return x.span.Of(x.list.filter.is, env.Now)
}

// rows is how many are written; counted reports whether that is all of them, or so many at least.
func (x *export) rows() (n uint64, counted bool) {
	if x.span != 0 {
		return x.month, x.known
	}
	return uint64(max(x.list.table.total, 0)), x.list.table.counted
}

// turn goes to the next span and counts its rows.
func (x *export) turn(env screen.Env) tea.Cmd {
	x.span = (x.span + 1) % historyexport.Spans
	x.name(env)
	return x.count(env)
}

// count counts the rows of the month that is chosen.
func (x *export) count(env screen.Env) tea.Cmd {
	if x.list.tasks.Forget(spanning); x.span == 0 {
		return nil
	}
	x.month, x.known = 0, false
	counter, id, f := x.list.core.Counter, x.list.account, x.filter(env)
	return x.list.tasks.Start(env, spanning, readLimit, func(ctx context.Context) (any, error) { return counter.Count(ctx, id, f) })
}

// flip changes the field in focus.
func (x *export) flip(env screen.Env) tea.Cmd {
	switch x.focus {
	case exportRows:
		return x.turn(env)
	case exportFormat:
		x.choose(env, 1)
	case exportMemos:
		return x.private(env, "Memos", &x.memos)
	case exportLabels:
		return x.private(env, "Labels", &x.labels)
	case exportIDs:
		x.ids = !x.ids
	}
	return nil
}

// private flips what only an unlocked wallet can write.
func (x *export) private(env screen.Env, what string, on *bool) tea.Cmd {
	if !env.Unlocked() {
		return screen.Request(screen.Toast{Line: canvas.Text(what + " can be written while the wallet is unlocked")})
	}
	*on = !*on
	return nil
}

func (x *export) choose(env screen.Env, by int) {
	x.format = (x.format + by) % len(formats())
	x.name(env)
}

// write starts the work.
func (x *export) write(env screen.Env) tea.Cmd {
	if x.stop != nil {
		return nil
	}
	if fault := x.file.Fault(); fault != "" {
		x.fault = errors.New("The name of the file: " + fault + ".")
		return nil
	}
	if (x.memos || x.labels) && !env.Unlocked() { // it was locked since they were chosen
		return screen.Request(screen.NeedUnlock{Back: screen.History})
	}
	var ended context.Context
	ended, x.stop = context.WithCancel(context.Background())
	x.began, x.done, x.seen, x.fault = env.Now, new(atomic.Uint64), 0, nil
	exporter, id, done := x.list.core.Exporter, x.list.account, x.done
	what := historyexport.Request{
		Filter: x.filter(env),
		Format: formats()[x.format].is,
		Memos:  x.memos,
		Labels: x.labels,
		IDs:    x.ids,
		Oldest: x.list.table.order == oldestFirst,
		Path:   x.file.Value(),
	}
	return x.list.tasks.Start(env, writing, 0, until(ended, func(ctx context.Context) (any, error) {
		n, err := exporter.Export(ctx, id, what, done.Store)
		if ended.Err() != nil && err != nil { // whatever it broke
			err = context.Canceled
		}
		return written(n), err
	}))
}

// written is how many rows a file got.
type written uint64

// result takes the end of the work; closed reports whether the pop-up is over.
func (x *export) result(msg screen.Result) (cmd tea.Cmd, closed bool) {
	switch {
	case msg.Topic == spanning:
		if x.fault = msg.Err; msg.Err == nil {
			x.month, x.known = msg.Body.(uint64), true
		}
		return nil, false
	case errors.Is(msg.Err, context.Canceled):
		return screen.Request(screen.Toast{Line: canvas.Text("Export stopped. No file was written")}), true
	case msg.Err != nil:
		x.stop, x.fault = nil, msg.Err
		return nil, false
	}
	path := x.file.Value()
	if whole, err := filepath.Abs(path); err == nil && !strings.HasPrefix(path, "~") {
		path = whole
	}
	text := " " + format.Many(int(msg.Body.(written)), "row") + " written to " + format.Clean(path)
	return screen.Request(screen.Toast{Line: canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Text(text))}), true
}
