// Package review shows what will be signed and asks for the capital key that signs it: for the person's own payment, for one that a
// program requests, and for what a program wants to do with keys or the password.
//
// It promises that everything it shows comes from the operation that was built, read back from its bytes; that the key does nothing
// until the page has stood still for 600 ms with its last line in view, in a window no larger than this one, and not right after an
// unrelated key; and that a large, repeated, first or easily mistaken payment must be confirmed by typing. It signs nothing itself: the capital key
// belongs to the page, or the pop-up, that shows it.
package review

import (
	"time"

	"billfold/tui/screen"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// Page is the page. Everything about the payment comes from its review.
type Page struct {
	Shown txbuild.Review
	Built time.Time // when the data on the page was read from the ledger

	ask       Prompt
	since     time.Time // when the page opened or last changed
	checks    []check   // what must be typed, in order, whether done or not
	onButtons bool      // the keyboard is on the buttons although a check is left
	raw       bool      // JSON and bytes instead
	top       int
	seen      bool            // the last line was in view
	seenIn    size            // of the window then
	first     *txbuild.Review // as it was opened; nil: nothing changed
}

// size is the size of a window in cells.
type size struct{ w, h int }

// Reopen restarts the time for which the page must stand still.
func (p *Page) Reopen(env screen.Env) tea.Cmd {
	p.since = env.Now
	return p.Wake()
}

// nextCheck returns the check that must be typed next; nil if none is left.
func (p *Page) nextCheck() *check {
	for i := range p.checks {
		if !p.checks[i].done {
			return &p.checks[i]
		}
	}
	return nil
}

// Typing reports whether letters go into a confirmation.
func (p *Page) Typing() bool { return p.nextCheck() != nil && !p.onButtons && !p.raw }

// Untyped reports whether nothing was typed into the next confirmation.
func (p *Page) Untyped() bool {
	c := p.nextCheck()
	return c == nil || c.text.Empty()
}

// Raw reports whether JSON and bytes are shown.
func (p *Page) Raw() bool { return p.raw }

// Wake returns a command that redraws the page once it has stood still long enough.
func (p *Page) Wake() tea.Cmd {
	return screen.Request(screen.Wake{In: screen.Quiet})
}

// Ready reports whether the page has stood still long enough for its key to work.
func (p *Page) Ready(env screen.Env) bool { return env.Quiet() && env.Now.Sub(p.since) >= screen.Quiet }

// Keep takes over the confirmations that were typed on an earlier page of the same operations.
func (p *Page) Keep(earlier Page) {
	for i := range p.checks {
		for _, was := range earlier.checks {
			if was.what == p.checks[i].what && was.want == p.checks[i].want {
				p.checks[i].done = p.checks[i].done || was.done
			}
		}
	}
}
