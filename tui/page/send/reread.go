package send

import (
	"context"
	"time"

	"billfold/tui/screen"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// rereadEvery is the age from which a block has a review made again.
const rereadEvery = 10 * time.Second

// reread starts reviewing again what is under review: balances and keys may change while a person reads.
func (m *Model) reread(env screen.Env) tea.Cmd {
	_, busy := m.tasks.Busy(topicReread)
	if busy || m.stage != stageReview || m.reviewsFile() || !env.Live() || !env.Unlocked() {
		return nil
	}
	built, shown := m.prepared, m.review.Shown
	return m.tasks.Start(env, topicReread, screen.BuildLimit, func(ctx context.Context) (any, error) {
		found, ok, err := screen.Rereview(ctx, built, shown)
		if !ok {
			return nil, err
		}
		return found, err
	})
}

// rereadIfOld starts reviewing again what was reviewed some blocks ago.
func (m *Model) rereadIfOld(env screen.Env) tea.Cmd {
	if env.Now.Sub(m.review.Built) < rereadEvery {
		return nil
	}
	return m.reread(env)
}

// applyReread shows the new review. If there is none, what was built is reviewed again before it is signed.
func (m *Model) applyReread(env screen.Env, msg screen.Result) tea.Cmd {
	found, is := msg.Body.(screen.Reread)
	switch {
	case m.stage != stageReview:
	case fault.CodeOf(msg.Err) == fault.InsufficientBalance && m.builtBy == "":
		return m.showBuildError(msg.Err)
	case msg.Err == nil && is:
		return m.showReread(env, m.review, found)
	}
	return nil
}
