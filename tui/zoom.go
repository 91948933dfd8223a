package tui

import (
	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// zoom toggles whether the panel in focus takes the whole page.
func (r *reading) zoom(page screen.ID) tea.Cmd {
	switch page {
	case screen.Send, screen.Console, screen.Unlock, screen.FirstRun:
		return screen.NotNow("this page is one panel")
	}
	r.env.Zoomed = !r.env.Zoomed
	return nil
}

// unzoom shows all panels again and reports whether one was zoomed.
func (r *reading) unzoom() bool {
	was := r.env.Zoomed
	r.env.Zoomed = false
	return was
}
