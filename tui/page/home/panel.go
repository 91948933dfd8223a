package home

import (
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// box draws a panel's frame, or on a tiny terminal only a row with the title, and returns the area inside.
func (m *Model) box(env screen.Env, a canvas.Area, panel int, title, state canvas.Line, foot string) canvas.Area {
	if env.Class == layout.Tiny {
		a.Rule(0)
		a.Put(1, 0, canvas.Join(canvas.Text(" "), title.As(theme.Focus), canvas.Text(" ")))
		if title.Width()+state.Width()+6 < a.W {
			a.PutRight(1, 0, canvas.Join(canvas.Text(" "), state, canvas.Text(" ")))
		}
		return a.Below(1)
	}
	in := a.Box(canvas.Frame{Title: title, State: state, Foot: canvas.In(theme.Muted, env.KeyHints(foot)), Heavy: m.focus == panel})
	in.Zone(screen.Click{Panel: panel, At: m.cursors[panel].At})
	return in
}
