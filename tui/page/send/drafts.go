package send

import (
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/format"
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
	topicStop   = "a draft that waits no longer"
)

// drafts is the list of saved forms. Its first row saves what is typed now.
type drafts struct {
	keeper   Keeper
	tasks    *screen.Tasks
	form     *form
	replacer *replacer

	loaded   bool
	saved    []draft.Draft
	cursor   list.Cursor
	fault    string
	restored []int64                              // the numbers of the drafts restored since the list was read, the latest last
	queue    []draftChange                        // changes to make, one after the other
	deleted  map[ledger.AccountID][]draft.Dropped // since the program started, the latest last
}

// draftChange is the deletion or restoration of a draft.
type draftChange struct {
	account ledger.AccountID
	number  int64       // the draft to delete; 0: the one deleted last is restored
	text    canvas.Line // what is deleted, in one line

	dropped  draft.Dropped
	restored int64 // the number of the restored draft
}

func newDrafts(by *replacer) drafts {
	return drafts{keeper: by.keeper, tasks: by.tasks, form: by.form, replacer: by,
		deleted: map[ledger.AccountID][]draft.Dropped{}}
}

func draftsPlace() action.Place {
	return action.Place{ID: "send.drafts", Title: "Drafts", Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "take it", Help: "fill the form with the draft, or save the form", Hint: 1},
		{ID: doDelete, Keys: []string{"X"}, Word: "delete", Help: "delete the draft in focus", Hint: 2, Money: true},
		{ID: doUndo, Keys: []string{"u"}, Word: "undo", Help: "bring back the draft that was deleted last", Hint: 4},
		{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form", Hint: 3, Typing: true},
	}}
}

// open starts reading the drafts of the account.
func (d *drafts) open(env screen.Env) tea.Cmd {
	d.loaded, d.saved, d.cursor, d.fault = false, nil, list.Cursor{}, ""
	return d.readList(env)
}

// readList starts reading the drafts again, if the wallet is unlocked.
func (d *drafts) readList(env screen.Env) tea.Cmd {
	account := env.Account.ID
	if !env.Unlocked() {
		d.form.draftCount = 0
		return nil
	}
	return d.tasks.Start(env, topicList, readLimit, func(ctx context.Context) (any, error) { return d.keeper.List(ctx, account) })
}

// applyList shows the list that was read.
func (d *drafts) applyList(env screen.Env, msg screen.Result) {
	if d.loaded = true; msg.Err != nil {
		d.fault = advice.Sentence(msg.Err)
		return
	}
	d.saved = msg.Body.([]draft.Draft)
	d.form.draftCount = len(d.saved)
	for i, f := range d.saved {
		if !slices.Contains(d.restored, f.Number) {
			continue
		}
		d.form.linkRestored(env.Account.ID, f)
		if f.Number == d.restored[len(d.restored)-1] {
			d.cursor.At = i + 1
		}
	}
	d.restored = nil
	d.jump(d.cursor.At)
}

func (d *drafts) jump(row int) { d.cursor.Pick(row, len(d.saved)+1) }

// do performs an action of the list; leave reports whether the form is shown next.
func (d *drafts) do(env screen.Env, id action.ID) (cmd tea.Cmd, leave bool) {
	if d.cursor.Do(id, len(d.saved)+1) {
		return nil, false
	}
	switch id {
	case "enter":
		if d.cursor.At == 0 {
			return d.saveForm(env), false
		}
		if taken := d.saved[d.cursor.At-1]; taken.Leaves() {
			return d.stopWaiting(env, taken), false
		}
		return d.fillFrom(env, d.saved[d.cursor.At-1]), true
	case doDelete:
		return d.deleteFocused(env), false
	case doUndo:
		return d.undo(env), false
	case "esc":
		return nil, true
	}
	return nil, false
}

// saveForm starts saving what is typed, in place of the draft that it came from.
func (d *drafts) saveForm(env screen.Env) tea.Cmd {
	if !d.form.worthKeeping() {
		return screen.Request(screen.Toast{Line: canvas.Text("The form is empty: there is nothing to save")})
	}
	if f, secret := d.form.secret(); secret != "" {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text("Not saved: " + f.name() + " holds " + secret + "; take that out of it")})
	}
	account, what := d.form.typedByOwner(env)
	typed := d.form.typed()
	old := d.form.draftOf(typed)
	return d.tasks.Start(env, topicKeep, readLimit, func(ctx context.Context) (any, error) {
		number, err := Save(ctx, d.keeper, account, what, old)
		return savedForm{number, typed}, err
	})
}

