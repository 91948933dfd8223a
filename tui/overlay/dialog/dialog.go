// Package dialog is the small pop-up: a title, a few sentences or rows, and what happens when a row is picked. It makes no decision
// itself; esc always means no.
package dialog

import (
	"cmp"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is a pop-up.
type Model struct {
	Title string
	Text  []canvas.Line // above the rows
	Rows  []canvas.Line
	Foot  string
	Pick  func(row int) tea.Msg // nil: the rows are only read
	Keys  string                // its place in the key table; empty: the usual one
	at    list.Cursor
}

// Closed asks the root to close the pop-up and then to handle Then, unless it is nil.
type Closed struct{ Then tea.Msg }

// At puts the focus on a row.
func (m *Model) At(row int) { m.at.Jump(row, len(m.Rows)) }

// Focus returns the row in focus.
func (m *Model) Focus() int { return m.at.At }

// Removal is the place in the key table of a question whose yes removes something: it takes X.
const Removal = "dialog.remove"

// Places are the pop-up's keys.
func Places() []action.Place {
	return []action.Place{{ID: Removal, Title: "Remove", Modal: true, Actions: []action.Action{
		{ID: "enter", Keys: []string{"X"}, Word: "remove", Help: "remove it", Hint: 1, Money: true},
		{ID: "esc", Keys: []string{"esc"}, Word: "keep", Help: "close, change nothing", Hint: 2, Typing: true},
	}}, {ID: "dialog.quit", Title: "Quit", Modal: true, Actions: []action.Action{
		{ID: "enter", Keys: []string{"q"}, Word: "quit", Help: "quit now", Hint: 1},
		{ID: "esc", Keys: []string{"esc"}, Word: "stay", Help: "stay", Hint: 2, Typing: true},
	}}, {ID: "dialog", Title: "Pop-up", Modal: true, Actions: []action.Action{
		{ID: "up", Keys: []string{"up", "k"}, Show: "↑↓", Word: "choose", Help: "row up", Group: "↑↓|row up, down", Hint: 1},
		{ID: "down", Keys: []string{"down", "j"}, Help: "row down", Group: "↑↓|row up, down"},
		{ID: "first", Keys: []string{"g", "home"}, Help: "first row"},
		{ID: "last", Keys: []string{"G", "end"}, Help: "last row"},
		{ID: "pgup", Keys: []string{"pgup"}, Help: "page up", Group: "pgup pgdn|page up, down"},
		{ID: "pgdn", Keys: []string{"pgdown"}, Show: "pgdn", Help: "page down", Group: "pgup pgdn|page up, down"},
		{ID: "enter", Keys: []string{"enter"}, Word: "take it", Help: "choose the row in focus", Hint: 2},
		{ID: "esc", Keys: []string{"esc"}, Word: "close", Help: "close, change nothing", Hint: 3, Typing: true},
	}}}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return cmp.Or(m.Keys, "dialog"), screen.MODAL }

// Word implements screen.Worder: rows that are only read are scrolled.
func (m *Model) Word(_ screen.Env, do action.ID) string {
	if do == "up" && m.Pick == nil {
		return "scroll"
	}
	return ""
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	switch {
	case do == "enter" && m.Keys == "" && m.Pick == nil:
		return "there is nothing to choose"
	case (do == "up" || do == "down") && m.Pick == nil && m.fits(env):
		return "all of it is on screen"
	}
	return ""
}

// fits reports whether all lines of the pop-up fit into the page's body less two rows.
func (m *Model) fits(env screen.Env) bool {
	const bands, edges = 5, 2
	_, h := m.Size(env)
	return h <= env.H-bands-edges
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return m.Title }

// Size returns how much room the pop-up wants.
func (m *Model) Size(screen.Env) (w, h int) {
	w = canvas.Width(m.Title) + 10
	for _, l := range append(append([]canvas.Line(nil), m.Text...), m.Rows...) {
		w = max(w, l.Width()+8)
	}
	return w, len(m.Text) + len(m.Rows) + 5
}

// Update implements screen.Screen.
func (m *Model) Update(_ screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Click:
		m.at.Jump(msg.At, len(m.Rows))
	case screen.Command:
		if m.at.Do(msg.ID, len(m.Rows)) {
			return nil
		}
		if msg.ID != "enter" {
			return nil
		}
		if m.Pick == nil {
			return screen.Request(Closed{})
		}
		return screen.Request(Closed{Then: m.Pick(m.at.At)})
	}
	return nil
}

// Draw implements screen.Screen.
func (m *Model) Draw(_ screen.Env, a canvas.Area) {
	a.Fill(theme.Style{Bg: theme.ModalBg})
	in := a.Box(
		canvas.Frame{Title: canvas.Bold(theme.Focus, m.Title), Foot: canvas.In(theme.Muted, m.Foot), Heavy: true, Bg: theme.ModalBg},
	)
	y := 1
	for _, l := range m.Text {
		in.Put(2, y, l.On(theme.ModalBg))
		y++
	}
	if len(m.Text) > 0 {
		y++
	}
	body := in.Sub(0, y, in.W, in.H-y)
	at := m.at
	first, end := at.Window(len(m.Rows), body.H, list.OneLine)
	for i := first; i < end; i++ {
		bg := theme.ModalBg
		if i == m.at.At && m.Pick != nil {
			bg = theme.SelectBg
			body.Put(0, i-first, canvas.In(theme.Focus, theme.SignRow))
		}
		body.Put(2, i-first, m.Rows[i])
		body.Tint(i-first, bg)
		body.Row(i - first).Zone(screen.Click{At: i})
	}
	list.Scroll(body, first, end-first, len(m.Rows))
}
