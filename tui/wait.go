package tui

import (
	"context"

	"billfold/walletcore/approval"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// tickMsg comes once a second.
type tickMsg struct{}

// eventMsg is a change in the wallet; open is false when the UI ends.
type eventMsg struct {
	event event.Event
	open  bool
}

// approvalsMsg means that a request started or stopped waiting for an answer.
type approvalsMsg struct{}

// redraw asks for a whole new frame: the terminal shows something else.
type redraw struct{}

// nextEvent waits for the next event of the wallet, or for the end of the UI.
func nextEvent(ctx context.Context, events <-chan event.Event) tea.Cmd {
	return func() tea.Msg {
		select {
		case e, ok := <-events:
			return eventMsg{e, ok}
		case <-ctx.Done():
			return eventMsg{}
		}
	}
}

// nextApproval waits for the next change of the queue from now on; without a queue, there is nothing to wait for.
func nextApproval(ctx context.Context, queue *approval.Queue) tea.Cmd {
	if queue == nil {
		return nil
	}
	changed := queue.Changed()
	return func() tea.Msg {
		select {
		case <-changed:
			return approvalsMsg{}
		case <-ctx.Done():
			return nil
		}
	}
}
