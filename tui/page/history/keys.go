package history

import (
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
	words "billfold/walletcore/history/filter"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// Places returns the page's keys.
func Places() []action.Place {
	return append([]action.Place{
		{ID: "history", Title: "History table", Actions: []action.Action{
			{ID: "up", Keys: []string{"up"}, Show: "↑↓", Word: "row", Help: "row up", Group: "↑↓|row up, down", Hint: 1},
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the row as a page", Hint: 2},
			{ID: "history.filter", Keys: []string{"/"}, Word: "filter", Help: "filter the rows", Hint: 3},
			{ID: "history.build", Keys: []string{"f"}, Word: "build filter", Help: "build the filter in a form", Hint: 7},
			{ID: "history.memo", Keys: []string{"m"}, Word: "memo", Help: "open the memo", Hint: 4},
			{ID: "history.date", Keys: []string{"t"}, Word: "date", Help: "jump to a date", Hint: 9},
			{ID: "history.order", Keys: []string{"o"}, Word: "order", Help: "order: newest, oldest, amount", Hint: 5},
			{ID: "history.again", Keys: []string{"b"}, Word: "repeat", Help: "pay again, or pay the sender back: fills the Send form", Hint: 8},
			{ID: "history.message", Keys: []string{"e"}, Word: "message", Help: "write to the other side of the row", Hint: 12},
			{ID: "history.label", Keys: []string{"n"}, Word: "label", Help: "private label on the row", Hint: 13},
			{ID: "history.card", Keys: []string{"a"}, Word: "account", Help: "account card of the other side", Hint: 14},
			{ID: "history.export", Keys: []string{"x"}, Word: "export", Help: "export what the filter shows", Hint: 6},
			{ID: "history.follow", Keys: []string{"w"}, Word: "follow", Help: "follow new rows, on, off", Hint: 10},
			{ID: "history.back", Keys: []string{"["}, Show: "[ ]", Word: "day", Help: "one day back", Group: "[ ]|one day back, forward", Hint: 11},
			{ID: "history.on", Keys: []string{"]"}, Help: "one day forward", Group: "[ ]|one day back, forward"},
			{ID: "history.detail", Keys: []string{"v"}, Word: "detail", Help: "detail pane on, off", Hint: 15},
		}},
		{ID: "history.filter", Title: "History filter", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "to the rows", Help: "keep the filter, go to the rows", Hint: 1, Typing: true},
			{ID: "history.take", Keys: []string{"tab"}, Word: "accept the nearest word", Help: "accept the nearest word", Hint: 2, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "to the rows, again clears", Help: "leave the field; again clears the filter", Hint: 3, Typing: true},
		}},
		{ID: "history.date", Title: "Jump to a date", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "go there", Help: "go to the newest row that is not later", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "stay here", Help: "stay at the row", Hint: 2, Typing: true},
		}},
		formPlace(),
	}, exportPlaces()...)
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	switch do {
	case "enter":
		if m.detailPage && m.typing == noInput {
			return "the row is open; esc closes it"
		}
	case "history.again", "history.message":
		return m.whyNoAnswer(env, do)
	case "history.take":
		if _, near := m.list.filter.corrected(); !near {
			return "there is no similar word"
		}
	case "history.date", "history.back", "history.on", "history.order", "history.follow", "history.export":
		if !m.list.index.known {
			return "this works once the history index is ready"
		}
		if m.list.table.order == largestFirst && (do == "history.date" || do == "history.back" || do == "history.on") {
			return "rows are in order of amount; o orders them by time"
		}
		if do == "history.export" && m.list.filter.memos.More {
			return "memos are still being searched for the filter"
		}
	}
	return ""
}

// whyNoAnswer returns why the row in focus cannot be answered with a payment or a message.
func (m *Model) whyNoAnswer(env screen.Env, do action.ID) string {
	if do != "history.again" && do != "history.message" {
		return ""
	}
	e, there := m.list.table.focused()
	if !there {
		return "there is no row"
	}
	if _, ok := rows.Answer(e); !ok && do == "history.again" {
		return rows.NoPayment
	}
	if _, ok := rows.Partner(env, e); !ok && do == "history.message" {
		return rows.NoPartner
	}
	return ""
}

