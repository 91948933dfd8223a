package tui

import (
	"billfold/tui/overlay/dialog"
	"billfold/tui/page/rpc"
	"billfold/tui/screen"
	"billfold/tui/widget/frame"
	"billfold/walletcore"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements tea.Model: it routes, and does nothing else.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.env.Now = m.opt.now()
	cmd := m.route(msg)
	return m, tea.Batch(cmd, m.followLock())
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width > 0 && msg.Height > 0 {
			m.w, m.h = msg.Width, msg.Height
		}
		m.measure()
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.ResumeMsg:
		m.refresh()
	case tickMsg:
		return m.second()
	case eventMsg:
		return m.event(msg)
	case approvalsMsg:
		return m.approvals()
	case screen.Result:
		return m.deliver(msg)
	case frame.Press:
		return m.press(msg)
	default:
		return m.request(msg)
	}
	return nil
}

// request serves what a screen asked for.
func (m *Model) request(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Navigate:
		return m.open(msg.To, msg.With)
	case screen.Back:
		if m.page != screen.Home {
			return m.open(screen.Home, nil)
		}
	case screen.Toast:
		m.toasts.add(m.env.Now, msg)
	case screen.UseAccount:
		return m.useAccount(msg.ID)
	case screen.RemoveAccount:
		return m.askToRemove(msg.ID)
	case removeNow:
		return m.remove(msg.account)
	case screen.NeedUnlock:
		m.after = msg.Back
		return m.open(screen.Unlock, nil)
	case screen.Unlocked:
		return m.unlocked()
	case screen.WantSandbox:
		m.result = ErrWantSandbox
		return tea.Quit
	case dialog.Closed:
		m.popups = m.popups[:max(len(m.popups)-1, 0)]
		if msg.Then != nil {
			return screen.Request(msg.Then)
		}
	case screen.Click, screen.Command:
		return m.front().Update(m.env, msg)
	case rpc.Open:
		return m.showApproval(msg.Request)
	case quitNow:
		return tea.Quit
	}
	return nil
}

// front is what has the keyboard: the top pop-up or the page.
func (m *Model) front() screen.Screen {
	if n := len(m.popups); n > 0 {
		return m.popups[n-1]
	}
	return m.screens[m.page]
}

// open brings a page to the front. A locked wallet is browsed, not opened.
func (m *Model) open(id screen.ID, with any) tea.Cmd {
	if m.env.Status.Lock == walletcore.LockNew {
		id = screen.FirstRun
	}
	m.page, m.popups = id, nil
	m.refresh()
	return m.screens[id].Update(m.env, screen.Opened{With: with})
}

func (m *Model) deliver(msg screen.Result) tea.Cmd {
	m.refresh()
	m.announce()
	if s, ok := m.screens[msg.Owner]; ok {
		return s.Update(m.env, msg)
	}
	return nil
}

// second advances ages and countdowns.
func (m *Model) second() tea.Cmd {
	m.ticking = false
	m.env.Tick++
	before := m.env.LockIn
	m.refresh()
	m.toasts.expire(m.env.Now, m.typing())
	if before > lockWarning && m.env.LockIn <= lockWarning {
		m.warnOfLock()
	}
	return tea.Batch(m.tick(), m.front().Update(m.env, screen.Tick{}))
}

// event passes on what changed in the core. Every screen hears it, so that a
// page that comes to the front later is not stale.
func (m *Model) event(msg eventMsg) tea.Cmd {
	if !msg.open {
		return nil
	}
	cmds := []tea.Cmd{m.listen()}
	m.refresh()
	switch msg.event.Kind {
	case event.Accounts, event.Lock:
		m.readAccounts()
	case event.Payment, event.Block:
		m.announce()
	}
	return tea.Batch(append(cmds, m.tell(msg.event)...)...)
}

func (m *Model) tell(e event.Event) []tea.Cmd {
	var cmds []tea.Cmd
	for id, s := range m.screens {
		if id == m.page || e.Kind != event.Block {
			cmds = append(cmds, s.Update(m.env, e))
		}
	}
	return cmds
}
