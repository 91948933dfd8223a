// Package copymenu is the pop-up that lists the values that can be copied from what is in focus, each as a whole. It copies nothing
// itself: it asks the root to.
package copymenu

import (
	"fmt"
	"strconv"
	"strings"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"

	tea "github.com/charmbracelet/bubbletea"
)

// most is the maximum number of values in the menu: each has a digit as its key.
const most = 9

// Model is the pop-up.
type Model struct {
	values []screen.Value
	at     list.Cursor
}

// New returns the menu of the values, of which there must be at least one; those after the ninth are left out.
func New(values []screen.Value) *Model { return &Model{values: values[:min(len(values), most)]} }

// Places are the pop-up's keys.
func Places() []action.Place {
	digits := make([]string, most)
	for i := range digits {
		digits[i] = strconv.Itoa(i + 1)
	}
	actions := []action.Action{
		{ID: "up", Keys: []string{"up", "k"}, Show: "↑↓", Word: "choose", Help: "row up", Group: "↑↓|row up, down", Hint: 1},
		{ID: "down", Keys: []string{"down", "j"}, Help: "row down", Group: "↑↓|row up, down"},
		{ID: "first", Keys: []string{"g", "home"}, Help: "first row"},
		{ID: "last", Keys: []string{"G", "end"}, Help: "last row"},
		{ID: "pgup", Keys: []string{"pgup"}, Help: "page up", Group: "pgup pgdn|page up, down"},
		{ID: "pgdn", Keys: []string{"pgdown"}, Show: "pgdn", Help: "page down", Group: "pgup pgdn|page up, down"},
		{ID: "enter", Keys: []string{"enter", "y"}, Word: "copy", Help: "copy the row in focus", Hint: 2},
		{ID: "esc", Keys: []string{"esc"}, Word: "close", Help: "close, copy nothing", Hint: 3, Typing: true},
	}
	for _, d := range digits {
		actions = append(actions,
			action.Action{ID: action.ID("copy." + d), Keys: []string{d}, Help: "copy row " + d, Group: "1 … 9|copy that row"})
	}
	return []action.Place{{ID: "copy", Title: "Copy", Modal: true, Actions: actions}}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return "copy", screen.MODAL }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Copy" }

// Size returns how much room the pop-up wants.
func (m *Model) Size(screen.Env) (w, h int) {
	w = 40
	for i := range m.values {
		w = max(w, m.row(i).Width()+6)
	}
	return w, len(m.values) + 4
}

// Update implements screen.Screen.
func (m *Model) Update(_ screen.Env, msg tea.Msg) tea.Cmd {
	n := len(m.values)
	switch msg := msg.(type) {
	case screen.Click:
		m.at.Jump(msg.At, n)
	case screen.Command:
		if m.at.Do(msg.ID, n) {
			return nil
		}
		switch msg.ID {
		case "enter":
			return m.copy(m.at.At)
		default:
			if digit, ok := strings.CutPrefix(string(msg.ID), "copy."); ok {
				at, _ := strconv.Atoi(digit)
				return m.copy(at - 1)
			}
		}
	}
	return nil
}

// copy closes the menu and copies a row. If there is no such row it does nothing; a value that is not known yet only causes a toast.
func (m *Model) copy(at int) tea.Cmd {
	if at < 0 || at >= len(m.values) {
		return nil
	}
	if m.values[at].Text == "" {
		return screen.Request(screen.Toast{Line: canvas.Text(m.values[at].Name + " is not known yet")})
	}
	return screen.Request(dialog.Closed{Then: screen.Copy{Value: m.values[at]}})
}

// row returns a value as one line of the menu.
func (m *Model) row(i int) canvas.Line {
	v := m.values[i]
	nameW := 0
	for _, other := range m.values {
		nameW = max(nameW, canvas.Width(other.Name))
	}
	head := canvas.Join(canvas.Bold(theme.Key, fmt.Sprintf("%d  ", i+1)), canvas.In(theme.Muted, v.Name).Pad(nameW+2))
	if v.Text == "" {
		return canvas.Join(head, canvas.In(theme.Muted, "(not known yet)"))
	}
	if v.Private {
		return canvas.Join(head, canvas.In(theme.Muted, "(private, leaves the clipboard after 30 s)"))
	}
	if n := strings.Count(v.Text, "\n"); n > 1 {
		return canvas.Join(head, canvas.In(theme.Muted, fmt.Sprintf("(%d lines)", n)))
	}
	return canvas.Join(head, canvas.Text(format.Clean(v.Text)))
}

// Draw implements screen.Screen.
func (m *Model) Draw(_ screen.Env, a canvas.Area) {
	a.Fill(theme.Style{Bg: theme.ModalBg})
	foot := canvas.In(theme.Muted, fmt.Sprintf("1-%d or ↵ copy · esc close", len(m.values)))
	in := a.Box(canvas.Frame{Title: canvas.Bold(theme.Focus, "Copy"), Foot: foot, Heavy: true, Bg: theme.ModalBg})
	body := in.Sub(0, 1, in.W, in.H-1)
	lines := func(i int) []canvas.Line { return m.lines(i, in.W-4, min(body.H, tallest)) }
	at, y := m.at, 0
	first, end := at.Window(len(m.values), body.H, func(i int) int { return len(lines(i)) })
	for i := first; i < end; i++ {
		for _, l := range lines(i) {
			body.Put(2, y, l.On(theme.ModalBg))
			rows.Mark(body, y, i == m.at.At, screen.Click{At: i})
			y++
		}
	}
	list.Scroll(body, first, end-first, len(m.values))
}

// tallest is the maximum number of lines of the row in focus.
const tallest = 5

// lines returns a row in lines of w cells: one, at whose end a value that does not fit is cut, or for the row in focus as many as its value
// needs, up to most.
func (m *Model) lines(i, w, most int) []canvas.Line {
	l := m.row(i)
	if l.Width() <= w {
		return []canvas.Line{l}
	}
	var out []canvas.Line
	for i == m.at.At && l.Width() > w && len(out) < most-1 {
		var line canvas.Line
		line, l = l.Split(w)
		out = append(out, line)
		l = canvas.Join(canvas.Text("   "), l)
	}
	if l.Width() > w { // only what is shown is cut, not what is copied
		l, _ = l.Split(w - 1)
		l = append(l, canvas.Span{Text: theme.SignCut})
	}
	return append(out, l)
}
