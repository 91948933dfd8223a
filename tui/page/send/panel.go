package send

import (
	"time"

	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// panel draws the frame of the page and returns the area inside; on a tiny terminal there is no frame. read is when what it shows
// was read.
func panel(env screen.Env, a canvas.Area, title string, read time.Time, state, foot canvas.Line) canvas.Area {
	head := canvas.Join(canvas.Bold(theme.Focus, title), env.AsOf(read))
	return a.Panel(canvas.Frame{Title: head, State: state, Foot: foot, Heavy: true}, env.Class > layout.Tiny)
}
