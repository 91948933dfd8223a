package sign

import (
	"context"

	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/walletcore/fault"
	"billfold/walletcore/proposal"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// readProposals starts reading the proposals, unless that is under way.
func (m *Model) readProposals(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy(topicRead); busy || len(env.Accounts) == 0 {
		return nil
	}
	return m.tasks.Start(env, topicRead, readLimit, func(ctx context.Context) (any, error) { return m.core.Reader.Own(ctx) })
}

// buildApproval starts building an approval of the proposal in focus, or its withdrawal. Nothing is signed.
func (m *Model) buildApproval(env screen.Env, id action.ID) tea.Cmd {
	switch why := m.Off(env, id); why {
	case "":
	case noPayer: // too long for a toast
		m.note, m.focus = "Not now: "+why+".", panelList
		return nil
	default:
		return screen.NotNow(why)
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{})
	}
	p, _ := m.focused()
	req := txbuild.ApproveProposalParams{Payer: payerID(env), Proposal: p.ID.String(), Delta: p.Give.Adds()}
	if id == doWithdraw {
		req.Delta = p.Take.Removes()
	}
	m.note = ""
	then := ""
	if id == doApprove {
		then = effectText(env, p)
	}
	return m.tasks.Start(env, topicBuild, screen.BuildLimit, func(ctx context.Context) (any, error) {
		made, err := m.core.Approver.Approve(ctx, req)
		return approvalChange{made, then}, err
	})
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicRead:
		m.applyProposals(env, msg)
	case topicBuild:
		return m.openReview(env, msg)
	case topicFile:
		return m.applyFile(env, msg)
	case topicSign:
		return m.applySigned(env, msg)
	}
	return nil
}

// applyProposals shows the proposals that were read. The row in focus stays in focus if it still exists.
func (m *Model) applyProposals(env screen.Env, msg screen.Result) {
	if m.fault = msg.Err; msg.Err != nil {
		return
	}
	was, there := m.focused()
	m.proposals, _ = msg.Body.([]proposal.Proposal)
	m.readAt = env.Now
	for i, p := range m.filtered() {
		if there && p.ID == was.ID {
			m.cursor.Jump(i, len(m.proposals))
			return
		}
	}
	m.cursor.Jump(m.cursor.At, len(m.filtered()))
	m.scrolled = 0
}

// approvalChange is a built change to the approvals of a proposal, and what follows from it.
type approvalChange struct {
	screen.Built
	then string
}

// openReview opens the review of what was built, or shows why nothing was.
func (m *Model) openReview(env screen.Env, msg screen.Result) tea.Cmd {
	built, made := msg.Body.(approvalChange)
	switch {
	case fault.CodeOf(msg.Err) == fault.Locked:
		return screen.Request(screen.NeedUnlock{})
	case msg.Err != nil || !made:
		m.note = advice.Sentence(msg.Err)
		return m.readProposals(env)
	}
	return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: built.Built, Back: screen.Sign, Then: built.then}})
}
