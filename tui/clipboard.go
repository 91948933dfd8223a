package tui

import (
	"time"

	"billfold/tui/screen"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// privateFor is the time for which a private value stays on the clipboard.
const privateFor = 30 * time.Second

// clipboard is the terminal's clipboard, as far as this UI wrote to it.
type clipboard struct {
	write   func(text string) error // nil: the output is not a terminal
	private bool                    // the last value is private and must be cleared again
	copies  int
}

// emptyClipboard means that the time of a private value on the clipboard is over.
type emptyClipboard struct{ copy int }

// put copies a value and returns the toast about it. A private value is cleared after a while, when the wallet locks, and when the
// UI ends, whatever is on the clipboard by then: a terminal's clipboard cannot be read.
func (c *clipboard) put(v screen.Value, clock Clock) (screen.Toast, tea.Cmd) {
	if c.write == nil {
		return screen.Toast{Bad: true, Line: canvas.Text("Not copied: this output is not a terminal")}, nil
	}
	if err := c.write(v.Text); err != nil {
		return screen.Toast{Bad: true, Line: canvas.Text("Not copied: " + err.Error())}, nil
	}
	c.copies++
	if c.private = v.Private; !v.Private {
		return screen.Toast{Line: canvas.Text("Copied: " + v.Name + ". Not there? Allow OSC 52 in your terminal")}, nil
	}
	return screen.Toast{Line: canvas.Text("Copied: " + v.Name + ". It leaves the clipboard in 30 s")},
		clock.after(privateFor, emptyClipboard{c.copies})
}

// expire clears a private value, unless another value was copied after it.
func (c *clipboard) expire(e emptyClipboard) {
	if e.copy == c.copies {
		c.clear()
	}
}

// clear clears the clipboard if the last value put there was private.
func (c *clipboard) clear() {
	if c.private {
		_ = c.write("")
		c.private = false
	}
}
