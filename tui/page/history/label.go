package history

import (
	"context"
	"time"

	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/history"
	"billfold/walletcore/label"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// labelForm is the form for the label of a row.
type labelForm struct {
	labels Labels
	tasks  *screen.Tasks
	ask    *ask.Form // nil: closed
	row    label.Row
}

// open opens the form for the label of a row; a locked wallet must be unlocked first.
func (f *labelForm) open(env screen.Env, e history.Entry) tea.Cmd {
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{})
	}
	f.row = label.Row{ID: e.ID, Block: e.Block}
	now, state := f.labels.Of(f.row)
	if state != vault.MemoOpen {
		now = ""
	}
	f.ask = &ask.Form{Title: "Label of " + e.ID.String(), Word: "save",
		Text:   []canvas.Line{canvas.In(theme.Muted, "Encrypted with the wallet; it never leaves it. Empty removes it.")},
		Fields: []ask.Field{{Label: "Label", Input: field.New(now)}}, Keep: now == "",
	}
	f.ask.Fields[0].Input.Limit = label.Size
	return nil
}

// do performs a key of the form.
func (f *labelForm) do(env screen.Env, id action.ID) tea.Cmd {
	switch f.ask.Do(id) {
	case ask.Leave:
		f.ask = nil
	case ask.Go:
		if !env.Unlocked() { // it was locked after the form was opened
			return screen.Request(screen.NeedUnlock{})
		}
		f.ask.Busy = "writing"
		labels, row, text := f.labels, f.row, f.ask.Values()[0]
		return f.tasks.Start(env, topicLabel, labelLimit, func(ctx context.Context) (any, error) { return nil, labels.Set(ctx, row, text) })
	case ask.Stay:
	}
	return nil
}

// restore takes over what was typed in another form before a lock. A label that was being saved may have been saved or not, so the
// person confirms it again.
func (f *labelForm) restore(was labelForm) {
	f.ask, f.row = was.ask, was.row
	f.ask.Busy, f.ask.Fault = "", ""
}

// labelLimit is how long saving may take.
const labelLimit = 20 * time.Second

// applyResult closes the form once the label is saved, or shows why it was not.
func (f *labelForm) applyResult(msg screen.Result) {
	switch {
	case f.ask == nil:
	case msg.Err != nil:
		f.ask.Busy, f.ask.Fault = "", advice.Sentence(msg.Err)
	default:
		f.ask = nil
	}
}
