package send

import (
	"context"

	"billfold/tui/action"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

func (m *Model) doReview(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "esc":
		if m.review.Raw() {
			return m.review.Do(env, "review.raw")
		}
		m.leaveReview()
	case doSign:
		return m.sign(env)
	}
	return m.review.Do(env, id)
}

// leaveReview goes back to the form; nothing was signed and nothing is lost.
func (m *Model) leaveReview() {
	if m.stage == stageReview {
		m.stage, m.draft, m.review, m.typing = stageForm, nil, review.Page{}, true
	}
	m.tasks.Forget("build")
}

// sign turns the page to Sending before anything leaves the program.
func (m *Model) sign(env screen.Env) tea.Cmd {
	if why := m.review.Blocked(env); why != "" {
		if !m.review.Settled(env) {
			return nil
		}
		return screen.Request(screen.Toast{Line: canvas.Text("S is off: " + why)})
	}
	draft := m.draft
	m.stage, m.sending = stageSending, sending{review: m.review.Shown, since: env.Now, busy: true}
	m.draft, m.review = nil, review.Page{}
	return m.tasks.Start(env, "send", 0, func(ctx context.Context) (any, error) { return m.core.Send(ctx, draft) })
}

func (m *Model) drawReview(env screen.Env, a canvas.Area) {
	title := "Review"
	if env.Status.Sandbox {
		title = theme.SignChip + " Review " + theme.SignChip
	}
	m.review.Draw(env, panel(env, a, title, m.review.Built, m.review.State(), canvas.In(theme.Muted, "enter does nothing here")))
}
