package history

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/history"
	words "billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"

	"github.com/rivo/uniseg"
)

// filter is the line above the table and its meaning. The rows match the text that
// was last understood; another one may be pending.
type filter struct {
	text      field.Field
	applied   string              // the text that the rows match
	parsed    historyindex.Filter // what that text means, up to the edge
	pending   string              // the text that the open question is about
	memos     history.MemoSearch  // how far memos were searched for it
	sums      []history.Sum       // what the matching rows move
	mistake   *words.Mistake
	mistakeIn string // the text that the mistake is in
}

// isPending reports whether rows for another text are awaited.
func (f *filter) isPending() bool { return f.pending != f.applied }

// reject records the mistake in the pending text; the rows stay.
func (f *filter) reject(m *words.Mistake) {
	f.mistake, f.mistakeIn, f.pending = m, f.pending, f.applied
}

// clearMistake drops the mistake if the text in the field was understood.
func (f *filter) clearMistake(words string) {
	if f.mistake != nil && f.pending == words && f.text.Value() == words {
		f.mistake = nil
	}
}

// hasMistake reports whether the text in the field has a mistake.
func (f *filter) hasMistake() bool { return f.mistake != nil && f.mistakeIn == f.text.Value() }

// corrected returns the text with the nearest known word in place of the mistake.
func (f *filter) corrected() (text string, ok bool) {
	if !f.hasMistake() || f.mistake.Nearest == "" {
		return "", false
	}
	return f.mistakeIn[:f.mistake.From] + f.mistake.Nearest + f.mistakeIn[f.mistake.To:], true
}

// drawLine draws the row above the list: the date being typed, or the filter.
func (v view) drawLine(a canvas.Area) {
	if v.m.typing == dateInput {
		v.drawDate(a)
		return
	}
	x := a.Put(1, 0, canvas.In(theme.Muted, "Filter / "))
	if !v.l.filter.hasMistake() {
		right := firstFitting(a.W-x-24, v.countTexts())
		a.Put(x, 0, v.l.filter.text.Line(a.W-x-right.Width()-3, v.m.typing == filterInput))
		a.PutRight(1, 0, right)
		return
	}
	length := canvas.Width(v.l.filter.text.Value()) + 1
	room := a.W - x - min(length, 24) - 3
	right := firstFitting(room, v.mistakeTexts(room))
	text := v.l.filter.text.Line(min(length, a.W-x-right.Width()-3), v.m.typing == filterInput)
	end := a.Put(x, 0, v.markMistake(text, length))
	a.Put(end+2, 0, right)
}

// countTexts returns how many rows match and what they move, as texts for any width, the longest first.
func (v view) countTexts() []canvas.Line {
	switch {
	case !v.l.index.known:
		return []canvas.Line{canvas.In(theme.Warn, theme.SignCareful+" the filter waits for the history index"),
			canvas.In(theme.Warn, theme.SignCareful+" no index yet")}
	case v.l.filter.isPending():
		return []canvas.Line{canvas.In(theme.Pending, v.env.Spinner()+" looking")}
	case v.l.filter.memos.More:
		return v.searchTexts()
	case !v.t.counted:
		return []canvas.Line{v.countingText()}
	}
	all := canvas.In(theme.Muted, fmt.Sprintf("%s of %s rows", format.Count(v.t.total), count(v.l.index.progress.Rows)))
	if sums := v.sumLine(); sums != nil && v.env.Class == layout.Wide {
		return []canvas.Line{canvas.Join(all, canvas.Text("   "), sums), all}
	}
	if v.l.filter.memos.Locked {
		return []canvas.Line{canvas.Join(canvas.In(theme.Warn, theme.SignCareful+" locked memos are not searched   "), all), all}
	}
	return []canvas.Line{all}
}

// searchTexts returns how far memos were searched, as texts for any width, the longest first.
func (v view) searchTexts() []canvas.Line {
	read, total := v.l.filter.memos.Read, max(v.l.filter.memos.Total, 1)
	text := fmt.Sprintf("%s %d %% of memos searched", v.env.Spinner(), 100*min(read, total)/total)
	sofar := fmt.Sprintf(" · %s rows so far", format.Count(v.t.total))
	return []canvas.Line{canvas.In(theme.Pending, text+sofar), canvas.In(theme.Pending, text)}
}

// countingText returns the text that is shown while the matching rows are counted; after a second it has
// the time since counting began.
func (v view) countingText() canvas.Line {
	text := fmt.Sprintf("%s counting in %s rows", v.env.Spinner(), count(v.l.index.progress.Rows))
	if since, busy := v.l.tasks.Busy(topicTotals); busy && v.env.Now.Sub(since) > 1e9 {
		text += " · " + format.Age(v.env.Now.Sub(since))
	}
	return canvas.In(theme.Pending, text)
}

// mistakeTexts returns what the mistake in the filter is, as texts for any width, the longest first; a text that has no room is cut.
func (v view) mistakeTexts(room int) []canvas.Line {
	what := canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(v.l.filter.mistake.What))
	if v.l.filter.mistake.Nearest == "" {
		begun := canvas.Join(what.Wrap(max(room-1, 1))[0], canvas.Text("…"))
		return []canvas.Line{what, begun, canvas.Bold(theme.Danger, theme.SignFailed)}
	}
	word := canvas.Bold(theme.Text, format.Clean(v.l.filter.mistake.Nearest))
	near := canvas.Join(what, canvas.Text(", nearest: "), word)
	sign := canvas.Bold(theme.Danger, theme.SignFailed)
	return []canvas.Line{canvas.Join(near, canvas.In(theme.Muted, "  (tab accepts)")), near,
		canvas.Join(sign, canvas.Bold(theme.Danger, " "), canvas.Text("nearest: "), word), sign}
}

// markMistake returns the text with the mistake coloured, if the whole text is shown.
func (v view) markMistake(text canvas.Line, length int) canvas.Line {
	if text.Width() < length-1 {
		return text
	}
	wrong, mistake := v.l.filter.mistakeIn, v.l.filter.mistake
	from, to := uniseg.GraphemeClusterCount(wrong[:mistake.From]), uniseg.GraphemeClusterCount(wrong[:mistake.To])
	for i := from; i < to && i < len(text); i++ {
		text[i].Style.Fg = theme.Danger
	}
	return text
}

func (v view) drawDate(a canvas.Area) {
	x := a.Put(1, 0, canvas.In(theme.Muted, "Go to "))
	hint := canvas.In(theme.Muted, "2026-11-20, month, 30d or 12h ago, "+v.env.Times().Zone(v.env.Now))
	if v.m.badDate {
		hint = canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text("write 2026-11-20, month, 30d or 12h"))
	}
	a.Put(x, 0, v.m.date.Line(a.W-x-hint.Width()-3, true))
	a.PutRight(1, 0, hint)
}
