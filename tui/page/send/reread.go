package send

import (
	"context"
	"time"

	"billfold/tui/screen"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// rereadEvery is how often blocks alone have a review looked at again.
const rereadEvery = 10 * time.Second

// reread looks again at what is under review: others spend while it is read.
func reread(m *Model, env screen.Env) tea.Cmd {
	_, busy := m.tasks.Busy(topicReread)
	if busy || m.stage != stageReview || written(m) || !env.Live() || !env.Unlocked() {
		return nil
	}
	built, shown := m.prepared, m.review.Shown
	return m.tasks.Start(env, topicReread, screen.BuildLimit, func(ctx context.Context) (any, error) {
		found, ok, err := lookAgain(ctx, built, shown)
		if !ok {
			return nil, err
		}
		return found, err
	})
}

// rereadIfOld looks again at what was looked at some blocks ago.
func rereadIfOld(m *Model, env screen.Env) tea.Cmd {
	if env.Now.Sub(m.review.Built) < rereadEvery {
		return nil
	}
	return reread(m, env)
}

// wasReread shows what is under review as of now. Where there is no answer it is looked at again before the signature.
func wasReread(m *Model, env screen.Env, msg screen.Result) tea.Cmd {
	found, is := msg.Body.(later)
	switch {
	case m.stage != stageReview:
	case fault.CodeOf(msg.Err) == fault.InsufficientBalance && m.back == "":
		return unbuilt(m, msg.Err)
	case msg.Err == nil && is:
		return showLater(m, env, m.review, found)
	}
	return nil
}
