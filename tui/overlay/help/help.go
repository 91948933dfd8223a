// Package help is the pop-up that lists every key. It is made from the key table alone, so it cannot promise a key that does not work.
// Choosing a row runs it; for one that signs, approves or deletes, its key is named instead.
package help

import (
	"slices"
	"strings"

	"billfold/tui/action"
	"billfold/tui/overlay/dialog"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/tui/widget/frame"
	"billfold/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

// Place is the pop-up's place in the key table; findPlace is the one while a key is searched for.
const (
	Place     = "help"
	findPlace = "help.find"
)

// Is reports whether a place is the help's own: there is no help for the help.
func Is(place string) bool { return place == Place || place == findPlace }

// Model is the pop-up.
type Model struct {
	table   action.Table
	place   action.Place
	at      list.Cursor // among the rows that can be run
	find    field.Field
	finding bool // the field has the keyboard
	past    int  // lines scrolled past the last row that can be run, to the signs below it
}

// signLines is the number of lines that a key scrolls in the signs.
const signLines = 4

// New returns the help for a place.
func New(table action.Table, place string) *Model {
	return &Model{table: table, place: table.At(place), find: field.New("")}
}

// Places are the pop-up's keys.
func Places() []action.Place {
	return []action.Place{{ID: Place, Title: "Help", Modal: true, Actions: []action.Action{
		{ID: "up", Keys: []string{"up", "k"}, Show: "↑↓", Word: "choose", Help: "row up", Group: "↑↓|row up, down", Hint: 1},
		{ID: "down", Keys: []string{"down", "j"}, Help: "row down", Group: "↑↓|row up, down"},
		{ID: "first", Keys: []string{"g", "home"}, Help: "first row"},
		{ID: "last", Keys: []string{"G", "end"}, Help: "last row"},
		{ID: "pgup", Keys: []string{"pgup"}, Help: "page up", Group: "pgup pgdn|page up, down"},
		{ID: "pgdn", Keys: []string{"pgdown"}, Show: "pgdn", Help: "page down", Group: "pgup pgdn|page up, down"},
		{ID: "enter", Keys: []string{"enter"}, Word: "run", Help: "run the row in focus", Hint: 2},
		{ID: "help.find", Keys: []string{"/"}, Word: "find", Help: "find a key by what it does", Hint: 3},
		{ID: "esc", Keys: []string{"esc", "?", "q"}, Word: "close", Help: "close", Hint: 4},
	}}, {ID: findPlace, Title: "Help, finding", Modal: true, Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "run", Help: "run the row in focus", Hint: 1, Typing: true},
		{ID: "up", Keys: []string{"up"}, Show: "↑↓", Word: "choose", Help: "row up", Group: "↑↓|row up, down", Hint: 2, Typing: true},
		{ID: "down", Keys: []string{"down"}, Help: "row down", Group: "↑↓|row up, down", Typing: true},
		{ID: "pgup", Keys: []string{"pgup"}, Help: "page up", Group: "pgup pgdn|page up, down", Typing: true},
		{ID: "pgdn", Keys: []string{"pgdown"}, Show: "pgdn", Help: "page down", Group: "pgup pgdn|page up, down", Typing: true},
		{ID: "esc", Keys: []string{"esc"}, Word: "close", Help: "close", Hint: 3, Typing: true},
	}}}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	if m.finding {
		return findPlace, screen.TYPE
	}
	return Place, screen.MODAL
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Help" }

// Size returns how much room the pop-up wants.
func (m *Model) Size(screen.Env) (w, h int) {
	all := Model{table: m.table, place: m.place}
	return 96, len(all.lines(90)) + 3
}

// Off implements screen.Limiter: if nothing is found, there is nothing to run.
func (m *Model) Off(_ screen.Env, do action.ID) string {
	if do == "enter" && len(m.runs()) == 0 {
		return "no key here does that"
	}
	return ""
}

