package settings

import (
	"fmt"
	"strings"

	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	p := layout.SettingScreen(a.W, a.H, env.PanelClass())
	m.drawList(env, a.Sub(p.List.X, p.List.Y, p.List.W, p.List.H))
	if !p.Detail.Empty() {
		m.drawDetail(env, a.Sub(p.Detail.X, p.Detail.Y, p.Detail.W, p.Detail.H))
	}
}

func (m *Model) drawList(env screen.Env, a canvas.Area) {
	in := a.Panel(canvas.Frame{Title: canvas.Bold(theme.Focus, "Settings"), State: canvas.In(theme.Muted, m.changedText()), Heavy: true,
		Foot: canvas.In(theme.Muted, env.KeyHints("↵ change · d default · / find"))}, env.Class > layout.Tiny)
	in.Zone(screen.Click{At: -1})
	for _, l := range m.topLines(in.W - 4) {
		in.Put(2, 0, l)
		in = in.Below(1)
	}
	all := m.filtered()
	if len(all) == 0 && m.loaded {
		in.Put(2, 0, canvas.Text("No setting matches. esc shows all."))
		return
	}
	nameW, valueW := columnWidths(all, in.W-4)
	height := func(i int) int { // the first of a section has its title above it
		if i == 0 || all[i].Group != all[i-1].Group {
			return 2
		}
		return 1
	}
	first, end := m.cursor.Window(len(all), in.H, height)
	y := 0
	for i := first; i < end; i++ {
		if height(i) == 2 {
			in.Put(1, y, canvas.Bold(theme.Text, all[i].Group))
			y++
		}
		in.Put(2, y, settingLine(all[i], nameW, valueW, in.W-4))
		rows.Mark(in, y, i == m.cursor.At, screen.Click{At: i})
		y++
	}
	list.Scroll(in, first, end-first, len(all))
}

// changedText returns how many settings differ from their default.
func (m *Model) changedText() string {
	n := 0
	for _, s := range m.all {
		if s.Value != s.Default {
			n++
		}
	}
	return fmt.Sprintf("%d changed from default", n)
}

// topLines returns the lines above the list: a field, and the outcome of the last change.
func (m *Model) topLines(w int) (out []canvas.Line) {
	switch {
	case m.typing == inValue:
		s, _ := m.focused()
		label := canvas.In(theme.Muted, s.title()+": ")
		out = append(out, canvas.Join(label, m.edit.Line(max(w-label.Width(), 4), true)))
	case m.typing == inChoice:
		out = append(out, m.choiceLines(w)...)
	case m.typing == inFilter || !m.filter.Empty():
		out = append(out, canvas.Join(canvas.In(theme.Muted, "/ "), m.filter.Line(max(w-2, 4), m.typing == inFilter)))
	}
	switch {
	case m.fault != "":
		out = append(out, canvas.In(theme.Danger, theme.SignFailed+" "+m.fault).Wrap(w)...)
	case m.doneText != "":
		out = append(out, canvas.In(theme.OK, theme.SignDone+" "+m.doneText).Wrap(w)...)
	case !m.loaded:
		out = append(out, canvas.In(theme.Pending, theme.SignWork+" Reading the settings …"))
	}
	return out
}

// choiceLines returns the values to choose from, and what enter does now.
func (m *Model) choiceLines(w int) []canvas.Line {
	s, _ := m.focused()
	line := canvas.In(theme.Muted, s.title()+":")
	for _, value := range s.Choices {
		switch text := s.word(value); {
		case value == m.choice:
			line = canvas.Join(line, canvas.Bold(theme.Focus, " ["+text+"]"))
		default:
			line = canvas.Join(line, canvas.In(theme.Muted, "  "+text))
		}
	}
	what := canvas.Text("It is " + format.Clean(s.word(s.Value)) + " now. ← → chooses another.")
	when := ", " + m.takesEffect(s) + "."
	switch {
	case m.choice == "":
		line = canvas.In(theme.Muted, s.title()+":")
		what = canvas.Join(canvas.Bold(theme.Key, "↵"), canvas.Text(" takes it back from "+format.Clean(s.word(s.Value))+" to its default, "+format.Clean(s.word(s.Default))+when))
	case m.choice != s.Value:
		what = canvas.Join(canvas.Bold(theme.Key, "↵"), canvas.Text(" changes it from "+format.Clean(s.word(s.Value))+" to "+s.word(m.choice)+when))
	}
	return append(line.Wrap(w), what.Wrap(w)...)
}

