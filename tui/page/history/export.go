package history

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// Exporter writes rows to a file.
type Exporter interface {
	HistoryExport(ctx context.Context, id ledger.AccountID, e walletcore.HistoryExport, told func(rows uint64)) (uint64, error)
}

// export is the topic of the task.
const export = "export"

// format is a way to write rows.
type fileFormat struct {
	is        walletcore.HistoryFormat
	name, end string
	what      string
}

func formats() []fileFormat {
	return []fileFormat{
		{walletcore.HistoryCSV, "CSV", "csv", "one line per row, decimal amounts as text"},
		{walletcore.HistoryJSONL, "JSONL", "jsonl", "one object per row, exact integers and ids"},
		{walletcore.HistoryHledger, "hledger", "journal", "double entry journal, fees as expenses"},
	}
}

// What the pop-up takes.
const (
	exportW = 76
	exportH = 12
)

// The fields of the form in reading order.
const (
	exportFormat = iota
	exportMemos
	exportFile
	exportFields
)

// exporting is the form, and the work that it starts.
type exporting struct {
	focus  int
	format int
	memos  bool
	file   field.Field
	own    bool // the name was typed
	fault  error

	stop  context.CancelFunc // of the work; nil while the form is open
	began time.Time
	done  *atomic.Uint64
	seen  uint64 // done, as of the last tick
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

func (x *exporting) place() (string, screen.Mode) {
	switch {
	case x.stop != nil:
		return "history.export.run", screen.MODAL
	case x.focus == exportFile:
		return "history.export.file", screen.TYPE
	}
	return "history.export", screen.MODAL
}

// openExport opens the form for what the filter shows.
func (m *Model) openExport(env screen.Env) tea.Cmd {
	if m.total == 0 || m.export != nil {
		return nil
	}
	m.export = &exporting{}
	m.export.name(env)
	return nil
}

// name proposes a file while none was typed.
func (x *exporting) name(env screen.Env) {
	if !x.own {
		x.file.Set(fmt.Sprintf("~/billfold-%s-%s.%s", format.Name(env.Account), env.Now.UTC().Format(time.DateOnly), formats()[x.format].end))
	}
}

func (m *Model) doExport(env screen.Env, id action.ID) tea.Cmd {
	x := m.export
	switch id {
	case "esc":
		if x.stop != nil {
			x.stop()
			return nil
		}
		m.export = nil
	case "clear":
		x.file.Set("")
		x.own = true
	case "next":
		x.focus = (x.focus + 1) % exportFields
	case "prev":
		x.focus = (x.focus + exportFields - 1) % exportFields
	case "up", "down":
		if id == "up" {
			x.format += len(formats()) - 2
		}
		x.format = (x.format + 1) % len(formats())
		x.name(env)
	case "export.memos":
		if !env.Unlocked() {
			return screen.Request(screen.Toast{Line: canvas.Text("Memos can be written while the wallet is unlocked")})
		}
		x.memos = !x.memos
	case "enter":
		return m.write(env)
	}
	return nil
}

// write starts the work.
func (m *Model) write(env screen.Env) tea.Cmd {
	x := m.export
	if x.stop != nil {
		return nil
	}
	if failure := x.file.Fault(); failure != "" {
		x.fault = errors.New("The name of the file: " + failure + ".")
		return nil
	}
	var ended context.Context
	ended, x.stop = context.WithCancel(context.Background())
	x.began, x.done, x.seen, x.fault = env.Now, new(atomic.Uint64), 0, nil
	core, id, done := m.core, m.account, x.done
	what := walletcore.HistoryExport{Filter: m.filter, Format: formats()[x.format].is, Memos: x.memos, Oldest: m.oldest, Path: x.file.Value()}
	return m.tasks.Start(env, export, 0, func(ctx context.Context) (any, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(ended, stop)()
		n, err := core.HistoryExport(ctx, id, what, done.Store)
		if ended.Err() != nil && err != nil { // whatever it broke
			err = context.Canceled
		}
		return written(n), err
	})
}

// written is how many rows a file got.
type written uint64

// exported takes the end of the work.
func (m *Model) exported(msg screen.Result) tea.Cmd {
	x := m.export
	if x == nil {
		return nil
	}
	switch {
	case errors.Is(msg.Err, context.Canceled):
		m.export = nil
		return screen.Request(screen.Toast{Line: canvas.Text("Export stopped. No file was written")})
	case msg.Err != nil:
		x.stop, x.fault = nil, msg.Err
		return nil
	}
	m.export = nil
	text := fmt.Sprintf(" %s rows written to %s", count(uint64(msg.Body.(written))), format.Clean(x.file.Value()))
	return screen.Request(screen.Toast{Line: canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Text(text))})
}

