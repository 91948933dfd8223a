package review

import (
	"slices"
	"strings"

	"billfold/walletcore/build"
)

// Confirmation is a text that is still to be typed.
type Confirmation struct {
	What, Why string
	Want      string // the text
}

// Left lists what is still to be typed, in order.
func (p *Page) Left() (out []Confirmation) {
	for _, c := range p.checks {
		if !c.done {
			out = append(out, Confirmation{What: c.what, Why: c.why, Want: c.want})
		}
	}
	return out
}

// Given takes a text that was written before the review was seen, for whatever it confirms. False where it confirms nothing
// that is asked, and is neither the id of somebody who gets something nor an amount that leaves an account.
func (p *Page) Given(text string) bool {
	confirms := false
	for i := range p.checks {
		if p.checks[i].match(strings.TrimSpace(text)) {
			p.checks[i].done, confirms = true, true
		}
	}
	return confirms || states(p.Shown, strings.TrimSpace(text))
}

// states reports whether a text names who gets something, or what leaves an account: what might have been asked for.
func states(r build.Review, text string) bool {
	for _, to := range r.Gets {
		if to.ID.String() == text {
			return true
		}
	}
	return slices.ContainsFunc(r.Outgoing, func(o build.Outgoing) bool {
		return amountCheck("", "", o.Asset, o.Amount).match(text)
	}) || r.Approves != nil && states(*r.Approves, text)
}
