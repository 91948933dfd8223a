// Package review shows what will be signed and asks for the capital key that
// signs it: for a payment of one's own and for one that a program asks for; and
// for what a program asks to do with keys or the password.
//
// It promises that all it says comes from the operation that was built, read
// back from its bytes; that the key is deaf until the page stood still for
// 600 ms with its last line in view, in a window of this size, and no key came that means nothing to it; and
// that a large, repeated, first or easily mistaken payment is typed before. It signs nothing itself.
package review

import (
	"time"

	"billfold/tui/screen"
	"billfold/walletcore/build"

	tea "github.com/charmbracelet/bubbletea"
)

// Page is the page. Everything about the payment comes from its review.
type Page struct {
	Shown build.Review
	Built time.Time // when the page was made of what was read from the ledger

	ask    Prompt
	since  time.Time // when the page opened or last changed
	checks []check   // what must be typed, in order
	aside  bool      // the keyboard is on the buttons although a check is left
	raw    bool      // JSON and bytes instead
	top    int
	seen   bool          // the last line was in view
	seenIn size          // of the window then
	first  *build.Review // as it was opened; nil: nothing changed
}

// size is how large a window is.
type size struct{ w, h int }

// Reopen starts again the time for which the page must stand still.
func (p *Page) Reopen(env screen.Env) tea.Cmd {
	p.since = env.Now
	return p.Wake()
}

// left returns the check that is to be typed next.
func (p *Page) left() *check {
	for i := range p.checks {
		if !p.checks[i].done {
			return &p.checks[i]
		}
	}
	return nil
}

// Typing reports whether letters go into a confirmation.
func (p *Page) Typing() bool { return p.left() != nil && !p.aside && !p.raw }

// Untyped reports whether nothing is typed into the confirmation that is next.
func (p *Page) Untyped() bool {
	c := p.left()
	return c == nil || c.text.Empty()
}

// Raw reports whether JSON and bytes are shown.
func (p *Page) Raw() bool { return p.raw }

// Wake redraws when the page has stood long enough.
func (p *Page) Wake() tea.Cmd {
	return screen.Request(screen.Wake{In: screen.Quiet})
}

// Ready reports whether the page ignores keys no more.
func (p *Page) Ready(env screen.Env) bool { return env.Quiet() && env.Now.Sub(p.since) >= screen.Quiet }

// Keep takes over what was typed on an earlier page of the same operations.
func (p *Page) Keep(earlier Page) {
	for i := range p.checks {
		for _, was := range earlier.checks {
			if was.what == p.checks[i].what && was.want == p.checks[i].want {
				p.checks[i].done = p.checks[i].done || was.done
			}
		}
	}
}
