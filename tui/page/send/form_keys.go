package send

import (
	"cmp"
	"strings"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/paylink"

	tea "github.com/charmbracelet/bubbletea"
)

// What a click in the form can hit.
const (
	clickField = iota
	clickSuggestion
	clickRow // of a table
)

// doFind finds a contact for the payment.
const doFind action.ID = "send.contacts"

// chooseGroup is the row of the help for the keys that choose.
const chooseGroup = "↑↓|choose a suggestion or an asset"

// formPlaces returns the keys of the form, while a field has the keyboard and while none has.
func formPlaces() []action.Place {
	return []action.Place{
		{ID: "send.type", Title: "Send form, typing", Actions: []action.Action{
			{ID: "next", Keys: []string{"tab"}, Word: "next", Help: "next field", Hint: 1, Typing: true},
			{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "previous field", Typing: true},
			{ID: "send.review", Keys: []string{"ctrl+s"}, Word: "review", Help: "build the payment and review it", Hint: 2, Typing: true},
			{ID: doFind, Keys: []string{"ctrl+o"}, Word: "contacts", Help: "find a contact", Hint: 3, Typing: true},
			{ID: "send.most", Keys: []string{"ctrl+g"}, Word: "max", Help: "the whole balance, less the fee", Hint: 4, Typing: true},
			{ID: "send.kind", Keys: []string{"ctrl+t"}, Word: "memo kind", Help: "memo encrypted, plain", Hint: 5, Typing: true},
			{ID: "send.clear", Keys: []string{"ctrl+x"}, Word: "clear", Help: "clear the form; again brings it back", Hint: 6, Typing: true},
			{ID: doSeveral, Keys: []string{"ctrl+n"}, Word: "several", Help: "pay several: a table of names and amounts", Hint: 7, Typing: true},
			{ID: "enter", Keys: []string{"enter"}, Help: "accept the suggestion, next field; in the memo: review", Typing: true},
			{ID: "send.up", Keys: []string{"up"}, Help: "previous suggestion or asset", Group: chooseGroup, Typing: true},
			{ID: "send.down", Keys: []string{"down"}, Help: "next suggestion or asset", Group: chooseGroup, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Help: "leave the field, keep its text", Typing: true},
		}},
		tablePlace(),
		{ID: "send.form", Title: "Send form", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "edit", Help: "edit the field", Hint: 1},
			{ID: "send.edit", Keys: []string{"i"}, Help: "edit the field"},
			{ID: "send.review", Keys: []string{"s", "ctrl+s"}, Word: "review", Help: "build the payment and review it", Hint: 2},
			{ID: "send.drafts", Keys: []string{"d"}, Word: "drafts", Help: "drafts: save the form, or use a saved one", Hint: 3},
			{ID: doFind, Keys: []string{"ctrl+o"}, Help: "find a contact"},
			{ID: doSeveral, Keys: []string{"ctrl+n"}, Word: "several", Help: "pay several: a table of names and amounts", Hint: 5},
			{ID: "send.clear", Keys: []string{"x", "ctrl+x"}, Word: "clear", Help: "clear the form; again brings it back", Hint: 4},
		}},
	}
}

// tablePlace returns the keys of a table that is typed.
func tablePlace() action.Place {
	return action.Place{ID: "send.table", Title: "Send form, table", Actions: []action.Action{
		{ID: "next", Keys: []string{"tab"}, Word: "next", Help: "next field", Hint: 3, Typing: true},
		{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "previous field", Typing: true},
		{ID: "send.review", Keys: []string{"ctrl+s"}, Word: "review", Help: "build all payments and review them", Hint: 1, Typing: true},
		{ID: "enter", Keys: []string{"enter"}, Word: "new line", Help: "a new line in the table; in the other fields: the next one", Hint: 2, Typing: true},
		{ID: "send.clear", Keys: []string{"ctrl+x"}, Word: "clear", Help: "clear the form; again brings it back", Hint: 5, Typing: true},
		{ID: doSeveral, Keys: []string{"ctrl+n"}, Word: "one payment", Help: "back to a single payment", Hint: 4, Typing: true},
		{ID: "send.up", Keys: []string{"up"}, Help: "the line above", Group: "↑↓|line above, below", Typing: true},
		{ID: "send.down", Keys: []string{"down"}, Help: "the line below", Group: "↑↓|line above, below", Typing: true},
		{ID: "esc", Keys: []string{"esc"}, Help: "leave the field, keep its text", Typing: true},
	}}
}

