package send

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/draft"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doDelete action.ID = "drafts.delete"
	doUndo   action.ID = "drafts.undo"
)

const (
	topicList   = "drafts"
	topicKeep   = "keep"
	topicChange = "change of a draft"
)

// drafts is the list of kept forms. Its first row keeps what is typed now.
type drafts struct {
	keeper Keeper
	tasks  *screen.Tasks
	form   *form
	aside  *aside

	read  bool
	forms []draft.Draft
	at    list.Cursor
	fault string
	back  []int64                              // the numbers of the drafts that came back since the list was read, the latest last
	todo  []change                             // one after the other
	gone  map[ledger.AccountID][]draft.Dropped // that were deleted since the program started, the latest last
}

// change is what becomes of a draft.
type change struct {
	account ledger.AccountID
	number  int64       // is deleted; 0: what was deleted last comes back
	said    canvas.Line // what is deleted

	dropped  draft.Dropped
	restored int64 // its number
}

func newDrafts(aside *aside) drafts {
	return drafts{keeper: aside.keeper, tasks: aside.tasks, form: aside.form, aside: aside, gone: map[ledger.AccountID][]draft.Dropped{}}
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
	d.read, d.forms, d.at, d.fault = false, nil, list.Cursor{}, ""
	return d.list(env)
}

// list reads them again, as far as anybody may.
func (d *drafts) list(env screen.Env) tea.Cmd {
	account := env.Account.ID
	if !env.Unlocked() {
		d.form.drafts = 0
		return nil
	}
	return d.tasks.Start(env, topicList, askLimit, func(ctx context.Context) (any, error) { return d.keeper.List(ctx, account) })
}

// listed takes the list.
func (d *drafts) listed(env screen.Env, msg screen.Result) {
	if d.read = true; msg.Err != nil {
		d.fault = advice.Said(msg.Err)
		return
	}
	d.forms = msg.Body.([]draft.Draft)
	d.form.drafts = len(d.forms)
	for i, f := range d.forms {
		if !slices.Contains(d.back, f.Number) {
			continue
		}
		isDraft(d.form, env.Account.ID, f)
		if f.Number == d.back[len(d.back)-1] {
			d.at.At = i + 1
		}
	}
	d.back = nil
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
		return d.take(env, d.forms[d.at.At-1]), true
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
	typed := d.form.typed()
	old := d.form.draftOf(typed)
	return d.tasks.Start(env, topicKeep, askLimit, func(ctx context.Context) (any, error) {
		number, err := Save(ctx, d.keeper, account, req, old)
		return kept{number, typed}, err
	})
}

// kept takes the end of keep. It empties the form when the draft was saved; leave
// reports so.
func (d *drafts) kept(env screen.Env, msg screen.Result) (cmd tea.Cmd, leave bool) {
	if msg.Err != nil {
		d.fault = advice.Said(msg.Err)
		return nil, false
	}
	if k := msg.Body.(kept); d.form.typed() != k.typed { // it was typed on meanwhile
		d.form.draft, d.form.given = k.number, k.typed
		return nil, true
	}
	said := " Saved as a draft" + d.form.ofOther(env) + ", encrypted with the wallet; d on Send shows it"
	d.form.forget()
	return tea.Batch(d.list(env), screen.Request(screen.Toast{Here: true, Line: canvas.In(theme.OK, theme.SignDone+said)})), true
}

// take fills the form with a draft. It is kept until it is sent or deleted.
func (d *drafts) take(env screen.Env, saved draft.Draft) tea.Cmd {
	text := textOf(saved.Request)
	return d.aside.replace(env, filling{text: text, origin: origin{owner: env.Account, draft: saved.Number, given: text}})
}

// off is why a draft cannot be deleted or brought back.
func (d *drafts) off(env screen.Env, id action.ID) string {
	_, busy := d.tasks.Busy(topicChange)
	switch {
	case id == doUndo && len(d.gone[env.Account.ID]) == 0 && !busy:
		return "no draft was deleted here"
	case id == doDelete && d.read && len(d.forms) == 0:
		return "there is no draft"
	case id == doDelete && d.at.At == 0:
		return "the first row is what is typed now, and no draft"
	}
	return ""
}

// delete drops the draft in focus. Its row goes at once: the next X is for the next one.
func (d *drafts) delete(env screen.Env) tea.Cmd {
	i := d.at.At - 1
	if why := d.off(env, doDelete); why != "" || i >= len(d.forms) {
		return screen.NotNow(why)
	}
	gone := d.forms[i]
	d.forms = slices.Delete(slices.Clone(d.forms), i, i+1)
	d.jump(d.at.At)
	return d.then(env, change{account: env.Account.ID, number: gone.Number, said: summary(gone.Request)})
}

// undo keeps the draft again that was deleted last.
func (d *drafts) undo(env screen.Env) tea.Cmd {
	if why := d.off(env, doUndo); why != "" {
		return screen.NotNow(why)
	}
	return d.then(env, change{account: env.Account.ID})
}

// then makes a change once those before it are made.
func (d *drafts) then(env screen.Env, c change) tea.Cmd {
	d.todo = append(d.todo, c)
	if _, busy := d.tasks.Busy(topicChange); busy {
		return nil
	}
	return d.next(env)
}

// next makes the next change, or lists what is left of all.
func (d *drafts) next(env screen.Env) tea.Cmd {
	if len(d.todo) == 0 {
		return d.list(env)
	}
	c := d.todo[0]
	d.todo = d.todo[1:]
	gone := d.gone[c.account]
	if c.number == 0 && len(gone) == 0 {
		return d.next(env)
	}
	return d.tasks.Start(env, topicChange, askLimit, func(ctx context.Context) (any, error) {
		var err error
		if c.number != 0 {
			c.dropped, err = d.keeper.Drop(ctx, c.number)
			return c, err
		}
		c.restored, err = d.keeper.Restore(ctx, c.account, gone[len(gone)-1])
		return c, err
	})
}

// changed takes the end of a change, and makes the next one.
func (d *drafts) changed(env screen.Env, msg screen.Result) tea.Cmd {
	c, gone := msg.Body.(change), d.gone
	said := screen.Toast{Bad: true, Line: canvas.Text(advice.Said(msg.Err))}
	switch list := gone[c.account]; {
	case msg.Err != nil:
		d.todo = nil
	case c.number == 0:
		gone[c.account], d.back = list[:len(list)-1], append(d.back, c.restored)
		said = screen.Toast{Here: true, Line: canvas.In(theme.OK, theme.SignDone+" The draft is back")}
	case c.dropped == (draft.Dropped{}):
		said = screen.Toast{Here: true, Line: canvas.Text("It was deleted already")}
	default:
		gone[c.account] = append(list, c.dropped)
		isNoDraft(d.form, c.number)
		said = screen.Toast{Here: true, Of: screen.Send, Line: canvas.Join(canvas.Text("Deleted, u brings it back: "), c.said)}
	}
	return tea.Batch(d.next(env), screen.Request(said))
}

// isDraft notes that what is typed is a draft of an account again that came back, where it is.
func isDraft(f *form, of ledger.AccountID, back draft.Draft) {
	if text := textOf(back.Request); f.draft == 0 && f.owner.ID == of && f.typed() == text {
		f.draft, f.given = back.Number, text
	}
}

// isNoDraft notes that a draft was deleted, which what is typed may be of.
func isNoDraft(f *form, number int64) {
	of := []*origin{&f.origin}
	if f.cleared != nil {
		of = append(of, &f.cleared.origin)
	}
	for _, o := range of {
		if o.draft == number {
			o.draft, o.kept, o.given = 0, false, Form{}
		}
	}
}