// applySaved takes the end of saveForm. If the draft was saved, it empties the form, and leave
// reports that the form is shown next.
func (d *drafts) applySaved(env screen.Env, msg screen.Result) (cmd tea.Cmd, leave bool) {
	if msg.Err != nil {
		d.fault = advice.Sentence(msg.Err)
		return nil, false
	}
	if k := msg.Body.(savedForm); d.form.typed() != k.form { // the person typed on meanwhile
		d.form.draft, d.form.filledWith = k.number, k.form
		return nil, true
	}
	said := " Saved as a draft" + d.form.otherOwnerText(env) + ", encrypted with the wallet; d on Send shows it"
	d.form.reset()
	return tea.Batch(d.readList(env), screen.Request(screen.Toast{Here: true, Line: canvas.In(theme.OK, theme.SignDone+said)})), true
}

// stopWaiting has a draft wait no longer, so that it does not leave while it is changed in the form.
func (d *drafts) stopWaiting(env screen.Env, taken draft.Draft) tea.Cmd {
	return d.tasks.Start(env, topicStop, readLimit, func(ctx context.Context) (any, error) {
		return taken, d.keeper.Ask(ctx, taken, "it was opened")
	})
}

// applyStopped fills the form with a draft that waits no longer; leave reports that the form is shown next.
func (d *drafts) applyStopped(env screen.Env, msg screen.Result) (cmd tea.Cmd, leave bool) {
	if msg.Err != nil {
		return tea.Batch(d.readList(env), screen.Request(screen.Toast{Bad: true, Line: canvas.Text(advice.Sentence(msg.Err))})), false
	}
	said := screen.Toast{Urgent: true, Line: canvas.Text("It waits no longer; l in its review has it wait again")}
	return tea.Batch(d.fillFrom(env, msg.Body.(draft.Draft)), screen.Request(said)), true
}

// fillFrom fills the form with a draft. The draft is kept until it is sent or deleted.
func (d *drafts) fillFrom(env screen.Env, saved draft.Draft) tea.Cmd {
	text := formOfDraft(saved)
	from := origin{owner: env.Account, draft: saved.Number, filledWith: text}
	if saved.Wait != nil {
		from.asks = format.Clean(saved.Wait.Asks)
	}
	return d.replacer.replace(env, filling{text: text, origin: from})
}

// off returns why a draft cannot be deleted or restored now; empty if it can.
func (d *drafts) off(env screen.Env, id action.ID) string {
	_, busy := d.tasks.Busy(topicChange)
	switch {
	case id == doUndo && len(d.deleted[env.Account.ID]) == 0 && !busy:
		return "no draft was deleted here"
	case id == doDelete && d.loaded && len(d.saved) == 0:
		return "there is no draft"
	case id == doDelete && d.cursor.At == 0:
		return "the first row is what is typed now, and no draft"
	}
	return ""
}

// deleteFocused deletes the draft in focus. Its row disappears at once, so that another X deletes the next one.
func (d *drafts) deleteFocused(env screen.Env) tea.Cmd {
	i := d.cursor.At - 1
	if why := d.off(env, doDelete); why != "" || i >= len(d.saved) {
		return screen.NotNow(why)
	}
	gone := d.saved[i]
	d.saved = slices.Delete(slices.Clone(d.saved), i, i+1)
	d.jump(d.cursor.At)
	return d.enqueue(env, draftChange{account: env.Account.ID, number: gone.Number, text: summary(gone)})
}

// undo restores the draft that was deleted last.
func (d *drafts) undo(env screen.Env) tea.Cmd {
	if why := d.off(env, doUndo); why != "" {
		return screen.NotNow(why)
	}
	return d.enqueue(env, draftChange{account: env.Account.ID})
}

// enqueue makes a change after those before it.
func (d *drafts) enqueue(env screen.Env, c draftChange) tea.Cmd {
	d.queue = append(d.queue, c)
	if _, busy := d.tasks.Busy(topicChange); busy {
		return nil
	}
	return d.startNext(env)
}