// do performs the actions that need only the form; see Model.doForm for the others.
func (f *form) do(env screen.Env, id action.ID) tea.Cmd {
	if f.several {
		if cmd, done := f.doTable(env, id); done {
			return cmd
		}
	}
	switch id {
	case doSeveral:
		return tea.Batch(f.switchSeveral(), f.searchAccounts(env))
	case "next", "down":
		return f.leaveField(env, 1)
	case "prev", "up":
		return f.leaveField(env, -1)
	case "send.up":
		f.choose(env, -1)
	case "send.down":
		f.choose(env, 1)
	case "send.edit":
		f.typing = true
	case doFind:
		return screen.Request(screen.FindContact{})
	case "send.most":
		f.fillMaxAmount()
	case "send.kind":
		f.plain = !f.plain
	case "send.clear":
		return f.clear()
	case "enter":
		return f.enter(env)
	case "esc":
		if !f.typing {
			return screen.Request(screen.Back{})
		}
		f.typing = false
	}
	return nil
}

// doTable performs an action that a table has in its own way.
func (f *form) doTable(env screen.Env, id action.ID) (cmd tea.Cmd, done bool) {
	to, inRows := &f.fields[fieldTo], f.typing && f.focus == fieldTo
	row, _ := to.Row()
	switch {
	case id == "send.most", id == "send.kind", id == doFind:
		return screen.NotNow("a table has that in its lines"), true
	case id == "enter" && inRows:
		to.Insert("\n")
	case id == "send.up" && inRows:
		to.GoToRow(row - 1)
	case id == "send.down" && inRows:
		to.GoToRow(row + 1)
	default:
		return nil, false
	}
	return f.lookUpNames(env, false), true
}

// leaveField goes to another field. If a payment link was typed, the form is filled from it.
func (f *form) leaveField(env screen.Env, by int) tea.Cmd {
	link := f.takeLink()
	f.moveFocus(by)
	if link {
		return nil
	}
	return f.retrySearch(env)
}

// moveFocus goes to another field. In the field of the asset, what is typed next replaces it.
func (f *form) moveFocus(by int) {
	f.focus = (f.focus + fieldID(by) + fieldCount) % fieldCount
	for !f.shows(f.focus) {
		f.focus = (f.focus + fieldID(by) + fieldCount) % fieldCount
	}
	f.suggestionCursor = list.Cursor{}
	if f.focus == fieldAsset {
		f.fields[fieldAsset].Select()
	}
}

// choose moves through the suggestions, or steps through the assets that the account holds.
func (f *form) choose(env screen.Env, by int) {
	switch f.focus {
	case fieldTo:
		f.suggestionCursor.Move(by, len(f.suggestions(env)))
	case fieldAsset:
		f.stepAsset(by)
	default:
		f.moveFocus(by)
	}
}

func (f *form) stepAsset(by int) {
	n := len(f.funds.balances)
	if n == 0 {
		return
	}
	at := 0
	now, _ := f.balance()
	for i, b := range f.funds.balances {
		if b.Asset.ID == now.Asset.ID {
			at = i + by
		}
	}
	f.fields[fieldAsset].Set(f.funds.balances[(at+n)%n].Asset.Symbol)
}

// clear empties the form; done again, it brings the text back.
func (f *form) clear() tea.Cmd {
	was, empty := cleared{f.typed(), f.origin}, emptyForm()
	empty.Proposes = f.proposes
	if f.cleared != nil && was.text == empty {
		f.set(f.cleared.text)
		f.origin, f.cleared = f.cleared.origin, nil
		return screen.Request(screen.Toast{Urgent: true, Here: true, Line: canvas.Text("What was cleared is back")})
	}
	lost := f.worthKeeping()
	f.fill(empty)
	if f.focus, f.fault = fieldTo, ""; !lost {
		return nil
	}
	f.cleared = &was
	return screen.Request(screen.Toast{Urgent: true, Here: true, Line: canvas.Text("Cleared; ctrl+x brings it back")})
}

