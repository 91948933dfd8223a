package send

import (
	"context"
	"time"

	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// rereadEvery is how old a review must be for a block to have it reviewed again.
const rereadEvery = 10 * time.Second

// reread starts reviewing again what is under review: balances and keys may change while a person reads.
func (m *Model) reread(env screen.Env) tea.Cmd {
	_, busy := m.tasks.Busy(topicReread)
	if busy || m.stage != stageReview || m.reviewsFile() || !env.Live() || !env.Unlocked() {
		return nil
	}
	built, shown := m.prepared, m.review.Shown
	return m.tasks.Start(env, topicReread, screen.BuildLimit, func(ctx context.Context) (any, error) {
		found, ok, err := rereadBuilt(ctx, built, shown)
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
	found, is := msg.Body.(rereadResult)
	switch {
	case m.stage != stageReview:
	case fault.CodeOf(msg.Err) == fault.InsufficientBalance && m.builtBy == "":
		return m.showBuildError(msg.Err)
	case msg.Err == nil && is:
		return m.showReread(env, m.review, found)
	}
	return nil
}

// rereadResult holds what was under review, reviewed again.
type rereadResult struct {
	built  screen.Built // built again if the review is graver: the keys that it was built for may have changed
	review build.Review
	graver bool
}

// rereadBuilt reviews again what was built; shown is its present review. ok is false if it cannot be reviewed again.
func rereadBuilt(ctx context.Context, built screen.Built, shown build.Review) (found rereadResult, ok bool, err error) {
	by, can := built.(screen.Rereader)
	if !can {
		return found, false, nil
	}
	now, err := by.Rereview(ctx)
	if err != nil || !now.Graver(shown) {
		return rereadResult{built, now, false}, true, err
	}
	anew, err := by.Rebuild(ctx)
	if err != nil {
		return found, true, err
	}
	return rereadResult{anew, anew.Review(), true}, true, nil
}