// startNext starts the next change, or reads the list if there is none.
func (d *drafts) startNext(env screen.Env) tea.Cmd {
	if len(d.queue) == 0 {
		return d.readList(env)
	}
	c := d.queue[0]
	d.queue = d.queue[1:]
	gone := d.deleted[c.account]
	if c.number == 0 && len(gone) == 0 {
		return d.startNext(env)
	}
	return d.tasks.Start(env, topicChange, readLimit, func(ctx context.Context) (any, error) {
		var err error
		if c.number != 0 {
			c.dropped, err = d.keeper.Drop(ctx, c.number)
			return c, err
		}
		c.restored, err = d.keeper.Restore(ctx, c.account, gone[len(gone)-1])
		return c, err
	})
}

// applyChange takes the end of a change, and starts the next one.
func (d *drafts) applyChange(env screen.Env, msg screen.Result) tea.Cmd {
	c, gone := msg.Body.(draftChange), d.deleted
	said := screen.Toast{Bad: true, Line: canvas.Text(advice.Sentence(msg.Err))}
	switch list := gone[c.account]; {
	case msg.Err != nil:
		d.queue = nil
	case c.number == 0:
		gone[c.account], d.restored = list[:len(list)-1], append(d.restored, c.restored)
		said = screen.Toast{Here: true, Line: canvas.In(theme.OK, theme.SignDone+" The draft is back")}
	case c.dropped == (draft.Dropped{}):
		said = screen.Toast{Here: true, Line: canvas.Text("It was deleted already")}
	default:
		gone[c.account] = append(list, c.dropped)
		d.form.unlinkDeleted(c.number)
		said = screen.Toast{Here: true, Of: screen.Send, Line: canvas.Join(canvas.Text("Deleted, u brings it back: "), c.text)}
	}
	return tea.Batch(d.startNext(env), screen.Request(said))
}

// linkRestored records that the form is a restored draft, if that is what is typed.
func (f *form) linkRestored(of ledger.AccountID, back draft.Draft) {
	if text := formOfDraft(back); f.draft == 0 && f.owner.ID == of && f.typed() == text {
		f.draft, f.filledWith = back.Number, text
	}
}

// unlinkDeleted records that a draft was deleted, from which the form may have been filled.
func (f *form) unlinkDeleted(number int64) {
	of := []*origin{&f.origin}
	if f.cleared != nil {
		of = append(of, &f.cleared.origin)
	}
	for _, o := range of {
		if o.draft == number {
			o.draft, o.keptSilently, o.filledWith = 0, false, Form{}
		}
	}
}

// draw draws the list.
func (d *drafts) draw(env screen.Env, a canvas.Area) {
	title, keys := "Drafts of "+format.Account(env.Account).String(), canvas.In(theme.Muted, d.keysText(env))
	in := panel(env, a, title, time.Time{}, canvas.In(theme.Muted, format.Count(len(d.saved))), keys)
	switch {
	case d.fault != "":
		for i, l := range canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(d.fault)).Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	case !d.loaded:
		in.Put(2, 0, canvas.In(theme.Pending, env.Spinner()+" Reading drafts"))
		return
	}
	at := d.cursor
	first, end := at.Window(len(d.saved)+1, in.H, list.OneLine)
	for i := first; i < end; i++ {
		in.Put(2, i-first, d.rowLine(env, i))
		if i == at.At {
			in.Put(0, i-first, canvas.In(theme.Focus, theme.SignRow))
			in.Tint(i-first, theme.SelectBg)
		}
		in.Row(i - first).Zone(screen.Click{At: i})
	}
	list.Scroll(in, first, end-first, len(d.saved)+1)
}

// keysText returns the keys that do something now.
func (d *drafts) keysText(env screen.Env) string {
	said := "↵ use"
	if d.off(env, doDelete) == "" {
		said += " · X delete"
	}
	if d.off(env, doUndo) == "" {
		said += " · u undo"
	}
	return said + " · esc back"
}

func (d *drafts) rowLine(env screen.Env, i int) canvas.Line {
	if i == 0 {
		if !d.form.worthKeeping() {
			return canvas.In(theme.Muted, "The form is empty: its text could be saved here")
		}
		_, typed := d.form.typedByOwner(env)
		what := canvas.Text("the form" + d.form.otherOwnerText(env) + ": ")
		return canvas.Join(canvas.Bold(theme.Key, "Save "), what, summary(typed))
	}
	f := d.saved[i-1]
	if said := WaitText(env, f); said != "" {
		return canvas.Join(canvas.Bold(theme.Warn, said+"  "), summary(f))
	}
	return canvas.Join(canvas.In(theme.Muted, "Draft of "+env.Times().Moment(ledger.TimeOf(f.Saved), false)+" "+env.Times().Zone(f.Saved)+"  "), summary(f))
}
