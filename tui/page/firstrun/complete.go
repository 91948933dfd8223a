package firstrun

import (
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// complete completes the path that is typed, and shows the names that fit where there are several.
func (m *Model) complete(env screen.Env) tea.Cmd {
	if m.path == nil || m.Off(env, "next") != "" {
		return nil
	}
	text, names := screen.Complete(m.input.Value())
	m.input.Set(text)
	switch shown := strings.Join(names, "  "); {
	case len(names) == 0:
		m.fault = "Nothing there begins so."
	case len(names) > 1:
		m.names = canvas.Cut(format.Clean(shown), namesW)
	}
	return nil
}

// namesW is how many cells the names take that fit a path.
const namesW = 200
