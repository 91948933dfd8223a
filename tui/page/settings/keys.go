package settings

import (
	"fmt"
	"slices"
	"strings"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doChange  action.ID = "settings.change"
	doFlip    action.ID = "settings.flip"
	doDefault action.ID = "settings.default"
	doFind    action.ID = "settings.find"
)

// Places returns the page's keys: the usual ones, and those while a field has the keyboard.
func Places() []action.Place {
	return []action.Place{
		{ID: "settings", Title: "Settings", Actions: []action.Action{
			{ID: doChange, Keys: []string{"enter"}, Word: "change", Help: "choose another value, or type it; it is written with the next enter", Hint: 1},
			{ID: doFlip, Keys: []string{" "}, Show: "space", Help: "choose the other value of a switch"},
			{ID: "left", Keys: []string{"left"}, Show: "← →", Word: "value", Help: "choose the previous value", Group: "← →|choose the previous, next value", Hint: 2},
			{ID: "right", Keys: []string{"right"}, Help: "choose the next value", Group: "← →|choose the previous, next value"},
			{ID: doDefault, Keys: []string{"d"}, Word: "default", Help: "back to the default: takes the line out of the file", Hint: 3},
			{ID: "next", Keys: []string{"tab"}, Word: "section", Help: "next section", Hint: 4},
			{ID: doFind, Keys: []string{"/"}, Word: "find", Help: "find a setting", Hint: 5},
			{ID: "esc", Keys: []string{"esc"}, Help: "all settings again; back to Home", Typing: true},
		}},
		{ID: "settings.type", Title: "Settings, finding", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter", "tab"}, Word: "to the list", Help: "go to what was found", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "all", Help: "all settings again", Hint: 2, Typing: true},
		}},
		{ID: "settings.choice", Title: "Settings, choosing a value", Modal: true, Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "write it", Help: "write the value to the file", Hint: 1},
			{ID: "left", Keys: []string{"left", "up", "h", "k"}, Show: "← →", Word: "another", Help: "the previous value", Group: "← →|previous, next value", Hint: 2},
			{ID: "right", Keys: []string{"right", "down", "l", "j", " "}, Show: "→", Help: "the next value", Group: "← →|previous, next value"},
			{ID: "esc", Keys: []string{"esc"}, Word: "leave it", Help: "leave the value as it is", Hint: 3},
		}},
		{ID: "settings.value", Title: "Settings, a value", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "write it", Help: "write the value to the file", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "leave it", Help: "leave the value as it is", Hint: 2, Typing: true},
		}},
	}
}

// Off implements screen.Limiter.
func (m *Model) Off(_ screen.Env, do action.ID) string {
	s, there := m.focused()
	switch {
	case do != doChange && do != doFlip && do != doDefault && do != "left" && do != "right":
		return ""
	case !there:
		return "there is no setting"
	case s.Fixed != "":
		return s.Fixed
	case s.Overridden:
		return "the " + s.Source + " overrides the file in this run"
	case do == doDefault && s.Source == "default":
		return "it has its default"
	case (do == doFlip || do == "left" || do == "right") && s.Choices == nil:
		return "enter types another value"
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch m.typing {
	case inFilter:
		return m.doFinding(id)
	case inValue:
		return m.doValue(env, id)
	case inChoice:
		return m.doChoice(env, id)
	case nowhere:
	}
	if m.cursor.Do(id, len(m.filtered())) {
		m.fault, m.doneText = "", ""
		return nil
	}
	switch id {
	case "refresh":
		return m.startReading(env)
	case "next":
		m.moveToSection(1)
	case "prev":
		m.moveToSection(-1)
	case doFind:
		m.typing = inFilter
	case doChange, doFlip, doDefault, "left", "right":
		return m.changeValue(env, id)
	case "esc":
		if m.filter.Empty() {
			return screen.Request(screen.Back{})
		}
		m.filter.Set("")
	}
	return nil
}

// moveToSection goes to the first setting of the next section, or of the previous one if by is negative.
func (m *Model) moveToSection(by int) {
	rows := m.filtered()
	if len(rows) == 0 {
		return
	}
	at := m.cursor.At
	for i := range rows {
		next := ((at+by*(i+1))%len(rows) + len(rows)) % len(rows)
		if rows[next].Group != rows[at].Group {
			first := slices.IndexFunc(rows, func(s Setting) bool { return s.Group == rows[next].Group })
			m.cursor.Jump(first, len(rows))
			return
		}
	}
}

func (m *Model) doFinding(id action.ID) tea.Cmd {
	switch id {
	case "enter":
		m.typing = nowhere
	case "clear":
		m.filter.Set("")
	case "esc":
		m.typing = nowhere
		m.filter.Set("")
	}
	m.cursor = list.Cursor{}
	return nil
}

func (m *Model) doValue(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "enter":
		if s, there := m.focused(); there && !m.edit.Empty() {
			return m.writeValue(env, s, strings.TrimSpace(m.edit.Value()))
		}
	case "clear":
		m.edit.Clear()
	case "restore":
		m.edit.Restore()
	case "esc":
		m.typing, m.fault = nowhere, ""
	}
	return nil
}

// changeValue chooses the next value, opens the field for one, or takes the line out of the file.
func (m *Model) changeValue(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("Not here: " + why)})
	}
	s, _ := m.focused()
	switch {
	case id == doDefault:
		m.typing, m.fault, m.doneText, m.choice = inChoice, "", "", ""
		return nil
	case s.Choices == nil:
		m.typing, m.fault, m.doneText = inValue, "", ""
		m.edit.Set("")
		if s.Source != "default" {
			m.edit.Set(s.Value)
		}
		return nil
	}
	m.typing, m.fault, m.doneText, m.choice = inChoice, "", "", s.Value
	switch id {
	case "left":
		m.stepChoice(s, -1)
	case "right", doFlip:
		m.stepChoice(s, 1)
	}
	return nil
}

// stepChoice chooses the next value, or the previous one.
func (m *Model) stepChoice(s Setting, by int) {
	if n := len(s.Choices); n > 0 {
		m.choice = s.Choices[(max(slices.Index(s.Choices, m.choice), 0)+by+n)%n]
	}
}

// doChoice chooses a value; enter writes it, unless it is the present one.
func (m *Model) doChoice(env screen.Env, id action.ID) tea.Cmd {
	s, there := m.focused()
	switch {
	case !there || id == "esc":
		m.typing = nowhere
	case id == "left":
		m.stepChoice(s, -1)
	case id == "right":
		m.stepChoice(s, 1)
	case id == "enter":
		m.typing = nowhere
		if m.choice != s.Value {
			return m.writeValue(env, s, m.choice)
		}
	}
	return nil
}

// writeValue starts writing the value to the file.
func (m *Model) writeValue(env screen.Env, s Setting, value string) tea.Cmd {
	m.fault = ""
	m.doneText = fmt.Sprintf("%s is %s", s.title(), format.Clean(s.word(value)))
	if value == "" {
		m.doneText = s.title() + " has its default"
	}
	if !s.Live {
		m.doneText += " from the next start on"
	}
	return m.tasks.Start(env, topicChange, storeLimit, m.storeWork(func() error { return m.store.Change(s.Name, value) }))
}

// startReading starts reading the settings.
func (m *Model) startReading(env screen.Env) tea.Cmd {
	return m.tasks.Start(env, topicRead, storeLimit, m.storeWork(nil))
}
