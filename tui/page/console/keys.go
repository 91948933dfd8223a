package console

import (
	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doType   action.ID = "console.line"
	doExpand action.ID = "console.expand"
	doJSON   action.ID = "console.json"
	doClear  action.ID = "console.clear"
	doCurl   action.ID = "console.curl"
	doOlder  action.ID = "console.older"
	doNewer  action.ID = "console.newer"
	doForm   action.ID = "console.form"
	doSearch action.ID = "console.search"
)

// Places returns the page's keys: those while a line is typed, and those in the output.
func Places() []action.Place {
	return []action.Place{
		{ID: "console.type", Title: "Console, typing", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "run", Help: "run the line", Hint: 1, Typing: true},
			{ID: "next", Keys: []string{"tab"}, Word: "complete", Help: "complete the word", Hint: 2, Typing: true},
			{ID: doOlder, Keys: []string{"up"}, Help: "older line", Typing: true},
			{ID: doNewer, Keys: []string{"down"}, Help: "newer line", Typing: true},
			{ID: doForm, Keys: []string{"f2"}, Show: "F2", Word: "form", Help: "fill in the operation as a form", Hint: 3, Typing: true},
			{ID: doCurl, Keys: []string{"ctrl+y"}, Word: "copy curl", Help: "copy the same call as a curl command", Hint: 4, Typing: true},
			{ID: doSearch, Keys: []string{"ctrl+r"}, Help: "find an older line with what is typed; again: the one before it", Typing: true},
			{ID: doClear, Keys: []string{"ctrl+x"}, Help: "clear the output", Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "to the output", Help: "leave the line, keep its text", Hint: 5, Typing: true},
		}},
		{ID: "console", Title: "Console", Actions: []action.Action{
			{ID: doType, Keys: []string{"i", "enter"}, Word: "type", Help: "back to the line", Hint: 1},
			{ID: doExpand, Keys: []string{"e"}, Word: "expand", Help: "expand or fold the result in focus", Hint: 2},
			{ID: doJSON, Keys: []string{"v"}, Word: "JSON", Help: "results as JSON or as text", Hint: 3},
			{ID: doClear, Keys: []string{"x"}, Help: "clear the output"},
			{ID: "esc", Keys: []string{"esc"}, Help: "back to Home", Typing: true},
		}},
	}
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if m.form != nil {
		return m.applyAnswer(env, m.form.Do(id))
	}
	if id == doClear {
		m.clear()
		return nil
	}
	if m.typing {
		return m.doTyping(env, id)
	}
	switch id {
	case "up", "first":
		m.move(-1, id == "first")
	case "down", "last":
		m.move(1, id == "last")
	case "pgup":
		m.scroll = max(m.scroll-pageRows, 0)
	case "pgdn":
		m.scroll += pageRows
	case doType:
		m.typing = true
	case doExpand:
		if m.focus < len(m.runs) {
			m.runs[m.focus].expand = !m.runs[m.focus].expand
		}
	case doJSON:
		m.asJSON = !m.asJSON
	case "esc":
		return screen.Request(screen.Back{})
	}
	return nil
}

// move moves the focus by so many runs, or to the first or last.
func (m *Model) move(by int, toEnd bool) {
	if toEnd {
		by *= len(m.runs)
	}
	m.focus, m.scroll = max(min(m.focus+by, len(m.runs)-1), 0), 0
}

// pageRows is the number of rows that page up and page down scroll.
const pageRows = 10

// clear drops all runs but the one that is still running.
func (m *Model) clear() {
	kept := m.runs[:0]
	if m.busy() {
		kept = append(kept, m.runs[len(m.runs)-1])
	}
	m.runs, m.focus = kept, 0
}

func (m *Model) doTyping(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "enter":
		return m.runLine(env)
	case "next":
		return m.startCompletion(env)
	case doOlder:
		m.recall(-1)
	case doNewer:
		m.recall(1)
	case doSearch:
		m.search()
	case "esc":
		m.typing, m.completions = false, nil
	case doCurl:
		return m.copyCurl()
	case doForm:
		return m.openForm()
	case "clear":
		m.input.Clear()
	case "restore":
		m.input.Restore()
	}
	return nil
}

func (m *Model) copyCurl() tea.Cmd {
	command, why := m.curl()
	switch {
	case command != "":
		return screen.Request(screen.Copy{Value: screen.Value{Name: "curl", Text: command}})
	case why == "":
		why = "the line is not complete"
	}
	return screen.Request(screen.Toast{Line: canvas.Text("Not copied: " + why)})
}
