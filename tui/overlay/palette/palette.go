// Package palette is the pop-up that finds everything by a few letters: pages, the actions of the page in front, accounts, contacts,
// payments, settings, wallet calls, and ledger objects by their id; "send carol 5 DCT" and "history with:carol" fill in the page they
// open. It shows the key of everything it finds, so that a person learns to do without it. It never signs: for an action that does,
// it names the key.
package palette

import (
	"cmp"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

// Place is the pop-up's place in the key table.
const Place = "palette"

// Model is the pop-up.
type Model struct {
	input field.Field
	all   []entry
	at    list.Cursor
}

// New returns the palette over the sources.
func New(from Sources) *Model { return &Model{all: from.entries()} }

// Places are the pop-up's keys.
func Places() []action.Place {
	return []action.Place{{ID: Place, Title: "Palette", Modal: true, Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "go", Help: "run the row in focus", Hint: 1, Typing: true},
		{ID: "up", Keys: []string{"up", "ctrl+p"}, Show: "↑↓", Word: "choose", Help: "row up", Group: "↑↓|row up, down", Hint: 2, Typing: true},
		{ID: "down", Keys: []string{"down", "ctrl+n"}, Help: "row down", Group: "↑↓|row up, down", Typing: true},
		{ID: "next", Keys: []string{"tab"}, Word: "fill in", Help: "fill in the row in focus", Hint: 3, Typing: true},
		{ID: "esc", Keys: []string{"esc"}, Word: "close", Help: "close", Hint: 4, Typing: true},
	}}}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return Place, screen.TYPE }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Palette" }

// Size returns how much room the pop-up wants.
func (m *Model) Size(screen.Env) (w, h int) { return 78, 20 }

// Update implements screen.Screen.
func (m *Model) Update(_ screen.Env, msg tea.Msg) tea.Cmd {
	found := m.found()
	switch msg := msg.(type) {
	case screen.Text:
		m.input.Key(msg.Key)
		m.at = list.Cursor{}
	case screen.Click:
		m.at.Jump(msg.At, len(found))
	case screen.Command:
		switch msg.ID {
		case "up":
			m.at.Move(-1, len(found))
		case "down":
			m.at.Move(1, len(found))
		case "clear":
			m.input.Set("")
		case "next":
			if m.at.At < len(found) {
				m.input.Set(found[m.at.At].word)
			}
		case "enter":
			return m.enter(found)
		}
	}
	return nil
}

func (m *Model) enter(found []entry) tea.Cmd {
	if m.at.At >= len(found) || found[m.at.At].off != "" {
		return nil
	}
	return screen.Request(dialog.Closed{Then: found[m.at.At].do})
}

// sentence parses the full forms: send WHO [AMOUNT [ASSET]], history FILTER. Whatever is typed after WHO is put into the form, valid
// or not. It returns nil for any other text.
func sentence(text string) tea.Msg {
	verb, rest, _ := strings.Cut(strings.Trim(text, " "), " ")
	rest = strings.TrimLeft(rest, " ")
	if rest == "" {
		return nil
	}
	switch verb {
	case "send":
		to, sum, _ := strings.Cut(rest, " ")
		amount, asset := ledger.SplitAmount(strings.TrimLeft(sum, " "))
		return screen.Navigate{To: screen.Send, With: screen.Typed{To: to, Amount: amount, Asset: asset}}
	case "history":
		return screen.Navigate{To: screen.History, With: screen.Filter(rest)}
	}
	return nil
}

// found returns the matches: the group with the best one first, and the best of each group first. A first character narrows them: >
// to actions, @ to accounts and contacts, # to objects, ! to wallet calls, a comma to settings.
func (m *Model) found() []entry {
	text := strings.TrimSpace(m.input.Value())
	want, only := strings.ToLower(text), []string(nil)
	if want != "" {
		if groups, narrows := narrow()[want[0]]; narrows {
			want, only = strings.TrimSpace(want[1:]), groups
		}
	}
	type hit struct {
		entry
		found match
	}
	var hits []hit
	best := map[string]rank{}
	for _, e := range m.all {
		if e.group == calls && want == "" && only == nil {
			continue // there are hundreds: they are listed only once something is typed
		}
		found, ok := e.match(want)
		if !ok || only != nil && !slices.Contains(only, e.group) {
			continue
		}
		hits = append(hits, hit{e, found})
		if known, is := best[e.group]; !is || found.rank < known {
			best[e.group] = found.rank
		}
	}
	order := groups()
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(best[a.group], best[b.group]), cmp.Compare(slices.Index(order, a.group), slices.Index(order, b.group)),
			cmp.Compare(a.found.rank, b.found.rank), cmp.Compare(a.found.cost, b.found.cost))
	})
	var out []entry
	if full := sentence(text); full != nil && m.input.Fault() == "" { // a private key is never repeated
		out = append(out, entry{group: sentences, word: text, do: full,
			line: canvas.Join(canvas.Text("Open with what is typed: "), canvas.Bold(theme.Text, format.Clean(text)))})
	}
	for _, h := range hits {
		out = append(out, h.entry)
	}
	if m.input.Fault() == "" && (only == nil || only[0] == objects) {
		out = append(out, named(text)...)
	}
	return out
}

// Draw implements screen.Screen.
func (m *Model) Draw(_ screen.Env, a canvas.Area) {
	found := m.found()
	a.Fill(theme.Style{Bg: theme.ModalBg})
	in := a.Box(canvas.Frame{Title: canvas.Bold(theme.Focus, "Palette"), Heavy: true, Bg: theme.ModalBg,
		State: canvas.In(theme.Muted, format.Count(len(found))+" of "+format.Count(len(m.all))),
		Foot:  canvas.In(theme.Muted, "↵ go · tab fill in · > actions · @ who · # objects · ! calls · esc")})
	in.Put(2, 0, canvas.Bold(theme.Key, ":").On(theme.ModalBg))
	in.Put(4, 0, m.input.Line(in.W-6, true))
	body := in.Below(2)
	at := m.at
	first, end := at.Window(len(found), body.H, func(i int) int { return 1 + heading(found, i) })
	y := 0
	for i := first; i < end; i++ {
		if heading(found, i) == 1 {
			body.Put(2, y, canvas.In(theme.Muted, found[i].group).On(theme.ModalBg))
			y++
		}
		m.row(body, y, found[i], i)
		y++
	}
	list.Scroll(body, first, end-first, len(found))
}

// heading returns how many lines the group's name takes above row i: 1 for the first row of a group, else 0.
func heading(found []entry, i int) int {
	if i == 0 || found[i].group != found[i-1].group {
		return 1
	}
	return 0
}

func (m *Model) row(body canvas.Area, y int, e entry, i int) {
	right, l := canvas.In(theme.Key, e.key), e.line
	if e.off != "" {
		right, l = canvas.In(theme.Muted, e.off), l.As(theme.Muted)
	}
	if w := body.W - 4; l.Width() > w { // before the scroll bar
		l = canvas.Join(l.Wrap(w - 1)[0], canvas.In(theme.Muted, theme.SignCut))
	}
	body.Put(2, y, l)
	if l.Width()+right.Width()+6 < body.W {
		body.PutRight(3, y, right)
	}
	bg := theme.ModalBg
	if i == m.at.At {
		bg = theme.SelectBg
		body.Put(0, y, canvas.In(theme.Focus, theme.SignRow))
	}
	body.Tint(y, bg)
	body.Row(y).Zone(screen.Click{At: i})
}
