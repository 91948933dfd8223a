// Package help is the pop-up that lists every key. It is made from the key
// table alone, so it cannot promise a key that does not work.
package help

import (
	"strings"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// Place is the pop-up's place in the key table.
const Place = "help"

// Model is the pop-up.
type Model struct {
	table action.Table
	place action.Place
	top   int
}

// New makes the help for a place.
func New(table action.Table, place string) *Model {
	return &Model{table: table, place: table.At(place)}
}

// Places are the pop-up's keys.
func Places() []action.Place {
	return []action.Place{{ID: Place, Title: "Help", Modal: true, Actions: []action.Action{
		{ID: "up", Keys: []string{"up", "k"}, Show: "↑↓", Word: "scroll", Help: "scroll up", Hint: 1},
		{ID: "down", Keys: []string{"down", "j"}, Help: "scroll down"},
		{ID: "esc", Keys: []string{"esc", "?", "q"}, Word: "close", Help: "close", Hint: 2},
	}}}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return Place, screen.MODAL }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Help" }

// Size is how much room the pop-up wants.
func (m *Model) Size(env screen.Env) (w, h int) { return 96, len(m.lines(90)) + 3 }

// Update implements screen.Screen.
func (m *Model) Update(_ screen.Env, msg tea.Msg) tea.Cmd {
	if do, ok := msg.(screen.Command); ok {
		switch do.ID {
		case "up":
			m.top = max(m.top-1, 0)
		case "down":
			m.top++
		}
	}
	return nil
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	a.Fill(theme.Style{Bg: theme.ModalBg})
	in := a.Box(
		canvas.Frame{Title: canvas.Bold(theme.Focus, "Help · "+m.place.Title), Foot: canvas.In(theme.Muted, "↑↓ scroll · esc close"),
			Heavy: true, Bg: theme.ModalBg},
	)
	lines := m.lines(in.W - 4)
	top := max(min(m.top, len(lines)-in.H), 0)
	for y := range in.H {
		if top+y < len(lines) {
			in.Put(2, y, lines[top+y].On(theme.ModalBg))
		}
	}
	in.Scroll(top, in.H, len(lines))
}

// lines puts the columns next to each other where they fit, else below each
// other.
func (m *Model) lines(w int) []canvas.Line {
	shared := m.table.At(action.Everywhere)
	if m.place.Modal {
		shared = onlyTyping(shared)
	}
	columns := [][]canvas.Line{column("HERE: "+m.place.Title, m.place), column("EVERYWHERE", shared), signs()}
	need, height := 0, 0
	widths := make([]int, len(columns))
	for i, c := range columns {
		height = max(height, len(c))
		for _, l := range c {
			widths[i] = max(widths[i], l.Width()+2)
		}
		need += widths[i]
	}
	if need-2 > w {
		return stack(columns)
	}
	out := make([]canvas.Line, height)
	at := 0
	for i, c := range columns {
		for y, l := range c {
			out[y] = canvas.Join(out[y].Pad(at), l)
		}
		at += widths[i]
	}
	return out
}

func stack(columns [][]canvas.Line) []canvas.Line {
	var out []canvas.Line
	for _, c := range columns {
		out = append(append(out, c...), nil)
	}
	return out
}

func column(title string, p action.Place) []canvas.Line {
	out := []canvas.Line{canvas.In(theme.Muted, title)}
	var keys, words []string
	last, width := "", 0
	for _, a := range p.Actions {
		if a.Alias || a.Group != "" && a.Group == last {
			continue
		}
		k, w := a.Key(), a.Help
		if last = a.Group; a.Group != "" {
			k, w, _ = strings.Cut(a.Group, "|")
		}
		keys, words, width = append(keys, k), append(words, w), max(width, canvas.Width(k))
	}
	for i := range keys {
		out = append(out, canvas.Join(canvas.Bold(theme.Key, keys[i]).Pad(width+2), canvas.Text(words[i])))
	}
	return out
}

func onlyTyping(p action.Place) action.Place {
	var out action.Place
	for _, a := range p.Actions {
		if a.Typing {
			out.Actions = append(out.Actions, a)
		}
	}
	return out
}

// signs explains the safety keys and the signs in use.
func signs() []canvas.Line {
	out := []canvas.Line{canvas.In(theme.Muted, "SAFETY"),
		canvas.Join(canvas.Bold(theme.Key, "S"), canvas.Text("  signs and sends")),
		canvas.Text("Enter never spends."), nil, canvas.In(theme.Muted, "SIGNS")}
	for _, s := range []struct {
		t          theme.Token
		sign, word string
	}{
		{theme.OK, theme.SignOn, "on, can sign"}, {theme.Muted, theme.SignOff, "off, not yet"}, {theme.Pending, theme.SignWork, "working"},
		{theme.OK, theme.SignDone, "done, final"}, {theme.Danger, theme.SignFailed, "failed, refused"}, {theme.Warn, theme.SignCareful, "careful"},
		{theme.Danger, theme.SignUnknown, "outcome unknown"}, {theme.Untrusted, theme.SignGutter + "“…”", "text by others"},
	} {
		out = append(out, canvas.Join(canvas.In(s.t, s.sign).Pad(5), canvas.Text(s.word)))
	}
	return out
}
