// Package later is the page of what this version cannot do yet. It says in one
// sentence what works today instead, and pretends nothing.
package later

import (
	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the page.
type Model struct {
	id   screen.ID
	name string
}

// New makes the page of a screen.
func New(id screen.ID, name string) *Model { return &Model{id: id, name: name} }

// Places are the page's keys.
func Places() []action.Place {
	return []action.Place{{ID: "later", Title: "This page", Actions: []action.Action{
		{ID: "esc", Keys: []string{"esc"}, Word: "back to Home", Help: "back to Home", Hint: 1, Typing: true},
	}}}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return "later", screen.KEYS }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return m.name }

// Update implements screen.Screen.
func (m *Model) Update(_ screen.Env, msg tea.Msg) tea.Cmd {
	if do, ok := msg.(screen.Command); ok && do.ID == "esc" {
		return screen.Request(screen.Back{})
	}
	return nil
}

// Draw implements screen.Screen.
func (m *Model) Draw(_ screen.Env, a canvas.Area) {
	in := a.Box(canvas.Frame{Title: canvas.Bold(theme.Focus, m.name), Heavy: true, Foot: canvas.In(theme.Muted, "esc back to Home")})
	y := 1
	put := func(l canvas.Line) {
		for _, r := range l.Wrap(in.W - 4) {
			in.Put(2, y, r)
			y++
		}
	}
	put(canvas.In(theme.Muted, "This page comes in a later version."))
	put(canvas.Text(m.today()))
}

// today returns what does the job of the page now.
func (m *Model) today() string {
	switch m.id {
	case screen.Settings:
		return "Settings are given at start, by flag, environment or file: billfold --help lists them."
	}
	return "Until then, use the wallet calls: billfold call help."
}
