package review

import (
	"strings"

	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/txbuild"
)

// Rows returns everything that the page shows under its first sentence, for a UI that writes it row by row.
func (p *Page) Rows(env screen.Env) []Row {
	s := sheet{w: unbroken, spoken: true}
	p.fill(env, &s)
	return s.rows
}

// RowsOf is Describe for a UI that writes row by row.
func RowsOf(env screen.Env, v txbuild.Review) []Row {
	s := sheet{w: unbroken, spoken: true, part: true, other: true}
	s.warnings(v)
	s.describe(env, v)
	s.contents(v)
	return s.rows
}

// Warnings returns the warnings of a review and of the proposals that it approves, as sentences.
func Warnings(v txbuild.Review) (out []string) {
	s := sheet{w: unbroken, spoken: true}
	s.warnings(v)
	for _, r := range s.rows {
		out = append(out, strings.TrimPrefix(r.Line.String(), theme.SignCareful+" "))
	}
	if v.Approves != nil {
		for _, careful := range Warnings(*v.Approves) {
			out = append(out, "what it approves "+careful)
		}
	}
	return out
}

// Raw returns the transaction as JSON and as bytes, in lines of at most w cells.
func Raw(v txbuild.Review, w int) []canvas.Line { return rawLines(v, w) }

// MarkRead records that all rows were written: the page counts as read to its last line, and as having stood still.
func (p *Page) MarkRead(env screen.Env) {
	p.seen, p.seenIn, p.since = true, size{}, env.Now.Add(-screen.Quiet)
}

// Question returns what must be typed next, and why; left is false if nothing is left.
func (p *Page) Question() (what, why string, left bool) {
	c := p.nextCheck()
	if c == nil {
		return "", "", false
	}
	return c.what, c.why, true
}

// Answer takes the whole text that was typed for Question. It returns what is wrong with it; empty if it matches.
func (p *Page) Answer(text string) (wrong string) {
	c := p.nextCheck()
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
