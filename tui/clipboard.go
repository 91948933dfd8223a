package tui

import (
	"time"

	"billfold/tui/screen"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// privateFor is how long a private value stays on the clipboard.
const privateFor = 30 * time.Second

// clipboard is what this UI put on the terminal's clipboard.
type clipboard struct {
	write   func(text string) error // nil: there is no terminal
	private bool                    // what was put there last leaves it again
	copies  int
}

// emptyClipboard means that the time of a private value is over.
type emptyClipboard struct{ copy int }

// put copies a value and returns what to tell the person. A private one leaves the
// clipboard after a while, with the lock, and when the UI ends: without a look at what
// is there then, for terminals do not say.
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

// expire takes a private value off the clipboard, unless another followed it.
func (c *clipboard) expire(e emptyClipboard) {
	if e.copy == c.copies {
		c.clear()
	}
}

// clear takes a private value off the clipboard, if one was put there last.
func (c *clipboard) clear() {
	if c.private {
		_ = c.write("")
		c.private = false
	}
}
