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
	"billfold/walletcore/historyindex"
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

// labelLimit is the time limit for saving.
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

// rowInfo holds what is known about the row in focus besides the row itself: the id of its transaction, and the person's label.
type rowInfo struct {
	ids    Transactions
	labels Labels
	tasks  *screen.Tasks

	row     label.Row // the row in focus
	id      string    // of its transaction; empty while it is not known
	final   time.Time // see Transaction
	missing bool      // the node has no such block
	failed  bool      // the node did not answer; it is asked again with the next block
}

// follow asks for the id of the transaction of the row in focus, if another row was in focus before. A node is asked only after the
// row has had the focus for a moment.
func (r *rowInfo) follow(env screen.Env, e history.Entry, there bool) tea.Cmd {
	row := label.Row{ID: e.ID, Block: e.Block}
	if !there {
		row = label.Row{}
	}
	if row == r.row {
		return nil
	}
	first := r.row == label.Row{}
	r.reset()
	if r.row = row; !there {
		return nil
	}
	ids, at, pause := r.ids, historyindex.TrxPosition{Block: e.Block, Trx: e.TrxInBlock}, restOnRow
	if first {
		pause = 0
	}
	return r.tasks.Start(env, topicTransaction, readLimit, func(ctx context.Context) (any, error) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return ids.Transaction(ctx, at)
	})
}

// restOnRow is the time for which a row is in focus before a node is asked for its block.
const restOnRow = 150 * time.Millisecond

// reset drops what is known, so that it is read again.
func (r *rowInfo) reset() {
	r.row, r.id, r.final, r.missing, r.failed = label.Row{}, "", time.Time{}, false, false
	r.tasks.Forget(topicTransaction)
}

// applyResult stores the transaction that was read.
func (r *rowInfo) applyResult(msg screen.Result) {
	is, _ := msg.Body.(Transaction)
	r.id, r.final, r.missing, r.failed = is.ID, is.Final, is.ID == "" && msg.Err == nil, msg.Err != nil
}

// labelOf returns the label of a row; the state is why there is none.
func (r *rowInfo) labelOf(e history.Entry) (string, vault.MemoState) {
	return r.labels.Of(label.Row{ID: e.ID, Block: e.Block})
}
