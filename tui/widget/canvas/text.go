package canvas

import (
	"strings"

	"billfold/tui/theme"
)

// Span is a piece of text in one style.
type Span struct {
	Text  string
	Style theme.Style
}

// Line is a row of spans. Amounts, accounts and text by others come as lines from package format, ready to be joined.
type Line []Span

// Text returns a line of plain body text.
func Text(text string) Line { return Line{{Text: text}} }

// In returns a line of one meaning.
func In(t theme.Token, text string) Line { return Line{{Text: text, Style: theme.Of(t)}} }

// Bold returns a line of one meaning, in bold.
func Bold(t theme.Token, text string) Line {
	return Line{{Text: text, Style: theme.Of(t).With(theme.Bold)}}
}

// Join puts lines next to each other.
func Join(lines ...Line) Line {
	n := 0
	for _, l := range lines {
		n += len(l)
	}
	if n == 0 {
		return nil
	}
	out := make(Line, 0, n)
	for _, l := range lines {
		out = append(out, l...)
	}
	return out
}

// Width returns the width of the line in cells.
func (l Line) Width() int {
	n := 0
	for _, s := range l {
		n += Width(s.Text)
	}
	return n
}

// String returns the text alone.
func (l Line) String() string {
	var out strings.Builder
	for _, s := range l {
		out.WriteString(s.Text)
	}
	return out.String()
}

// Pad adds spaces on the right up to w cells.
func (l Line) Pad(w int) Line {
	return append(append(make(Line, 0, len(l)+1), l...), Span{Text: strings.Repeat(" ", max(w-l.Width(), 0))})
}

// PadLeft adds spaces on the left up to w cells.
func (l Line) PadLeft(w int) Line {
	return append(Line{{Text: strings.Repeat(" ", max(w-l.Width(), 0))}}, l...)
}

// As returns the whole line in another meaning, as stale values are shown.
func (l Line) As(t theme.Token) Line {
	out := append(Line(nil), l...)
	for i := range out {
		out[i].Style.Fg = t
	}
	return out
}

// Bold returns the whole line in bold.
func (l Line) Bold() Line {
	out := append(Line(nil), l...)
	for i := range out {
		out[i].Style = out[i].Style.With(theme.Bold)
	}
	return out
}

// On returns the whole line on a background.
func (l Line) On(bg theme.Token) Line {
	out := append(Line(nil), l...)
	for i := range out {
		out[i].Style.Bg = bg
	}
	return out
}

// Wrap breaks the line into rows of at most w cells, at spaces if there are any, else inside the word; nothing is lost but the space
// at the break.
func (l Line) Wrap(w int) []Line {
	if w < 2 {
		return nil
	}
	if n, plain := l.countSimple(); plain && n > 0 && n <= w { // most lines fit
		return []Line{l}
	}
	var rows []Line
	gs := l.graphemes()
	for len(gs) > 0 {
		n, next := breakAt(gs, w)
		rows = append(rows, join(gs[:n]))
		gs = gs[next:]
	}
	if rows == nil {
		rows = []Line{nil}
	}
	return rows
}

// Split breaks the line in two, the first of which fills w cells, inside of a word if need be.
func (l Line) Split(w int) (first, rest Line) {
	gs, used := l.graphemes(), 0
	for i, g := range gs {
		if used += Width(g.Text); used > w {
			return join(gs[:i]), join(gs[i:])
		}
	}
	return l, nil
}

// countSimple is countSimple of the whole line's text.
func (l Line) countSimple() (n int, plain bool) {
	for _, s := range l {
		in, plain := countSimple(s.Text)
		if !plain {
			return 0, false
		}
		n += in
	}
	return n, true
}

// breakAt returns how many graphemes fit in w cells and where the next row begins.
func breakAt(gs []Span, w int) (n, next int) {
	used, space := 0, -1
	for n < len(gs) {
		gw := Width(gs[n].Text)
		if used+gw > w {
			break
		}
		if gs[n].Text == " " {
			space = n
		}
		used += gw
		n++
	}
	switch {
	case n == len(gs):
		return n, n
	case gs[n].Text == " ":
		return n, n + 1
	case space > 0:
		return space, space + 1
	}
	return max(n, 1), max(n, 1)
}

func (l Line) graphemes() []Span {
	n := 0
	for _, s := range l {
		n += len(s.Text)
	}
	out := make([]Span, 0, n)
	for _, s := range l {
		for g := range graphemes(s.Text) {
			out = append(out, Span{Text: g, Style: s.Style})
		}
	}
	return out
}

// join merges neighbours of the same style into one span.
func join(gs []Span) Line {
	var out Line
	for len(gs) > 0 {
		var text strings.Builder
		n := 0
		for ; n < len(gs) && gs[n].Style == gs[0].Style; n++ {
			text.WriteString(gs[n].Text)
		}
		out = append(out, Span{Text: text.String(), Style: gs[0].Style})
		gs = gs[n:]
	}
	return out
}
