package history

import (
	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// drawForm draws the form over the page, with the filter that it makes and how many rows match.
func (v view) drawForm(a canvas.Area) {
	form := v.m.form.ask
	wrong, what := v.m.form.mistakeField(&v.l.filter)
	form.Note = func(field int, live bool) canvas.Line {
		switch lines := formLines(); {
		case field == wrong:
			return canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what))
		case live && field < len(lines):
			return canvas.In(theme.Muted, lines[field].hint)
		case live:
			return canvas.In(theme.Muted, "other words; or, not, ( )")
		}
		return nil
	}
	form.Below = []canvas.Line{canvas.Join(canvas.In(theme.Muted, "Filter / "), canvas.Text(format.Clean(v.l.filter.text.Value())))}
	if wrong >= 0 {
		form.Below = append(form.Below, canvas.In(theme.Muted, "The rows are those of the last filter that was understood."))
	} else {
		form.Below = append(form.Below, v.countTexts()[len(v.countTexts())-1])
		if sums := v.sumLine(); sums != nil && !v.l.filter.isPending() {
			form.Below = append(form.Below, sums)
		}
	}
	form.Draw(v.env, a)
}