// columnWidths returns the widths of the columns of names and values.
func columnWidths(all []Setting, w int) (name, value int) {
	for _, s := range all {
		name, value = max(name, canvas.Width(s.title())), max(value, canvas.Width(format.Clean(s.word(s.Value))))
	}
	return name + 2, min(value+2, max(w-name-14, 8), maxValueW)
}

// maxValueW is the greatest width of the column of values; the detail shows whole values.
const maxValueW = 30

func settingLine(s Setting, nameW, valueW, w int) canvas.Line {
	value := canvas.In(theme.Muted, canvas.Cut(format.Clean(s.word(s.Value)), valueW-1))
	if s.Source != "default" {
		value = canvas.Text(canvas.Cut(format.Clean(s.word(s.Value)), valueW-1))
	}
	out := canvas.Join(canvas.Text(s.title()).Pad(nameW), value.Pad(valueW))
	if from := canvas.In(theme.Muted, s.Source); out.Width()+from.Width() <= w {
		out = canvas.Join(out, from)
	}
	return out
}

func (m *Model) drawDetail(env screen.Env, a canvas.Area) {
	s, there := m.focused()
	in := a.Panel(canvas.Frame{Title: canvas.Bold(theme.Text, "Detail"), Foot: canvas.In(theme.Muted, format.Clean(m.store.Path()))},
		env.Class > layout.Tiny)
	if !there {
		return
	}
	y := 0
	put := func(label string, text canvas.Line) {
		for i, l := range text.Wrap(max(in.W-14, 8)) {
			if i == 0 {
				in.Put(2, y, canvas.In(theme.Muted, label))
			}
			in.Put(12, y, l)
			y++
		}
	}
	put("What", canvas.Text(format.Clean(s.Help)))
	put("Value", canvas.Text(format.Clean(s.word(s.Value))+", from "+map[string]string{"default": "its default", "file": "the file",
		"environment": "the environment", "flag": "a flag"}[s.Source]))
	if s.Running != s.Value {
		put("In force", canvas.In(theme.Warn, theme.SignCareful+" "+format.Clean(s.word(s.Running))+", until the next start"))
	}
	if s.Choices != nil {
		put("May be", canvas.In(theme.Muted, strings.Join(s.choiceWords(), "  ")))
	} else {
		put("May be", canvas.In(theme.Muted, s.Kind))
	}
	put("Default", canvas.In(theme.Muted, format.Clean(s.word(s.Default))))
	put("Change", canvas.In(theme.Muted, m.takesEffect(s)))
	put("Flag", canvas.In(theme.Muted, "--"+s.Name+", "+s.Variable))
	if s.Group == groupLook {
		for _, l := range preview() {
			in.Put(2, y, l)
			y++
		}
	}
}

// takesEffect returns when and where a change takes effect, or why it cannot be made here.
func (m *Model) takesEffect(s Setting) string {
	when := "from the next start on"
	switch {
	case s.Fixed != "":
		return s.Fixed
	case s.Overridden:
		return "the " + s.Source + " overrides the file in this run"
	case s.Live:
		when = "at once"
	}
	if m.store.Shared() {
		when += "; the lasting wallet of this folder takes it, too"
	}
	return when
}

// preview returns lines with the signs and colours of the theme.
func preview() []canvas.Line {
	gap := canvas.Text("  ")
	return []canvas.Line{
		canvas.Join(canvas.In(theme.OK, theme.SignOn+" ok"), gap, canvas.In(theme.Pending, theme.SignWork+" working"), gap,
			canvas.In(theme.Warn, theme.SignCareful+" careful"), gap, canvas.In(theme.Danger, theme.SignFailed+" failed"), gap,
			canvas.In(theme.Info, theme.SignNew+" new")),
		canvas.Join(canvas.In(theme.MoneyIn, theme.SignIn+" in"), gap, canvas.In(theme.MoneyOut, theme.SignOut+" out"), gap,
			format.Quote("text from others", 30)),
	}
}
