package review

import (
	"slices"
	"strings"

	"billfold/walletcore/txbuild"
)

// Confirmation is a text that must still be typed.
type Confirmation struct {
	What, Why string
	Want      string // the text
}

// Remaining returns what must still be typed, in order.
func (p *Page) Remaining() (out []Confirmation) {
	for _, c := range p.checks {
		if !c.done {
			out = append(out, Confirmation{What: c.what, Why: c.why, Want: c.want})
		}
	}
	return out
}

// Confirm takes a text that was written before the review was shown, and marks every check that it confirms as done. It reports false
// if the text confirms none and is neither the id of somebody who gets something nor an amount that leaves an account.
func (p *Page) Confirm(text string) bool {
	confirms := false
	for i := range p.checks {
		if p.checks[i].match(strings.TrimSpace(text)) {
			p.checks[i].done, confirms = true, true
		}
	}
	return confirms || mentions(p.Shown, strings.TrimSpace(text))
}

// mentions reports whether a text is the id of somebody who gets something, or an amount that leaves an account: a text that might
// have been asked for.
func mentions(r txbuild.Review, text string) bool {
	for _, to := range r.Gets {
		if to.ID.String() == text {
			return true
		}
	}
	return slices.ContainsFunc(r.Outgoing, func(o txbuild.Outgoing) bool {
		return amountCheck("", "", o.Asset, o.Amount).match(text)
	}) || r.Approves != nil && mentions(*r.Approves, text)
}
