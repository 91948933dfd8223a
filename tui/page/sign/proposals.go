package sign

import (
	"context"

	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/proposal"

	tea "github.com/charmbracelet/bubbletea"
)

// read asks for the proposals, unless that is under way.
func (m *Model) read(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy(topicRead); busy || len(env.Accounts) == 0 {
		return nil
	}
	return m.tasks.Start(env, topicRead, askLimit, func(ctx context.Context) (any, error) { return m.core.Reader.Own(ctx) })
}

// build has the change of the proposal in focus built; nothing is signed by that.
func (m *Model) build(env screen.Env, id action.ID) tea.Cmd {
	switch why := m.Off(env, id); why {
	case "":
	case unpaid: // longer than a toast lasts
		m.note, m.focus = "Not now: "+why+".", panelList
		return nil
	default:
		return screen.NotNow(why)
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{Back: screen.Sign})
	}
	p, _ := m.current()
	req := build.ApproveProposalParams{Payer: payer(env), Proposal: p.ID.String(), Delta: p.Give.Adds()}
	if id == doWithdraw {
		req.Delta = p.Take.Removes()
	}
	m.note = ""
	then := ""
	if id == doApprove {
		then = effect(env, p)
	}
	return m.tasks.Start(env, topicBuild, screen.BuildLimit, func(ctx context.Context) (any, error) {
		made, err := m.core.Approver.Approve(ctx, req)
		return change{made, then}, err
	})
}

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicRead:
		m.take(env, msg)
	case topicBuild:
		return m.built(env, msg)
	case topicFile:
		return m.opened(env, msg)
	case topicSign:
		return m.signed(env, msg)
	}
	return nil
}

// take keeps the row in focus where it is still there.
func (m *Model) take(env screen.Env, msg screen.Result) {
	if m.fault = msg.Err; msg.Err != nil {
		return
	}
	was, there := m.current()
	m.all, _ = msg.Body.([]proposal.Proposal)
	m.since = env.Now
	for i, p := range m.shown() {
		if there && p.ID == was.ID {
			m.at.Jump(i, len(m.all))
			return
		}
	}
	m.at.Jump(m.at.At, len(m.shown()))
	m.top = 0
}

// change is what changes the approvals of a proposal, and what follows from it.
type change struct {
	screen.Built
	then string
}

// built opens the review, or says why there is none.
func (m *Model) built(env screen.Env, msg screen.Result) tea.Cmd {
	built, made := msg.Body.(change)
	switch {
	case fault.CodeOf(msg.Err) == fault.Locked:
		return screen.Request(screen.NeedUnlock{Back: screen.Sign})
	case msg.Err != nil || !made:
		m.note = advice.Said(msg.Err)
		return m.read(env)
	}
	return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: built.Built, Back: screen.Sign, Then: built.then}})
}