// Update implements screen.Screen.
func (m *Model) Update(_ screen.Env, msg tea.Msg) tea.Cmd {
	n := len(m.runs())
	switch msg := msg.(type) {
	case screen.Text:
		if m.find.Key(msg.Key) {
			m.at, m.past = list.Cursor{}, 0
		}
	case screen.Click:
		m.at.Jump(msg.At, n)
	case screen.Command:
		if m.scrollSigns(msg.ID, n) || m.at.Do(msg.ID, n) {
			return nil
		}
		switch msg.ID {
		case "help.find":
			m.finding = true
		case "clear":
			m.find.Set("")
		case "enter":
			return m.run()
		}
	}
	return nil
}

// scrollSigns scrolls the signs below the last of n rows that can be run, and reports whether the key did that.
func (m *Model) scrollSigns(do action.ID, n int) bool {
	most := len(signs()) // more lines than are below the last row are never drawn
	switch {
	case (do == "down" || do == "pgdn") && m.at.At >= n-1:
		m.past = min(m.past+signLines, most)
	case (do == "up" || do == "pgup") && m.past > 0:
		m.past = max(m.past-signLines, 0)
	case do == "last":
		m.past = most
		return false
	default:
		if do == "first" {
			m.past = 0
		}
		return false
	}
	return true
}

// run closes the help and runs the row in focus.
func (m *Model) run() tea.Cmd {
	if rows := m.runs(); m.at.At < len(rows) {
		return screen.Request(dialog.Closed{Then: frame.Press{Do: rows[m.at.At].do}})
	}
	return nil
}

// runs returns the rows that can be run, in the order of the columns.
func (m *Model) runs() (out []row) {
	for _, column := range m.columns() {
		for _, r := range column {
			if r.do != "" {
				out = append(out, r)
			}
		}
	}
	return out
}

// Draw implements screen.Screen.
func (m *Model) Draw(_ screen.Env, a canvas.Area) {
	a.Fill(theme.Style{Bg: theme.ModalBg})
	foot := "↵ runs the row · / find · esc close"
	switch {
	case len(m.runs()) == 0:
		foot = "esc close"
	case m.finding:
		foot = "↵ runs the row · esc close"
	}
	in := a.Box(
		canvas.Frame{Title: canvas.Bold(theme.Focus, "Help · "+m.place.Title), Heavy: true, Bg: theme.ModalBg,
			Foot: canvas.In(theme.Muted, foot)},
	)
	if m.finding {
		in.Put(2, 0, canvas.Bold(theme.Key, "/").On(theme.ModalBg))
		in.Put(4, 0, m.find.Line(in.W-6, true))
		in = in.Below(2)
	}
	lines := m.lines(in.W - 4)
	focus := 0
	for y, l := range lines {
		for _, c := range l {
			if c.run == m.at.At && c.do != "" {
				focus = y
			}
		}
	}
	top := max(min(focus-in.H/2+m.past, len(lines)-in.H), 0)
	for y := range in.H {
		if top+y < len(lines) {
			m.drawLine(in, y, lines[top+y])
		}
	}
	list.Scroll(in, top, in.H, len(lines))
}

func (m *Model) drawLine(in canvas.Area, y int, cells []cell) {
	for _, c := range cells {
		l := c.text.On(theme.ModalBg)
		if c.do != "" && c.run == m.at.At {
			l = c.text.On(theme.SelectBg)
			in.Put(1+c.x, y, canvas.In(theme.Focus, theme.SignRow))
		}
		in.Put(2+c.x, y, l)
		if c.do != "" {
			in.Sub(2+c.x, y, c.text.Width(), 1).Zone(screen.Click{At: c.run})
		}
	}
}

// row is a line of the help.
type row struct {
	text canvas.Line
	do   action.ID // what it runs; empty: it only explains
	word string    // what it is found by; empty: it is not found
}

// cell is a row in its position: x cells from the left, and number run of those that can be run.
type cell struct {
	row
	x, run int
}