// Word implements screen.Worder: b pays back what came in.
func (m *Model) Word(_ screen.Env, do action.ID) string {
	if e, there := m.list.table.focused(); there && do == "history.again" {
		return rows.AnswerWord(e)
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if m.export != nil {
		return m.closeExport(m.export.do(env, id))
	}
	if m.label.ask != nil {
		return m.label.do(env, id)
	}
	if m.form != nil {
		return m.doForm(env, id)
	}
	switch id {
	case "esc":
		return m.back(env)
	case "enter":
		return m.enter(env)
	case "clear":
		return m.clear(env)
	case "history.take":
		return m.takeNearest(env)
	case "refresh":
		m.list.tasks.Forget(topicWindow)
		m.list.tasks.Forget(topicNewest)
		return m.list.refresh(env)
	}
	if m.typing != noInput {
		return nil
	}
	m.list.wanted = 0
	if by := map[action.ID]int{"pgup": -1, "pgdn": 1}[id]; by != 0 && m.scrollDetail(env, by) {
		return nil
	}
	if n, ok := m.step(env, id); ok {
		m.detailTop = 0
		t := &m.list.table
		t.at.Move(n, t.total)
		t.at.Window(t.total, m.listRows(env), list.OneLine) // scrolls, so that the rows drawn follow the cursor
		m.list.follow = false
		return m.list.fillWindow(env)
	}
	return m.doRows(env, id)
}

func (m *Model) step(env screen.Env, id action.ID) (rows int, ok bool) {
	page := max(m.listRows(env)-1, 1)
	rows, ok = map[action.ID]int{"up": -1, "down": 1, "pgup": -page, "pgdn": page}[id]
	return rows, ok
}

// doRows performs an action of the table; some of them need the index.
func (m *Model) doRows(env screen.Env, id action.ID) tea.Cmd {
	if why := m.whyNoAnswer(env, id); why != "" {
		return screen.NotNow(why)
	}
	if why := m.Off(env, id); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("Not yet: " + why)})
	}
	switch id {
	case "first", "last":
		return m.list.goEnd(env, (id == "first") == (m.list.table.order == oldestFirst))
	case "history.filter":
		m.typing, m.detailPage = filterInput, false
	case "history.build":
		m.detailPage, m.form = false, newFilterForm(m.list.filter.text.Value())
	case "history.detail":
		m.detailPane = !m.detailPane
	case "history.memo":
		return m.openMemo(env)
	case "history.again":
		e, _ := m.list.table.focused()
		return rows.PayAgain(e)
	case "history.message":
		e, _ := m.list.table.focused()
		return rows.WriteTo(env, e)
	case "history.card":
		if e, ok := m.list.table.focused(); ok {
			return screen.Request(screen.ShowAccount{Account: e.With})
		}
	case "history.label":
		if e, ok := m.list.table.focused(); ok {
			return m.label.open(env, e)
		}
	case "history.date":
		m.typing, m.detailPage, m.badDate = dateInput, false, false
		m.date.Set("")
	case "history.back":
		return m.list.goDay(env, atDayBefore)
	case "history.on":
		return m.list.goDay(env, atDayAfter)
	case "history.order":
		return m.list.nextOrder(env)
	case "history.follow":
		return m.list.followNewest(env)
	case "history.export":
		if m.list.filter.hasMistake() {
			return screen.NotNow("the filter is not valid; esc clears it")
		}
		if m.list.table.total > 0 {
			m.export = newExport(env, &m.list)
		}
	}
	return nil
}

// closeExport drops the pop-up if it is closed.
func (m *Model) closeExport(cmd tea.Cmd, closed bool) tea.Cmd {
	if closed {
		m.export = nil
	}
	return cmd
}

