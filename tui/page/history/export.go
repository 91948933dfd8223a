package history

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	historyexport "billfold/walletcore/history/export"

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
	exportFormat = iota
	exportMemos
	exportFile
	exportFields
)

// export is the pop-up that writes what the filter shows to a file: its form, and the
// work that it starts.
type export struct {
	list *listing

	focus  int
	format int
	memos  bool
	file   field.Field
	named  bool // the name was typed
	fault  error

	stop  context.CancelFunc // ends the work; nil while the form is open
	began time.Time
	done  *atomic.Uint64
	seen  uint64 // done, as of the last tick
}

func newExport(env screen.Env, list *listing) *export {
	x := &export{list: list}
	x.name(env)
	return x
}

// exportPlaces are the keys of the form.
func exportPlaces() []action.Place {
	return []action.Place{
		{ID: "history.export", Title: "Export history", Modal: true, Actions: []action.Action{
			{ID: "up", Keys: []string{"up", "k"}, Show: "↑↓", Word: "choose", Help: "format before", Hint: 1},
			{ID: "down", Keys: []string{"down", "j"}, Help: "next format"},
			{ID: "export.memos", Keys: []string{"space", " "}, Show: "space", Word: "memos", Help: "write memos, on, off", Hint: 2},
			{ID: "next", Keys: []string{"tab"}, Word: "next field", Help: "next field", Hint: 3},
			{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "last field"},
			{ID: "enter", Keys: []string{"enter"}, Word: "write", Help: "write the file", Hint: 4},
			{ID: "esc", Keys: []string{"esc"}, Word: "cancel", Help: "write nothing", Hint: 5, Typing: true},
		}},
		{ID: "history.export.file", Title: "Export history", Modal: true, Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "write", Help: "write the file", Hint: 1, Typing: true},
			{ID: "next", Keys: []string{"tab"}, Word: "next field", Help: "next field", Hint: 2, Typing: true},
			{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "last field", Typing: true},
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
	if !x.named {
		x.file.Set(
			fmt.Sprintf("~/billfold-%s-%s.%s", format.Name(env.Account), env.Now.UTC().Format(time.DateOnly), formats()[x.format].end),
		)
	}
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
	case "up":
		x.choose(env, len(formats())-1)
	case "down":
		x.choose(env, 1)
	case "export.memos":
		if !env.Unlocked() {
			return screen.Request(screen.Toast{Line: canvas.Text("Memos can be written while the wallet is unlocked")}), false
		}
		x.memos = !x.memos
	case "enter":
		return x.write(env), false
	}
	return nil, false
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
	var ended context.Context
	ended, x.stop = context.WithCancel(context.Background())
	x.began, x.done, x.seen, x.fault = env.Now, new(atomic.Uint64), 0, nil
	exporter, id, done := x.list.core.Exporter, x.list.account, x.done
	what := historyexport.Request{
		Filter: x.list.filter.is,
		Format: formats()[x.format].is,
		Memos:  x.memos,
		Oldest: x.list.table.oldest,
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
	case errors.Is(msg.Err, context.Canceled):
		return screen.Request(screen.Toast{Line: canvas.Text("Export stopped. No file was written")}), true
	case msg.Err != nil:
		x.stop, x.fault = nil, msg.Err
		return nil, false
	}
	text := fmt.Sprintf(" %s rows written to %s", count(uint64(msg.Body.(written))), format.Clean(x.file.Value()))
	return screen.Request(screen.Toast{Line: canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Text(text))}), true
}
