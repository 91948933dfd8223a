package send

import (
	"context"
	"time"

	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// topicReread is looking again at what is under review.
const topicReread = "reread"

// rereadEvery is how often blocks alone have a review looked at again.
const rereadEvery = 10 * time.Second

// later is what was under review, as of now.
type later struct {
	built  screen.Built // another one where it is graver: keys may have changed that it was built for
	now    build.Review
	graver bool
}

// lookAgain reviews what was built as of now; ok is false where it cannot be reviewed again.
func lookAgain(ctx context.Context, built screen.Built, shown build.Review) (found later, ok bool, err error) {
	by, can := built.(screen.Rereader)
	if !can {
		return found, false, nil
	}
	now, err := by.Again(ctx)
	if err != nil || !now.Graver(shown) {
		return later{built, now, false}, true, err
	}
	anew, err := by.Anew(ctx)
	if err != nil {
		return found, true, err
	}
	return later{anew, anew.Review(), true}, true, nil
}

// reread looks again at what is under review: others spend while it is read.
func (m *Model) reread(env screen.Env) tea.Cmd {
	_, busy := m.tasks.Busy(topicReread)
	if busy || m.stage != stageReview || written(m) || !env.Live() || !env.Unlocked() {
		return nil
	}
	built, shown := m.prepared, m.review.Shown
	return m.tasks.Start(env, topicReread, askLimit, func(ctx context.Context) (any, error) {
		found, ok, err := lookAgain(ctx, built, shown)
		if !ok {
			return nil, err
		}
		return found, err
	})
}

// rereadIfOld looks again at what was looked at some blocks ago.
func (m *Model) rereadIfOld(env screen.Env) tea.Cmd {
	if env.Now.Sub(m.review.Built) < rereadEvery {
		return nil
	}
	return m.reread(env)
}

// wasReread shows what is under review as of now. Where there is no answer it is looked at again before the signature.
func (m *Model) wasReread(env screen.Env, msg screen.Result) tea.Cmd {
	found, is := msg.Body.(later)
	switch {
	case m.stage != stageReview:
	case fault.CodeOf(msg.Err) == fault.InsufficientBalance && m.back == "":
		return unbuilt(m, msg.Err)
	case msg.Err == nil && is:
		return m.showLater(env, m.review, found)
	}
	return nil
}

// showLater turns to the review as of now, which says what changed and must stand still again.
func (m *Model) showLater(env screen.Env, before review.Page, found later) tea.Cmd {
	if _, file := found.built.(screen.Unsigned); file {
		return m.show(env, screen.Spend{Built: found.built}, "Back, change it")
	}
	page, same := before.Anew(env, found.now)
	m.stage, m.prepared, m.review = stageReview, found.built, page
	if m.review.Built = env.Now; same && !found.graver {
		return nil
	}
	return m.review.Reopen(env)
}

// bounced goes back to the review of what is graver than it was confirmed: nothing was signed.
func (m *Model) bounced(env screen.Env, found later) tea.Cmd {
	const why = "Not signed: what you read has changed; read it again"
	m.sending.busy = false
	if !env.Unlocked() || m.sending.page.Shown.Operation == "" {
		m.sending.fault = "what you read changed before it was signed"
		return nil
	}
	page := m.sending.page
	m.sending.reset()
	return tea.Batch(m.showLater(env, page, found), screen.Request(screen.Toast{Bad: true, Urgent: true, Line: canvas.Text(why)}))
}