// enter accepts what was typed into a line, or opens the row in focus.
func (m *Model) enter(env screen.Env) tea.Cmd {
	switch m.typing {
	case filterInput:
		if !m.list.filter.hasMistake() { // else the field stays, with its text, to be corrected
			m.typing = noInput
		}
	case dateInput:
		at, length, ok := words.Time(strings.Trim(m.date.Value(), " "), env.Now)
		if m.badDate = !ok; !ok {
			return nil
		}
		m.typing = noInput
		if length > 0 {
			at = at.Add(length - 1)
		}
		return m.list.goTo(env, place{kind: atTime, time: ledger.TimeOf(at)})
	default:
		_, m.detailPage = m.list.table.focused()
		m.detailTop = 0
	}
	return nil
}

// clear empties the line that is being typed.
func (m *Model) clear(env screen.Env) tea.Cmd {
	switch m.typing {
	case filterInput:
		return m.setFilter(env, "")
	case dateInput:
		m.date.Set("")
	}
	return nil
}

// takeNearest replaces the mistake by the nearest known word.
func (m *Model) takeNearest(env screen.Env) tea.Cmd {
	text, ok := m.list.filter.corrected()
	if !ok {
		return nil
	}
	return m.setFilter(env, text)
}

// setFilter replaces the text of the filter.
func (m *Model) setFilter(env screen.Env, text string) tea.Cmd {
	m.list.filter.text.Set(text)
	return m.list.applyFilter(env, 0)
}

// back leaves one layer: the line, the detail page, the filter, the page.
func (m *Model) back(env screen.Env) tea.Cmd {
	switch {
	case m.typing != noInput:
		m.typing = noInput
	case m.detailPage:
		m.detailPage = false
	case !m.list.filter.text.Empty() && env.WayBack:
		return tea.Batch(m.setFilter(env, ""), screen.Request(screen.Back{}))
	case !m.list.filter.text.Empty():
		return m.setFilter(env, "")
	default:
		return screen.Request(screen.Back{})
	}
	return nil
}

// openMemo shows the memo of the row in focus, or asks for the password if it is locked.
func (m *Model) openMemo(env screen.Env) tea.Cmd {
	e, ok := m.list.table.focused()
	switch {
	case !ok:
		return nil
	case e.MemoState == vault.MemoLocked && !env.Unlocked():
		return screen.Request(screen.NeedUnlock{})
	case e.MemoState == vault.MemoNone:
		return screen.Request(screen.Toast{Line: canvas.Text("This operation carries no memo")})
	}
	m.detailPage, m.detailTop = true, 0
	return nil
}

// typeKey types a key into the field that has the keyboard.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	switch {
	case m.export != nil:
		m.export.typeKey(k)
	case m.label.ask != nil:
		m.label.ask.Type(k)
	case m.form != nil && m.form.ask.Type(k):
		return m.filterByForm(env, typingPause)
	case m.typing == filterInput && m.list.filter.text.Key(k):
		return m.list.applyFilter(env, typingPause)
	case m.typing == dateInput && m.date.Key(k):
		m.badDate = false
	}
	return nil
}

// doForm performs a key of the form.
func (m *Model) doForm(env screen.Env, id action.ID) tea.Cmd {
	f := m.form
	wrong, _ := f.mistakeField(&m.list.filter)
	switch id {
	case "esc":
		m.form = nil
		return m.setFilter(env, f.before)
	case "enter":
		if wrong >= 0 {
			f.ask.Focus(wrong)
			return nil
		}
		m.form = nil
	case "next":
		if text, near := m.list.filter.corrected(); near && wrong == f.ask.At() {
			f.fill(text)
			return m.filterByForm(env, 0)
		}
		f.ask.Do(id)
	case "clear":
		f.ask.Do(id)
		return m.filterByForm(env, 0)
	default:
		f.ask.Do(id)
	}
	return nil
}

// filterByForm filters by the text that the form makes.
func (m *Model) filterByForm(env screen.Env, pause time.Duration) tea.Cmd {
	m.list.filter.text.Set(m.form.compose())
	return m.list.applyFilter(env, pause)
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string { return m.label.ask.Unsaved() }
