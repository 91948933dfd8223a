package keys

import (
	"context"
	"strings"

	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// offPlan returns why an action is not possible while a change is shown.
func (m *Model) offPlan(env screen.Env, do action.ID) string {
	switch {
	case do != doReview:
		return ""
	case m.plan.change.Impossible() != "":
		return m.plan.change.Impossible()
	case !env.Online():
		return env.NoNode()
	}
	return ""
}

// doPlan performs a key while a change is shown.
func (m *Model) doPlan(env screen.Env, id action.ID) tea.Cmd {
	p := &m.plan
	rows := p.parties(p.focus)
	if p.cursors[p.focus].Do(id, len(rows)) {
		return nil
	}
	switch id {
	case "next", "prev":
		p.focus = 1 - p.focus
	case doWhatIf:
		if at := p.cursors[p.focus].At; at < len(rows) {
			p.change.Flip(Party{Key: rows[at].key, Account: m.nameOf(rows[at].account)})
		}
	case "esc":
		if len(p.change.Then.tree.flipped) > 0 {
			p.change.Now.tree.flipped, p.change.Then.tree.flipped = nil, nil
			return nil
		}
		m.form.Work, m.form.signers = p.form, p.signers
		p.discard()
	case doReview:
		return m.reviewPlan(env)
	}
	return nil
}

// reviewPlan starts building the change. If the keys here would lose a role, the account's name must be typed first.
func (m *Model) reviewPlan(env screen.Env) tea.Cmd {
	p := &m.plan
	if why := p.change.Impossible(); why != "" {
		return screen.NotNow(why)
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{})
	}
	change, payers, end := p.change, env.Payers(p.change.id), env.ProposalEnd()
	work := func(ctx context.Context) (any, error) { return change.Build(ctx, payers, end) }
	loses := change.Loses()
	if len(loses) == 0 {
		return m.tasks.Start(env, topicPlan, screen.BuildLimit, work)
	}
	account := p.change.Now.tree.lookup(p.change.id)
	form := &ask.Form{Title: "You would lose control", Word: "go on to the review",
		Text: []canvas.Line{
			canvas.Text("The keys in this wallet would no longer suffice for " +
				strings.Join(loses, " and ") + " of " + format.Clean(account.Name) + "."),
			canvas.Text("Others have to sign as well. Type the name of the account to go on."),
		},
		Fields: []ask.Field{{Label: "Account"}},
		Missing: func(values []string) string {
			if strings.TrimSpace(values[0]) != account.Name {
				return "that is not its name"
			}
			return ""
		}}
	m.form.judgesPassword, m.form.signers = false, nil
	m.form.Open(form, "Building", func(ctx context.Context, _ []string) (any, error) { return work(ctx) })
	return nil
}

// openPlanReview opens the review of a change that was built.
func (m *Model) openPlanReview(env screen.Env, msg screen.Result) tea.Cmd {
	built, is := msg.Body.(screen.Built)
	if msg.Err != nil || !is {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Text(advice.Sentence(msg.Err))})
	}
	m.plan.builtReview, m.plan.builtAt = built.Review(), env.Now
	spend := screen.Spend{Built: built, Back: screen.Keys, NameTyped: len(m.plan.change.Loses()) > 0, Chosen: true}
	return screen.Request(screen.Navigate{To: screen.Send, With: spend})
}
