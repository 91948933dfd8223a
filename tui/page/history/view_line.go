package history

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	"github.com/rivo/uniseg"
)

// drawLine draws the row above the list: the date being typed, or the filter.
func (m *Model) drawLine(env screen.Env, a canvas.Area) {
	if m.typing == dateLine {
		m.drawDate(a)
		return
	}
	x := a.Put(1, 0, canvas.In(theme.Muted, "Filter / "))
	if !m.mistaking() {
		right := first(a.W-x-24, m.counts(env))
		a.Put(x, 0, m.text.Line(a.W-x-right.Width()-3, m.typing == filterLine))
		a.PutRight(1, 0, right)
		return
	}
	length := canvas.Width(m.text.Value()) + 1
	right := first(a.W-x-min(length, 24)-3, m.wrong())
	text := m.text.Line(min(length, a.W-x-right.Width()-3), m.typing == filterLine)
	end := a.Put(x, 0, m.marked(text, length))
	a.Put(end+2, 0, right)
}

// counts are how many rows match, and what they move, in words for any room.
func (m *Model) counts(env screen.Env) []canvas.Line {
	switch {
	case !m.indexed:
		return []canvas.Line{canvas.In(theme.Warn, theme.SignCareful+" the filter waits for the history index"), canvas.In(theme.Warn, theme.SignCareful+" no index yet")}
	case m.asking != m.words:
		return []canvas.Line{canvas.In(theme.Pending, theme.SpinnerFrame(env.Tick)+" looking")}
	case !m.counted:
		return []canvas.Line{m.counting(env)}
	}
	all := canvas.In(theme.Muted, fmt.Sprintf("%s of %s rows", format.Count(m.total), count(m.progress.Rows)))
	if sums := m.sumLine(env); sums != nil && env.Class == layout.Wide {
		return []canvas.Line{canvas.Join(all, canvas.Text("   "), sums), all}
	}
	return []canvas.Line{all}
}

// counting returns that more match than are at hand, and after a second for how long
// they have been counted.
func (m *Model) counting(env screen.Env) canvas.Line {
	text := fmt.Sprintf("%s counting in %s rows", theme.SpinnerFrame(env.Tick), count(m.progress.Rows))
	if since, busy := m.tasks.Busy(tally); busy && env.Now.Sub(since) > 1e9 {
		text += " · " + format.Age(env.Now.Sub(since))
	}
	return canvas.In(theme.Pending, text)
}

// wrong returns what is not understood, in words for any room.
func (m *Model) wrong() []canvas.Line {
	what := canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(m.mistake.What))
	if m.mistake.Nearest == "" {
		return []canvas.Line{what, canvas.Bold(theme.Danger, theme.SignFailed)}
	}
	word := canvas.Bold(theme.Text, format.Clean(m.mistake.Nearest))
	near := canvas.Join(what, canvas.Text(", nearest: "), word)
	return []canvas.Line{canvas.Join(near, canvas.In(theme.Muted, "  (tab takes it)")), near,
		canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text("nearest: "), word), canvas.Bold(theme.Danger, theme.SignFailed)}
}

// marked returns the text with the place of the mistake in its colour, when all of the text is shown.
func (m *Model) marked(text canvas.Line, length int) canvas.Line {
	if text.Width() < length-1 {
		return text
	}
	from, to := uniseg.GraphemeClusterCount(m.mistaken[:m.mistake.From]), uniseg.GraphemeClusterCount(m.mistaken[:m.mistake.To])
	for i := from; i < to && i < len(text); i++ {
		text[i].Style.Fg = theme.Danger
	}
	return text
}

func (m *Model) drawDate(a canvas.Area) {
	x := a.Put(1, 0, canvas.In(theme.Muted, "Go to "))
	hint := canvas.In(theme.Muted, "2026-11-20, 30d or 12h ago, UTC")
	if m.noDate {
		hint = canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text("write 2026-11-20, 30d or 12h"))
	}
	a.Put(x, 0, m.date.Line(a.W-x-hint.Width()-3, true))
	a.PutRight(1, 0, hint)
}
