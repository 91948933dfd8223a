package history

import (
	"strings"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// Places are the page's keys.
func Places() []action.Place {
	return append([]action.Place{
		{ID: "history", Title: "History table", Actions: []action.Action{
			{ID: "up", Keys: []string{"up"}, Show: "↑↓", Word: "row", Help: "row up, down", Hint: 1},
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the row as a page", Hint: 2},
			{ID: "history.filter", Keys: []string{"/"}, Word: "filter", Help: "filter the rows", Hint: 3},
			{ID: "history.memo", Keys: []string{"m"}, Word: "memo", Help: "open the memo", Hint: 4},
			{ID: "history.date", Keys: []string{"t"}, Word: "date", Help: "jump to a date", Hint: 5},
			{ID: "history.order", Keys: []string{"o"}, Word: "order", Help: "order: newest, oldest first", Hint: 6},
			{ID: "history.again", Keys: []string{"b"}, Word: "repeat", Help: "pay again: fills the Send form", Hint: 8},
			{ID: "history.export", Keys: []string{"x"}, Word: "export", Help: "export what the filter shows", Hint: 7},
			{ID: "history.follow", Keys: []string{"w"}, Word: "follow", Help: "follow new rows, on, off", Hint: 9},
			{ID: "history.back", Keys: []string{"["}, Show: "[ ]", Word: "day", Help: "one day back, forward", Hint: 10},
			{ID: "history.on", Keys: []string{"]"}, Help: "one day forward"},
			{ID: "history.detail", Keys: []string{"v"}, Word: "detail", Help: "detail pane on, off", Hint: 11},
		}},
		{ID: "history.filter", Title: "History filter", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "to the rows", Help: "keep the filter, go to the rows", Hint: 1, Typing: true},
			{ID: "history.take", Keys: []string{"tab"}, Word: "take the nearest word", Help: "take the nearest word", Hint: 2, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "to the rows, again clears", Help: "leave the field; again clears the filter", Hint: 3, Typing: true},
		}},
		{ID: "history.date", Title: "Jump to a date", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "go there", Help: "go to the newest row that is not later", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "stay here", Help: "stay at the row", Hint: 2, Typing: true},
		}},
	}, exportPlaces()...)
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	if m.export != nil {
		return m.export.place()
	}
	switch m.typing {
	case filterLine:
		return "history.filter", screen.TYPE
	case dateLine:
		return "history.date", screen.TYPE
	}
	return "history", screen.KEYS
}

// Off implements screen.Limiter.
func (m *Model) Off(_ screen.Env, do action.ID) string {
	switch do {
	case "history.take":
		if !m.mistaking() || m.mistake.Nearest == "" {
			return "there is no other word near"
		}
	case "history.date", "history.back", "history.on", "history.order", "history.follow", "history.export":
		if !m.indexed {
			return "that works as soon as the history index is there"
		}
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if m.export != nil {
		return m.doExport(env, id)
	}
	switch id {
	case "esc":
		return m.back(env)
	case "enter":
		return m.enter(env)
	case "clear":
		return m.clear(env)
	case "history.take":
		return m.take(env)
	case "refresh":
		m.tasks.Forget(look)
		m.tasks.Forget(newest)
		return m.refresh(env)
	}
	if m.typing != noLine {
		return nil
	}
	m.want = 0
	if n, ok := m.step(env, id); ok {
		m.at.Move(n, m.total)
		m.at.Window(m.total, m.listRows(env), list.One) // what is drawn follows the cursor from here
		m.follow = false
		return m.need(env)
	}
	switch id {
	case "first", "last":
		return m.end(env, (id == "first") == m.oldest)
	case "history.filter":
		m.typing, m.page = filterLine, false
	case "history.detail":
		m.detail = !m.detail
	case "history.memo":
		return m.memo(env)
	case "history.again":
		return m.repeat()
	}
	return m.doIndexed(env, id)
}

func (m *Model) step(env screen.Env, id action.ID) (rows int, ok bool) {
	page := max(m.listRows(env)-1, 1)
	rows, ok = map[action.ID]int{"up": -1, "down": 1, "pgup": -page, "pgdn": page}[id]
	return rows, ok
}

// listRows is how many rows of one line the list shows.
func (m *Model) listRows(env screen.Env) int {
	p := layout.HistoryScreen(env.W, env.H, env.Class, m.hasLine(), m.detail && !m.page)
	return max(p.List.H-3, 1)
}

// end goes to the oldest row, or to the newest, which takes in what is new.
func (m *Model) end(env screen.Env, oldest bool) tea.Cmd {
	m.follow = false
	switch {
	case len(env.Accounts) == 0:
		return nil
	case !m.indexed && oldest:
		m.at.Jump(m.total-1, m.total)
		m.goLast = m.more
		return m.needOlder(env)
	case !m.indexed:
		m.at.Jump(0, m.total)
		return nil
	case oldest:
		if m.counted {
			m.at.Jump(m.position(m.total-1), m.total)
		}
		return m.goTo(env, place{kind: last})
	}
	m.at.Jump(m.position(0), m.total)
	return m.goFirst(env)
}

// doIndexed is what only the index can do.
func (m *Model) doIndexed(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("Not yet: " + why)})
	}
	switch id {
	case "history.date":
		m.typing, m.page, m.noDate = dateLine, false, false
		m.date.Set("")
	case "history.back":
		return m.day(env, dayBack)
	case "history.on":
		return m.day(env, dayOn)
	case "history.order":
		return m.order(env)
	case "history.export":
		return m.openExport(env)
	case "history.follow":
		if m.follow = !m.follow; m.follow {
			m.oldest = false
			return m.goFirst(env)
		}
	}
	return nil
}

