package tui

import (
	"billfold/tui/format"
	"billfold/tui/overlay/approval"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	queue "billfold/walletcore/approval"

	tea "github.com/charmbracelet/bubbletea"
)

// approvalsMsg says that a program began or ended to wait for an answer.
type approvalsMsg struct{}

// waiting lists the spends that wait for an answer.
func (m *Model) waiting() []queue.Request {
	if m.opt.Approvals == nil {
		return nil
	}
	return m.opt.Approvals.Waiting()
}

// listenForApprovals waits for the next change of the queue.
func (m *Model) listenForApprovals() tea.Cmd {
	if m.opt.Approvals == nil {
		return nil
	}
	changed := m.opt.Approvals.Changed()
	return func() tea.Msg {
		select {
		case <-changed:
			return approvalsMsg{}
		case <-m.ctx.Done():
			return nil
		}
	}
}

// approvals tells of programs that began to wait. Nothing opens by itself: a
// person may be typing.
func (m *Model) approvals() tea.Cmd {
	next := m.listenForApprovals() // before it is read what waits, so that nothing is missed
	m.refresh()
	for _, r := range m.env.Approvals {
		if r.Number > m.told {
			m.told = r.Number
			asks := " asks to spend, ! opens: "
			if r.Sentence != "" {
				asks = " asks for keys, ! opens: "
			}
			m.toasts.add(m.env.Now, screen.Toast{Bad: true, Line: canvas.Join(canvas.In(theme.Pending, theme.SignNew+" "+format.Clean(r.Who)+asks), m.summary(r))})
		}
	}
	return tea.Batch(next, m.front().Update(m.env, screen.Tick{}))
}

// summary is what a request asks for; a locked wallet does not tell.
func (m *Model) summary(r queue.Request) canvas.Line {
	if !m.env.Unlocked() {
		return canvas.In(theme.Muted, format.Serial(r.Number))
	}
	return approval.Summary(r)
}

// showOldest opens the request that has waited longest.
func (m *Model) showOldest() tea.Cmd {
	m.refresh()
	switch {
	case len(m.env.Approvals) > 0:
		return m.showApproval(m.env.Approvals[0])
	case m.opt.Approvals == nil:
		m.toasts.add(m.env.Now, screen.Toast{Line: canvas.Text("No program can call: no listener is on")})
	default:
		m.toasts.add(m.env.Now, screen.Toast{Line: canvas.Text("No program is waiting")})
	}
	return nil
}

// showApproval opens the pop-up of a request; a locked wallet is opened first.
func (m *Model) showApproval(r queue.Request) tea.Cmd {
	if !m.env.Unlocked() {
		return screen.Request(screen.NeedUnlock{Back: screen.RPC})
	}
	if _, open := m.front().(*approval.Model); open || len(m.popups) >= maxPopups {
		return nil
	}
	pop, wake := approval.New(m.env, m.opt.Approvals, r)
	return tea.Batch(m.push(pop), wake)
}
