package tui

import (
	"context"
	"time"

	"billfold/tui/overlay/palette"
	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// found holds what was read for a palette after it opened.
type found struct {
	by   *palette.Model
	more palette.More
}

const (
	findLimit = 5 * time.Second // for reading what the palette searches besides what is in memory
	findRows  = 500             // of the newest history
)

// readFindable reads the assets and the newest rows of the account in focus. What cannot be read is not found.
func readFindable(ctx context.Context, core Core, env screen.Env, by *palette.Model) tea.Cmd {
	if len(env.Accounts) == 0 || core.Home.Reader == nil {
		return nil
	}
	id := env.Account.ID
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, findLimit)
		defer cancel()
		balances, _ := core.Home.Balances(ctx, id)
		rows, _ := core.Home.Entries(ctx, id, 0, findRows)
		return found{by, palette.More{Balances: balances, Rows: rows}}
	}
}

// addFound adds to a palette what was read for it, if it is still in front.
func (s *stack) addFound(env screen.Env, read found) {
	if s.front() == screen.Screen(read.by) {
		read.by.Add(env, read.more)
	}
}