// day goes a day back or on from the row in focus.
func (m *Model) day(env screen.Env, k kind) tea.Cmd {
	m.follow = false
	e, ok := m.focused()
	if !ok || e.Time == 0 {
		return nil
	}
	return m.goTo(env, place{kind: k, time: e.Time})
}

// order turns the list around; the row in focus stays.
func (m *Model) order(env screen.Env) tea.Cmd {
	at := m.position(m.at.At)
	m.oldest, m.follow = !m.oldest, false
	if m.counted {
		m.at.Jump(m.position(at), m.total)
		return m.need(env)
	}
	q := m.question(env)
	q.was, q.place, q.move = at, place{kind: position, pos: at}, true
	return m.ask(env, q)
}

// enter leaves a line with what was typed, or opens the row in focus.
func (m *Model) enter(env screen.Env) tea.Cmd {
	switch m.typing {
	case filterLine:
		m.typing = noLine
	case dateLine:
		at, length, ok := walletcore.HistoryTime(strings.Trim(m.date.Value(), " "), env.Now)
		if m.noDate = !ok; !ok {
			return nil
		}
		m.typing, m.follow = noLine, false
		if length > 0 {
			at = at.Add(length - 1)
		}
		return m.goTo(env, place{kind: moment, time: ledger.TimeOf(at)})
	default:
		_, m.page = m.focused()
	}
	return nil
}

// clear is ctrl+c in a line.
func (m *Model) clear(env screen.Env) tea.Cmd {
	switch m.typing {
	case filterLine:
		m.text.Set("")
		return m.askWords(env, 0)
	case dateLine:
		m.date.Set("")
	}
	return nil
}

// back is one layer: leave the line, the detail page, the filter, the page.
func (m *Model) back(env screen.Env) tea.Cmd {
	switch {
	case m.typing != noLine:
		m.typing = noLine
	case m.page:
		m.page = false
	case !m.text.Empty():
		m.text.Set("")
		return m.askWords(env, 0)
	default:
		return screen.Request(screen.Back{})
	}
	return nil
}

// memo leads to the password when that is all that is missing.
func (m *Model) memo(env screen.Env) tea.Cmd {
	e, ok := m.focused()
	switch {
	case !ok:
		return nil
	case e.MemoState == vault.MemoLocked && !env.Unlocked():
		return screen.Request(screen.NeedUnlock{Back: screen.History})
	case e.MemoState == vault.MemoNone:
		return screen.Request(screen.Toast{Line: canvas.Text("This operation carries no memo")})
	}
	m.page = true
	return nil
}

// repeat fills the Send form with a payment of this account; nothing is signed.
func (m *Model) repeat() tea.Cmd {
	e, ok := m.focused()
	if !ok || e.Direction != walletcore.DirectionOut || e.Amount == 0 {
		return screen.Request(screen.Toast{Line: canvas.Text("Only a payment from this account can be repeated")})
	}
	pay := screen.Payment{To: e.To, Asset: e.Asset, Amount: e.Amount}
	if e.MemoState == vault.MemoOpen || e.MemoState == vault.MemoPlain {
		pay.Memo = e.Memo
	}
	return screen.Request(screen.Navigate{To: screen.Send, With: pay})
}