// drawExport draws the pop-up.
func (m *Model) drawExport(env screen.Env, a canvas.Area) {
	x := m.export
	a.Fill(theme.Style{Bg: theme.ModalBg})
	foot := "↵ write   tab next field   esc cancel"
	if x.stop != nil {
		foot = "esc stops and leaves no file"
	}
	in := a.Box(canvas.Frame{Title: canvas.Bold(theme.Focus, "Export history"), Foot: canvas.In(theme.Muted, foot), Heavy: true, Bg: theme.ModalBg})
	of := format.Count(m.total)
	if !m.counted {
		of += " or more"
	}
	y := 0
	put := func(field int, label string, value canvas.Line) {
		in.Put(2, y, canvas.In(theme.Muted, label).On(theme.ModalBg))
		for _, l := range value.Wrap(in.W - 13) {
			in.Put(11, y, l.On(theme.ModalBg))
			if field == x.focus && x.stop == nil {
				in.Put(0, y, canvas.In(theme.Focus, theme.SignRow))
				in.Tint(y, theme.SelectBg)
			}
			y++
		}
	}
	put(-1, "Rows", canvas.Join(canvas.Text(of), canvas.In(theme.Muted, "  (everything the filter shows)")))
	if x.stop != nil {
		y++
		put(-1, "Writing", canvas.Text(m.exportPace(env)))
		return
	}
	for i, f := range formats() {
		label, sign, at := "", " ", -1
		if i == 0 {
			label = "Format"
		}
		if i == x.format {
			sign, at = "•", exportFormat
		}
		put(at, label, canvas.Join(canvas.Text("("+sign+") "+fmt.Sprintf("%-9s", f.name)), canvas.In(theme.Muted, f.what)))
	}
	tick := " "
	if x.memos {
		tick = "x"
	}
	put(exportMemos, "Memos", canvas.Join(canvas.Text("["+tick+"] write decrypted memos  "), canvas.In(theme.Warn, theme.SignCareful+" readable by anyone with the file")))
	put(exportFile, "File", x.file.Line(in.W-14, x.focus == exportFile))
	if x.fault != nil {
		y++
		what, _ := advice.Of(x.fault)
		for _, l := range canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what)).Wrap(in.W - 4) {
			in.Put(2, y, l.On(theme.ModalBg))
			y++
		}
	}
}

// exportPace returns how many rows are written, how fast, and how long it will take.
func (m *Model) exportPace(env screen.Env) string {
	x := m.export
	took := env.Now.Sub(x.began)
	text := fmt.Sprintf("%s of %s rows", count(x.seen), format.Count(m.total))
	if took < paceLeast || x.seen == 0 {
		return text
	}
	text += fmt.Sprintf(" · %s rows/s", count(x.seen*uint64(time.Second)/uint64(took)))
	if rest := uint64(max(m.total, 0)); m.counted && rest > x.seen {
		text += " · " + format.Wait(took*time.Duration(rest-x.seen)/time.Duration(x.seen)) + " left"
	}
	return text
}
