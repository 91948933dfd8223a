package tui

import (
	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/overlay/approval"
	"billfold/tui/page/home"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	queue "billfold/walletcore/approval"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

func (m *Model) chooseAccount() tea.Cmd {
	if len(m.env.Accounts) == 0 {
		m.toast(screen.Toast{Line: canvas.Text("This wallet has no account yet")})
		return nil
	}
	of := m.screens[screen.Home].(*home.Model)
	m.push(newAccountDialog(m.env, of))
	return of.ReadTotals(m.env)
}

// askToRemove asks whether to remove an account from the list. A locked wallet cannot change its list.
func (m *Model) askToRemove(id ledger.AccountID) tea.Cmd {
	account, listed := m.env.Listed(id)
	switch {
	case !listed:
		m.toast(screen.Toast{Line: canvas.Text("This wallet has no account yet")})
	case !m.env.Unlocked():
		return screen.Request(screen.NeedUnlock{})
	default:
		m.push(removeDialog(account.AccountRef))
	}
	return nil
}

// removeAccount removes an account from the list.
func removeAccount(list Accounts, a ledgerview.AccountRef) tea.Cmd {
	return func() tea.Msg {
		if err := list.Remove(a.ID.String()); err != nil {
			return screen.Toast{Bad: true, Line: canvas.Text(advice.Sentence(err))}
		}
		return screen.Toast{Line: canvas.Join(format.Account(a), canvas.Text(" is no longer listed; its keys stay"))}
	}
}

// quit quits, or asks first.
func (m *Model) quit() tea.Cmd {
	m.refresh()
	d, ask := quitDialog(m.env, m.unsaved(m.env), m.opt.Sandbox)
	if !ask {
		return tea.Quit
	}
	m.push(d)
	return nil
}

// quitUnlessUnsaved quits, or asks first if something typed would be lost.
func quitUnlessUnsaved(m *Model) tea.Cmd {
	lost := m.unsaved(m.env)
	if len(lost) == 0 {
		return tea.Quit
	}
	d, _ := quitDialog(m.env, lost, m.opt.Sandbox)
	m.popups = append(m.popups[:min(len(m.popups), maxPopups-1)], d)
	return nil
}

// showOldest opens the request that has waited longest.
func (m *Model) showOldest() tea.Cmd {
	m.refresh()
	switch {
	case len(m.env.Approvals) > 0:
		return m.showApproval(m.env.Approvals[0], "")
	case m.env.Listeners == 0:
		m.toast(screen.Toast{Line: canvas.Text("No program can call: no listener is on")})
	default:
		m.toast(screen.Toast{Line: canvas.Text("No program is waiting")})
	}
	return nil
}

// showApproval opens the pop-up of a request; a locked wallet must be unlocked first. unrun is a line that waits to run after it.
func (m *Model) showApproval(r queue.Request, unrun string) tea.Cmd {
	if !m.env.Unlocked() {
		return screen.Request(screen.NeedUnlock{})
	}
	if _, open := m.front().(*approval.Model); open || len(m.popups) >= maxPopups {
		return nil
	}
	pop, wake := approval.New(m.env, m.opt.Approvals, r, unrun)
	m.push(pop)
	return wake
}
