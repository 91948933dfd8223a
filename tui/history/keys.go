package history

import (
	"billfold/tui/action"
	"billfold/tui/canvas"
	"billfold/tui/list"
	"billfold/tui/screen"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// nearEnd is how many rows before the last one older ones are asked for.
const nearEnd = 20

// Places are the page's keys.
func Places() []action.Place {
	return []action.Place{
		{ID: "history", Title: "History table", Actions: []action.Action{
			{ID: "up", Keys: []string{"up"}, Show: "↑↓", Word: "row", Help: "row up, down", Hint: 1},
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the row as a page", Hint: 2},
			{ID: "history.filter", Keys: []string{"/"}, Word: "filter", Help: "filter the rows", Hint: 3},
			{ID: "history.memo", Keys: []string{"m"}, Word: "memo", Help: "open the memo", Hint: 4},
			{ID: "history.again", Keys: []string{"b"}, Word: "repeat", Help: "pay again: fills the Send form", Hint: 5},
			{ID: "history.detail", Keys: []string{"v"}, Word: "detail", Help: "detail pane on, off", Hint: 6},
		}},
		{ID: "history.filter", Title: "History filter", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "to the rows", Help: "keep the filter, go to the rows", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "to the rows, again clears", Help: "leave the field; again clears the filter", Hint: 2, Typing: true},
		}},
	}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	if m.typing {
		return "history.filter", screen.TYPE
	}
	return "history", screen.KEYS
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if m.move(id, env) {
		if m.at.At >= len(m.shown)-nearEnd {
			return m.readOld(env)
		}
		return nil
	}
	switch id {
	case "last":
		m.at.Jump(len(m.shown)-1, len(m.shown))
		m.goLast = m.more
		return m.readOld(env)
	case "esc":
		return m.back()
	case "enter":
		if _, ok := m.focused(); !m.typing && ok {
			m.page = true
		}
		m.typing = false
	case "clear":
		if m.typing {
			m.filter.Set("")
			m.sift()
		}
	case "history.filter":
		m.typing, m.page = true, false
	case "history.detail":
		m.detail = !m.detail
	case "history.memo":
		return m.memo(env)
	case "history.again":
		return m.again()
	case "refresh":
		m.desk.Forget("new")
		return m.readNew(env)
	}
	return nil
}

func (m *Model) move(id action.ID, env screen.Env) bool {
	page := max(env.H-5, 1)
	steps := map[action.ID]int{"up": -1, "down": 1, "pgup": -page, "pgdn": page}
	switch n, ok := steps[id]; {
	case m.typing:
		return false
	case ok:
		m.at.Move(n, len(m.shown))
	case id == "first":
		m.at.Jump(0, len(m.shown))
	default:
		return false
	}
	m.at.Window(len(m.shown), page, list.One) // what is drawn follows the cursor from here
	return true
}

// back is one layer: leave the field, the detail page, the filter, the page.
func (m *Model) back() tea.Cmd {
	switch {
	case m.typing:
		m.typing = false
	case m.page:
		m.page = false
	case !m.filter.Empty():
		m.filter.Set("")
		m.sift()
	default:
		return screen.Ask(screen.Up{})
	}
	return nil
}

// memo leads to the password when that is all that is missing.
func (m *Model) memo(env screen.Env) tea.Cmd {
	e, ok := m.focused()
	switch {
	case !ok:
		return nil
	case e.MemoState == walletcore.MemoLocked && !env.Unlocked():
		return screen.Ask(screen.NeedUnlock{Back: screen.History})
	case e.MemoState == walletcore.MemoNone:
		return screen.Ask(screen.Say{Line: canvas.Say("This operation carries no memo")})
	}
	m.page = true
	return nil
}

// again fills the Send form with a payment of this account; nothing is signed.
func (m *Model) again() tea.Cmd {
	e, ok := m.focused()
	if !ok || e.Direction != walletcore.DirectionOut || e.Amount == 0 {
		return screen.Ask(screen.Say{Line: canvas.Say("Only a payment from this account can be repeated")})
	}
	pay := screen.Pay{To: e.To, Asset: e.Asset, Amount: e.Amount}
	if e.MemoState == walletcore.MemoOpen || e.MemoState == walletcore.MemoPlain {
		pay.Memo = e.Memo
	}
	return screen.Ask(screen.Go{To: screen.Send, With: pay})
}
