package history

import (
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	words "billfold/walletcore/history/filter"
)

// formLine is a field of the form that builds a filter: its word in the filter, its label, and what may be typed.
type formLine struct{ word, label, hint string }

func formLines() []formLine {
	return []formLine{
		{"dir", "Direction", "in, out, self or other"},
		{"with", "With", "name or id; * is any text"},
		{"type", "Operation", "transfer, message, …"},
		{"asset", "Asset", "symbol or id"},
		{"amount", "Amount", "12.5, >10, <5 or 5..20"},
		{"since", "Since", "today, month, 30d or 2026-11-20"},
		{"until", "Until", "today, month, 30d or 2026-11-20"},
		{"memo", "Memo", "words, or enc, plain, none"},
		{"label", "Label", "words of your own label"},
		{"state", "State", "final or pending"},
	}
}

func formWords() (out []string) {
	for _, l := range formLines() {
		out = append(out, l.word)
	}
	return out
}

// formPlace returns the keys of the form.
func formPlace() action.Place {
	return action.Place{ID: "history.form", Title: "Build a filter", Modal: true, Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "to the rows", Help: "keep the filter, go to the rows", Hint: 1, Typing: true},
		{ID: "next", Keys: []string{"tab"}, Word: "next field, nearest word", Help: "accept the nearest word, or next field", Hint: 2, Typing: true},
		{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "previous field", Typing: true},
		{ID: "ask.down", Keys: []string{"down"}, Help: "next field", Typing: true},
		{ID: "ask.up", Keys: []string{"up"}, Help: "previous field", Typing: true},
		{ID: "esc", Keys: []string{"esc"}, Word: "as before", Help: "back to the previous filter", Hint: 3, Typing: true},
	}}
}

// filterForm builds the text of a filter field by field. The last field holds what fits no other.
type filterForm struct {
	before string // the text of the filter when the form was opened
	ask    ask.Form
	spans  []words.Span // where the fields are in the text
}

func newFilterForm(text string) *filterForm {
	f := &filterForm{before: text, ask: ask.Form{Title: "Build a filter", Word: "to the rows"}}
	for _, l := range formLines() {
		f.ask.Fields = append(f.ask.Fields, ask.Field{Label: l.label})
	}
	f.ask.Fields = append(f.ask.Fields, ask.Field{Label: "Also"})
	f.fill(text)
	return f
}

// fill fills the fields from the text of a filter.
func (f *filterForm) fill(text string) {
	values, rest := words.Split(text, formWords())
	for i, v := range append(values, rest) {
		f.ask.Fields[i].Input = field.New(v)
	}
	f.compose()
}

// compose returns the text that the fields make, and records where each is in it.
func (f *filterForm) compose() (text string) {
	values := f.ask.Values()
	n := len(values) - 1
	text, f.spans = words.Join(formWords(), values[:n], values[n])
	return text
}

// mistakeField returns the field with a mistake and what the mistake is; -1 if there is none.
func (f *filterForm) mistakeField(l *filter) (field int, what string) {
	for i := range f.ask.Fields {
		if fault := f.ask.Fields[i].Input.Fault(); fault != "" {
			return i, fault
		}
	}
	if !l.hasMistake() {
		return -1, ""
	}
	what = l.mistake.What
	if l.mistake.Nearest != "" {
		what += ", nearest: " + format.Clean(l.mistake.Nearest)
	}
	for i, s := range f.spans {
		if s.From <= l.mistake.From && l.mistake.From < s.To {
			return i, what
		}
	}
	return len(f.ask.Fields) - 1, what
}

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
