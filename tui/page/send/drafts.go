package send

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// Keeper keeps what was typed for later; it needs no node.
type Keeper interface {
	SaveForm(ctx context.Context, account ledger.AccountID, req walletcore.TransferRequest) (int64, error)
	SavedForms(ctx context.Context, account ledger.AccountID) ([]walletcore.SavedForm, error)
	DropForm(ctx context.Context, number int64) error
}

const doDelete action.ID = "drafts.delete"

// drafts is the list of kept forms. Its first row keeps what is typed now.
type drafts struct {
	read  bool
	forms []walletcore.SavedForm
	at    list.Cursor
	fault string
}

func draftKeys() action.Place {
	return action.Place{ID: "send.drafts", Title: "Drafts", Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "take it", Help: "fill the form with the draft, or keep what is typed", Hint: 1},
		{ID: doDelete, Keys: []string{"X"}, Word: "delete", Help: "delete the draft in focus", Hint: 2, Money: true},
		{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form", Hint: 3, Typing: true},
	}}
}

// openDrafts shows what is kept for the account.
func (m *Model) openDrafts(env screen.Env) tea.Cmd {
	if !env.Unlocked() { // they are encrypted with the wallet
		return screen.Request(screen.NeedUnlock{Back: screen.Send})
	}
	m.stage, m.drafts = stageDrafts, drafts{}
	return m.readDrafts(env)
}

func (m *Model) readDrafts(env screen.Env) tea.Cmd {
	account := env.Account.ID
	return m.tasks.Start(env, "drafts", askLimit, func(ctx context.Context) (any, error) { return m.core.SavedForms(ctx, account) })
}

// draftsRead takes the list.
func (m *Model) draftsRead(msg screen.Result) {
	d := &m.drafts
	if d.read = true; msg.Err != nil {
		d.fault = advice.Said(msg.Err)
		return
	}
	d.forms = msg.Body.([]walletcore.SavedForm)
	d.at.Jump(d.at.At, len(d.forms)+1)
}

// typed reports whether the form holds something worth keeping.
func (m *Model) typed() bool {
	f := m.Form()
	return f.To != "" || f.Amount != "" || f.Memo != ""
}

func (m *Model) doDrafts(env screen.Env, id action.ID) tea.Cmd {
	d := &m.drafts
	switch id {
	case "up":
		d.at.Move(-1, len(d.forms)+1)
	case "down":
		d.at.Move(1, len(d.forms)+1)
	case "first":
		d.at.Jump(0, len(d.forms)+1)
	case "last":
		d.at.Jump(len(d.forms), len(d.forms)+1)
	case "enter":
		if d.at.At == 0 {
			return m.keep(env)
		}
		m.takeDraft(d.forms[d.at.At-1])
	case doDelete:
		return m.deleteDraft(env)
	case "esc":
		m.stage = stageForm
	}
	return nil
}

// keep saves what is typed, over the draft that it came from.
func (m *Model) keep(env screen.Env) tea.Cmd {
	if !m.typed() {
		return screen.Request(screen.Toast{Line: canvas.Text("The form is empty: there is nothing to keep")})
	}
	for f := range m.fields {
		if m.fields[f].HoldsKey() {
			return screen.Request(screen.Toast{Bad: true, Line: canvas.Text("Not kept: " + fieldID(f).name() + " holds a private key; delete it")})
		}
	}
	account, req, old := env.Account.ID, m.request(env), m.draftOf
	return m.tasks.Start(env, "keep", askLimit, func(ctx context.Context) (any, error) {
		number, err := m.core.SaveForm(ctx, account, req)
		if err == nil && old != 0 {
			err = m.core.DropForm(ctx, old)
		}
		return number, err
	})
}

// kept tells how saving went and goes back to an empty form.
func (m *Model) kept(msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		m.drafts.fault = advice.Said(msg.Err)
		return nil
	}
	m.stage = stageForm
	m.forget()
	return screen.Request(screen.Toast{Line: canvas.In(theme.OK, theme.SignDone+" Kept as a draft, encrypted with the wallet; d shows it")})
}

// takeDraft fills the form with a draft. It is kept until it is sent or deleted.
func (m *Model) takeDraft(f walletcore.SavedForm) {
	m.Restore(Form{To: f.Request.To, Amount: f.Request.Amount, Asset: f.Request.Asset, Memo: f.Request.Memo, Plain: f.Request.Plain})
	m.stage, m.draftOf, m.typing = stageForm, f.Number, true
}

func (m *Model) deleteDraft(env screen.Env) tea.Cmd {
	i := m.drafts.at.At - 1
	if i < 0 || i >= len(m.drafts.forms) {
		return nil
	}
	number := m.drafts.forms[i].Number
	if m.draftOf == number {
		m.draftOf = 0
	}
	return m.dropThen(env, number, "dropped")
}

// dropThen deletes a draft; the answer has the topic.
func (m *Model) dropThen(env screen.Env, number int64, topic string) tea.Cmd {
	return m.tasks.Start(env, topic, askLimit, func(ctx context.Context) (any, error) { return nil, m.core.DropForm(ctx, number) })
}

func (m *Model) drawDrafts(env screen.Env, a canvas.Area) {
	d := &m.drafts
	title, keys := "Drafts of "+format.Account(env.Account).String(), canvas.In(theme.Muted, "↵ take it · X delete · esc back")
	in := panel(env, a, title, time.Time{}, canvas.In(theme.Muted, format.Count(len(d.forms))), keys)
	switch {
	case d.fault != "":
		for i, l := range canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(d.fault)).Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	case !d.read:
		in.Put(2, 0, canvas.In(theme.Pending, theme.SpinnerFrame(env.Tick)+" Reading drafts"))
		return
	}
	at := d.at
	first, end := at.Window(len(d.forms)+1, in.H, list.One)
	for i := first; i < end; i++ {
		in.Put(2, i-first, m.draftRow(env, i))
		if i == at.At {
			in.Put(0, i-first, canvas.In(theme.Focus, theme.SignRow))
			in.Tint(i-first, theme.SelectBg)
		}
		in.Row(i - first).Zone(screen.Click{Panel: clickDraft, At: i})
	}
	in.Scroll(first, end-first, len(d.forms)+1)
}

func (m *Model) draftRow(env screen.Env, i int) canvas.Line {
	if i == 0 {
		if !m.typed() {
			return canvas.In(theme.Muted, "The form is empty: what is typed there can be kept here")
		}
		return canvas.Join(canvas.Bold(theme.Key, "Keep "), canvas.Text("what is typed now: "), summary(m.request(env)))
	}
	f := m.drafts.forms[i-1]
	return canvas.Join(canvas.In(theme.Muted, "Draft of "+draftTime(f.Saved, env.Now)+"  "), summary(f.Request))
}

func draftTime(at, now time.Time) string {
	return format.Moment(ledger.TimeOf(at), now, false)
}

// summary is a form in one line, as it was typed.
func summary(r walletcore.TransferRequest) canvas.Line {
	or := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		if ledger.HoldsWIF(text) {
			return "(a private key)"
		}
		return format.Clean(text)
	}
	return canvas.Text(or(r.Amount, "no amount") + " " + or(r.Asset, "DCT") + " " + theme.SignOut + " " + or(r.To, "nobody yet"))
}
