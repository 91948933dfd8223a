package receive

import (
	"strings"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doCode   action.ID = "receive.code"
	doInvert action.ID = "receive.invert"
	doEdit   action.ID = "receive.edit"
	doClear  action.ID = "receive.clear"
	doSave   action.ID = "receive.save"
)

// Places returns the page's keys: the usual ones, those while a field has the keyboard, and
// those with the code alone.
func Places() []action.Place {
	invert := action.Action{ID: doInvert, Keys: []string{"i"}, Word: "invert", Help: "swap dark and light of the QR code", Hint: 4}
	return []action.Place{
		{ID: "receive", Title: "Receive", Actions: []action.Action{
			{ID: doEdit, Keys: []string{"e"}, Word: "ask for an amount", Help: "ask for an asset, an amount, a memo", Hint: 1},
			{ID: doCode, Keys: []string{"o"}, Word: "QR alone", Help: "the QR code on the whole page", Hint: 2},
			{ID: doSave, Keys: []string{"s"}, Word: "save", Help: "save the QR code as an SVG file", Hint: 3},
			invert,
			{ID: doClear, Keys: []string{"ctrl+x"}, Help: "clear the request"},
			{ID: "enter", Keys: []string{"enter"}, Help: "open the payment in focus in History"},
			{ID: "esc", Keys: []string{"esc"}, Help: "back to Home", Typing: true},
		}},
		{ID: "receive.type", Title: "Receive, typing", Actions: []action.Action{
			{ID: "next", Keys: []string{"tab"}, Word: "next", Help: "next field", Hint: 1, Typing: true},
			{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "previous field", Typing: true},
			{ID: "receive.down", Keys: []string{"down"}, Help: "next field", Typing: true},
			{ID: "receive.up", Keys: []string{"up"}, Help: "previous field", Typing: true},
			{ID: "enter", Keys: []string{"enter"}, Word: "done", Help: "next field; in the last: done", Hint: 2, Typing: true},
			{ID: doClear, Keys: []string{"ctrl+x"}, Word: "clear", Help: "clear the request", Hint: 3, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "done", Help: "leave the field, keep its text", Hint: 4, Typing: true},
		}},
		{ID: "receive.code", Title: "QR code", Actions: []action.Action{
			invert,
			{ID: doSave, Keys: []string{"s"}, Word: "save", Help: "save the QR code as an SVG file", Hint: 3},
			{ID: doCode, Keys: []string{"o", "enter"}, Word: "back", Help: "back to the page", Hint: 1},
			{ID: "esc", Keys: []string{"esc"}, Help: "back to the page", Typing: true},
		}},
	}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	switch {
	case len(env.Accounts) == 0 && (do == doEdit || do == doCode || do == doSave):
		return "this wallet has no account yet"
	case do == doCode && env.ASCII:
		return "a QR code needs a terminal with UTF-8"
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if m.typing {
		return m.doTyping(env, id)
	}
	if m.cursor.Do(id, len(m.incoming)) {
		return nil
	}
	switch id {
	case "next", "prev":
		m.focus = (m.focus + 1) % panels
	case "refresh":
		m.tasks.Forget("incoming")
		return m.readIncoming(env)
	case "enter":
		return m.enter(env)
	case "esc":
		if m.codeAlone {
			m.codeAlone = false
			return nil
		}
		return screen.Request(screen.Back{})
	case doEdit, doCode, doInvert, doClear, doSave:
		return m.perform(env, id)
	}
	return nil
}

// perform does what the page's own keys mean.
func (m *Model) perform(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return screen.NotNow(why)
	}
	switch id {
	case doEdit:
		m.focus, m.typing, m.cursor.At, m.request.focusField = panelRequest, true, 0, fieldAmount
	case doCode:
		m.codeAlone = !m.codeAlone
	case doInvert:
		m.inverted = !m.inverted
	case doClear:
		m.request.clear()
	case doSave:
		return m.save(env)
	}
	return nil
}

// enter edits the request, or opens the payment in focus.
func (m *Model) enter(env screen.Env) tea.Cmd {
	switch {
	case m.focus == panelRequest:
		return m.perform(env, doEdit)
	case m.cursor.At < len(m.incoming):
		return screen.Request(screen.Navigate{To: screen.History, With: m.incoming[m.cursor.At].ID})
	}
	return nil
}

func (m *Model) doTyping(env screen.Env, id action.ID) tea.Cmd {
	turn := func(by int) { m.request.focusField = (m.request.focusField + fieldID(by) + fieldCount) % fieldCount }
	switch id {
	case "next", "receive.down":
		turn(1)
	case "prev", "receive.up":
		turn(-1)
	case "enter":
		if m.request.focusField == fieldMemo {
			m.typing = false
		} else {
			turn(1)
		}
	case "esc":
		m.typing = false
	case "clear":
		m.fields[m.request.focusField].Clear()
	case "restore":
		for i := range m.fields {
			m.fields[i].Restore()
		}
	case doClear:
		m.request.clear()
	}
	return m.lookUp(env)
}

// typeKey types a key into the field in focus. A symbol typed after the amount goes into the field of the asset.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	if !m.typing || !m.fields[m.request.focusField].Key(k) {
		return nil
	}
	m.changedAt = env.Now
	if _, symbol := ledger.SplitAmount(m.text(fieldAmount)); m.request.focusField == fieldAmount && symbol != "" {
		m.fields[fieldAsset].Set(strings.ToUpper(symbol))
	}
	return m.lookUp(env)
}

func (m *Model) click(c screen.Click) {
	switch m.focus = c.Panel; {
	case c.Panel == panelRequest && c.At >= 0:
		m.typing, m.request.focusField = true, fieldID(c.At)
	case c.Panel == panelIncoming:
		m.typing = false
		m.cursor.Pick(c.At, len(m.incoming))
	}
}

// save writes the QR code to a file and shows where.
func (m *Model) save(env screen.Env) tea.Cmd {
	code := m.code(env)
	if code == nil {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text("Not saved: the request is too long for a QR code")})
	}
	name, svg := "receive-"+format.Clean(env.Account.Name)+".svg", code.SVG()
	return func() tea.Msg {
		path, err := m.core.Save(name, svg)
		if err != nil {
			why := canvas.Text(" Not saved: " + format.Clean(err.Error()))
			return screen.Toast{Bad: true, Line: canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed), why)}
		}
		return screen.Toast{Line: canvas.Text("Saved " + format.Clean(path))}
	}
}