// columns returns the keys of this place, the keys that work everywhere, and the signs. During a search it returns one column of the
// keys and signs that match.
func (m *Model) columns() [][]row {
	shared := m.table.At(action.Everywhere)
	if m.place.Modal {
		shared = onlyTyping(shared)
	}
	out := [][]row{column("HERE: "+m.place.Title, m.place), column("EVERYWHERE", shared), signs()}
	want := strings.ToLower(strings.TrimSpace(m.find.Value()))
	if want == "" {
		return out
	}
	var found []row
	for _, r := range slices.Concat(out...) {
		if r.word != "" && strings.Contains(strings.ToLower(r.word), want) {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		found = []row{{text: canvas.In(theme.Muted, "No key here does that")}}
	}
	return [][]row{found}
}

// lines puts the columns next to each other if they fit, else below each other.
func (m *Model) lines(w int) [][]cell {
	columns := m.columns()
	need, height := 0, 0
	widths := make([]int, len(columns))
	for i, c := range columns {
		height = max(height, len(c))
		for _, r := range c {
			widths[i] = max(widths[i], r.text.Width()+2)
		}
		need += widths[i]
	}
	beside := need-2 <= w
	var out [][]cell
	if beside {
		out = make([][]cell, height)
	}
	x, run := 0, 0
	for i, c := range columns {
		for y, r := range c {
			one := cell{r, x, run}
			if r.do != "" {
				run++
			}
			if beside {
				out[y] = append(out[y], one)
			} else {
				out = append(out, []cell{one})
			}
		}
		if beside {
			x += widths[i]
		} else {
			out = append(out, nil)
		}
	}
	return out
}

func column(title string, p action.Place) []row {
	out := []row{{text: canvas.In(theme.Muted, title)}}
	var keys, words []string
	var does []action.ID
	last, width := "", 0
	for _, a := range p.Actions {
		if a.Alias || a.Group != "" && a.Group == last {
			continue
		}
		k, w, do := a.Key(), a.Help, a.ID
		if last = a.Group; a.Group != "" {
			k, w, _ = strings.Cut(a.Group, "|")
			do = ""
		}
		keys, words, does, width = append(keys, k), append(words, w), append(does, do), max(width, canvas.Width(k))
	}
	for i := range keys {
		text := canvas.Join(canvas.Bold(theme.Key, keys[i]).Pad(width+2), canvas.Text(words[i]))
		word := ""
		if does[i] != "" {
			word = keys[i] + " " + words[i]
		}
		out = append(out, row{text, does[i], word})
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

// signs returns the column that explains the safety keys and the signs in use.
func signs() []row {
	out := []row{{text: canvas.In(theme.Muted, "SAFETY")},
		{text: canvas.Join(canvas.Bold(theme.Key, "S"), canvas.Text("  signs and sends"))},
		{text: canvas.Text("Enter never spends.")}, {}, {text: canvas.In(theme.Muted, "SIGNS")}}
	for _, s := range []struct {
		t          theme.Token
		sign, word string
	}{
		{theme.OK, theme.SignOn, "on, can sign"}, {theme.Muted, theme.SignOff, "off, not yet"}, {theme.Pending, theme.SignWork, "working"},
		{theme.OK, theme.SignDone, "done, final"}, {theme.Danger, theme.SignFailed, "failed, refused"}, {theme.Warn, theme.SignCareful, "careful"},
		{theme.Danger, theme.SignUnknown, "outcome unknown"}, {theme.Untrusted, theme.SignGutter + "“…”", "text by others"},
	} {
		out = append(out, row{text: canvas.Join(canvas.In(s.t, s.sign).Pad(5), canvas.Text(s.word)), word: s.sign + " " + s.word})
	}
	return append(out, statusSigns()...)
}

// statusSigns returns the rows that explain the abbreviations of the header and the status row.
func statusSigns() []row {
	out := []row{{}, {text: canvas.In(theme.Muted, "STATUS")}}
	for _, s := range []struct {
		sign canvas.Line
		word string
	}{
		{canvas.In(theme.Muted, "irr −2"), "last 2 blocks not final yet"},
		{canvas.In(theme.Muted, "irr ?"), "not known which are final"},
		{canvas.Join(canvas.In(theme.OK, theme.SignOn), canvas.Text(" 1")), "1 RPC listener is on"},
		{canvas.Bold(theme.Pending, "!1"), "1 program waits for you"},
	} {
		out = append(out, row{text: canvas.Join(s.sign.Pad(8), canvas.Text(s.word)), word: s.sign.String() + " " + s.word})
	}
	return out
}