// enter goes into the field, or on to the next one.
func (f *form) enter(env screen.Env) tea.Cmd {
	if !f.typing {
		f.typing = true
		return nil
	}
	var cmd tea.Cmd
	if f.focus == fieldTo {
		if _, ok, _ := f.recipient(env); !f.takeLink() && !ok {
			cmd = f.takeSuggestion(env)
		}
	}
	f.moveFocus(1)
	return cmd
}

// takeSuggestion fills in the suggestion in focus.
func (f *form) takeSuggestion(env screen.Env) tea.Cmd {
	s := f.suggestions(env)
	if at := f.suggestionCursor.At; at < len(s) {
		f.fields[fieldTo].Set(s[at].Name)
		return f.searchAccounts(env)
	}
	return nil
}

// setRecipient fills in an account as the recipient; the rest stays.
func (f *form) setRecipient(env screen.Env, a ledgerview.AccountRef) tea.Cmd {
	if f.several {
		f.fields[fieldTo].Insert(a.Name + " ")
		f.fault, f.focus, f.typing = "", fieldTo, true
		return f.lookUpNames(env, false)
	}
	f.fields[fieldTo].Set(a.Name)
	f.fault, f.suggestionCursor, f.focus, f.typing = "", list.Cursor{}, fieldAmount, true
	return f.searchAccounts(env)
}

// typeKey types a key into the field in focus.
func (f *form) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	if !f.fields[f.focus].Key(k) {
		return nil
	}
	if f.focus == fieldTo && !f.several && !f.proposes && isTable(f.text(fieldTo)) { // several recipients were pasted
		f.switchSeveral()
	}
	f.table.refused = nil
	f.fault, f.recipients.reportedMissing = "", false
	var unsay tea.Cmd
	if f.cleared != nil { // from now on, ctrl+x does not bring the cleared text back
		unsay = screen.Request(screen.ClearToast{})
	}
	switch f.focus {
	case fieldTo:
		f.suggestionCursor = list.Cursor{}
		if f.several {
			return tea.Batch(unsay, f.lookUpNames(env, k.Paste))
		}
		if k.Paste && f.takeLink() {
			return unsay
		}
		return tea.Batch(unsay, f.searchAccounts(env))
	case fieldAmount:
		f.takeSymbol()
	case fieldAsset:
		return tea.Batch(unsay, f.checkAsset(env))
	}
	return unsay
}

// click puts the focus on a field, or takes a suggestion.
func (f *form) click(env screen.Env, c screen.Click) tea.Cmd {
	switch c.Panel {
	case clickField:
		f.focus, f.typing = fieldID(c.At), true
	case clickRow:
		f.focus, f.typing = fieldTo, true
		f.fields[fieldTo].EndOfRow(c.At)
		return f.lookUpNames(env, false)
	case clickSuggestion:
		f.suggestionCursor.Jump(c.At, len(f.suggestions(env)))
		return f.takeSuggestion(env)
	}
	return nil
}

// takeLink reports whether the field of the recipient, which must have the focus, holds a payment link, from which the form is then
// filled. Nothing in it is trusted more than what is typed.
func (f *form) takeLink() bool {
	text := f.text(fieldTo)
	if f.focus != fieldTo || f.several || !paylink.Is(text) {
		return false
	}
	link, err := paylink.Parse(text)
	if err != nil {
		return false // problem shows why
	}
	f.link = &Form{To: link.To, Amount: link.Amount, Memo: link.Memo, Plain: f.plain, Proposes: f.proposes,
		Asset: cmp.Or(strings.ToUpper(link.Asset), emptyForm().Asset)}
	return true
}

// linkProblem returns why the form is not filled from a payment link yet.
func linkProblem(text string) string {
	if _, err := paylink.Parse(text); err != nil {
		return err.Error()
	}
	return "tab takes over the payment link"
}
