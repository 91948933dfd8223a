package review

import (
	"strings"

	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
)

// Rows are what the page says under its first sentence, for a UI that says it row by row.
func (p *Page) Rows(env screen.Env) []Row {
	s := sheet{w: unbroken, spoken: true}
	p.fill(env, &s)
	return s.rows
}

// RowsOf returns what an operation does that others made, as Describe does.
func RowsOf(env screen.Env, v build.Review) []Row {
	s := sheet{w: unbroken, spoken: true, brief: true, other: true}
	s.control(v)
	s.describe(env, v)
	return s.rows
}

// Careful lists what is to be known first of what a review shows, and of the proposals that it approves.
func Careful(v build.Review) (out []string) {
	s := sheet{w: unbroken, spoken: true}
	s.control(v)
	for _, r := range s.rows {
		out = append(out, strings.TrimPrefix(r.Line.String(), theme.SignCareful+" "))
	}
	if v.Approves != nil {
		for _, careful := range Careful(*v.Approves) {
			out = append(out, "what it approves "+careful)
		}
	}
	return out
}

// Raw lists the transaction as JSON and as bytes, in lines of at most w cells.
func Raw(v build.Review, w int) []canvas.Line { return rawLines(v, w) }

// Heard notes that all rows were said: the last one was in view, and stood still.
func (p *Page) Heard(env screen.Env) {
	p.seen, p.seenIn, p.since = true, size{}, env.Now.Add(-screen.Quiet)
}

// Asks returns what is to be typed next, and why; left is false when nothing is.
func (p *Page) Asks() (what, why string, left bool) {
	c := p.left()
	if c == nil {
		return "", "", false
	}
	return c.what, c.why, true
}

// Answer takes a whole text for what is to be typed next. It returns what is wrong with it; empty when
// it matches.
func (p *Page) Answer(text string) (wrong string) {
	c := p.left()
	text = strings.TrimSpace(text)
	if c == nil || c.match(text) {
		if c != nil {
			c.done = true
		}
		return ""
	}
	if c.wrong != nil {
		if fault := c.wrong(text); fault != "" {
			return fault
		}
	}
	return "it does not match"
}
