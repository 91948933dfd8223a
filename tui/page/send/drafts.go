package send

import (
	"context"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/build"
	"billfold/walletcore/draft"

	tea "github.com/charmbracelet/bubbletea"
)

// Keeper keeps what was typed for later; it needs no node.
type Keeper interface {
	Save(ctx context.Context, account ledger.AccountID, req build.TransferParams) (int64, error)
	List(ctx context.Context, account ledger.AccountID) ([]draft.Draft, error)
	Drop(ctx context.Context, number int64) error
}

const (
	doDelete action.ID = "drafts.delete"
	doUndo   action.ID = "drafts.undo"
)

// drafts is the list of kept forms. Its first row keeps what is typed now.
type drafts struct {
	keeper Keeper
	tasks  *screen.Tasks
	form   *form

	read  bool
	forms []draft.Draft
	at    list.Cursor
	fault string
	gone  []draft.Draft // that were deleted since the list was opened, the latest last
}

func draftsPlace() action.Place {
	return action.Place{ID: "send.drafts", Title: "Drafts", Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "take it", Help: "fill the form with the draft, or save the form", Hint: 1},
		{ID: doDelete, Keys: []string{"X"}, Word: "delete", Help: "delete the draft in focus", Hint: 2, Money: true},
		{ID: doUndo, Keys: []string{"u"}, Word: "undo", Help: "bring the draft back that was deleted last", Hint: 4},
		{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form", Hint: 3, Typing: true},
	}}
}

// open reads what is kept for the account.
func (d *drafts) open(env screen.Env) tea.Cmd {
	d.read, d.forms, d.at, d.fault, d.gone = false, nil, list.Cursor{}, "", nil
	return d.list(env)
}

func (d *drafts) list(env screen.Env) tea.Cmd {
	account := env.Account.ID
	return d.tasks.Start(env, "drafts", askLimit, func(ctx context.Context) (any, error) { return d.keeper.List(ctx, account) })
}

// listed takes the list.
func (d *drafts) listed(msg screen.Result) {
	if d.read = true; msg.Err != nil {
		d.fault = advice.Said(msg.Err)
		return
	}
	d.forms = msg.Body.([]draft.Draft)
	d.jump(d.at.At)
}

func (d *drafts) jump(row int) { d.at.Pick(row, len(d.forms)+1) }

// do performs an action of the list; leave reports whether the form is to be shown.
func (d *drafts) do(env screen.Env, id action.ID) (cmd tea.Cmd, leave bool) {
	if d.at.Do(id, len(d.forms)+1) {
		return nil, false
	}
	switch id {
	case "enter":
		if d.at.At == 0 {
			return d.keep(env), false
		}
		d.take(d.forms[d.at.At-1])
		return nil, true
	case doDelete:
		return d.delete(env), false
	case doUndo:
		return d.undo(env), false
	case "esc":
		return nil, true
	}
	return nil, false
}

// keep saves what is typed, over the draft that it came from.
func (d *drafts) keep(env screen.Env) tea.Cmd {
	if !d.form.worthKeeping() {
		return screen.Request(screen.Toast{Line: canvas.Text("The form is empty: there is nothing to save")})
	}
	if f, held := d.form.holdsKey(); held {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text("Not saved: " + f.name() + " holds a private key; delete it")})
	}
	account, req := unsent(d.form, env)
	old := d.form.draft
	return d.tasks.Start(env, "keep", askLimit, func(ctx context.Context) (any, error) {
		return save(ctx, d.keeper, account, req, old)
	})
}

// save keeps a form in place of the draft that it came from; 0 is none.
func save(ctx context.Context, keeper Keeper, account ledger.AccountID, req build.TransferParams, old int64) (int64, error) {
	number, err := keeper.Save(ctx, account, req)
	if err == nil && old != 0 {
		err = keeper.Drop(ctx, old)
	}
	return number, err
}

// kept takes the end of keep. It empties the form when the draft was saved; leave
// reports so.
func (d *drafts) kept(msg screen.Result) (cmd tea.Cmd, leave bool) {
	if msg.Err != nil {
		d.fault = advice.Said(msg.Err)
		return nil, false
	}
	d.form.forget()
	return screen.Request(
		screen.Toast{Line: canvas.In(theme.OK, theme.SignDone+" Saved as a draft, encrypted with the wallet; d shows it")},
	), true
}

// take fills the form with a draft. It is kept until it is sent or deleted.
func (d *drafts) take(saved draft.Draft) {
	r := saved.Request
	d.form.fill(Form{To: r.To, Amount: r.Amount, Asset: r.Asset, Memo: r.Memo, Plain: r.Plain})
	d.form.draft, d.form.typing = saved.Number, true
}

// delete drops the draft in focus and lists the rest again.
func (d *drafts) delete(env screen.Env) tea.Cmd {
	i := d.at.At - 1
	if i < 0 || i >= len(d.forms) {
		return nil
	}
	number := d.forms[i].Number
	d.gone = append(d.gone, d.forms[i])
	if d.form.draft == number {
		d.form.draft = 0
	}
	return d.drop(env, number, "dropped")
}

// undo keeps the draft again that was deleted last.
func (d *drafts) undo(env screen.Env) tea.Cmd {
	n := len(d.gone) - 1
	if n < 0 {
		return screen.NotNow("no draft was deleted here")
	}
	account, req := env.Account.ID, d.gone[n].Request
	d.gone = d.gone[:n]
	return d.tasks.Start(env, "dropped", askLimit, func(ctx context.Context) (any, error) { return d.keeper.Save(ctx, account, req) })
}

// drop deletes a draft; its result has the topic.
func (d *drafts) drop(env screen.Env, number int64, topic string) tea.Cmd {
	return d.tasks.Start(env, topic, askLimit, func(ctx context.Context) (any, error) { return nil, d.keeper.Drop(ctx, number) })
}
