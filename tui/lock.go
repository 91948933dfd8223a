package tui

import (
	"billfold/ledger"
	"billfold/tui/page/firstrun"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/event"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// touch records that a person is there, which ends an overtaken warning.
func (m *Model) touch() {
	m.opt.Core.Lock.Touch()
	m.refresh()
	m.say.lockPutOff(m.env)
}

// lockKey locks the wallet, or asks for the password of one that is locked already.
func (m *Model) lockKey() tea.Cmd {
	if m.env.Status.Lock == vault.Locked && m.page != screen.Unlock {
		m.after = m.page
		return m.open(screen.Unlock, nil)
	}
	m.lock()
	return nil
}

// lock locks the wallet now. Payments already sent are still followed. What is secret and typed or shown goes from the pages that a
// lock leaves.
func (m *Model) lock() {
	keepBeforeLock(m)
	m.opt.Core.Lock.Lock()
	for _, id := range []screen.ID{screen.Unlock, screen.FirstRun} {
		m.screens[id].Update(m.env, screen.Hide{})
	}
	m.hid = true
	if m.refresh(); m.env.Status.Lock == vault.New {
		m.toast(screen.Toast{Urgent: true, Line: canvas.Text("There is no wallet yet, so nothing is open. What is secret is hidden.")})
	}
}

// followLock makes the screens follow the lock, whoever moved it: a key here, a
// program, or the core's clock. It compares with what the screens were made for,
// so no event that is late or lost leaves an open page on a locked wallet.
func (m *Model) followLock() tea.Cmd {
	was, is := m.lockState, m.env.Status.Lock
	m.lockState = is
	switch {
	case is == vault.Locked && was != is: // from new, too: a program set its password
		m.clip.clear()
		return m.rebuild()
	case was != vault.Unlocked && is == vault.Unlocked:
		m.say.weaknesses(m.env)
		if m.page == screen.Unlock {
			return m.unlocked()
		}
	}
	return nil
}

// rebuild throws every screen away and opens the unlock page; it leads back to
// where the person was. Of what was on screen, only what the pages resume is
// kept, in memory: what was typed into forms, and nothing secret.
func (m *Model) rebuild() tea.Cmd {
	before := m.screens
	if m.after = m.page; m.page == screen.FirstRun {
		m.after = firstrun.WayBack(before[screen.FirstRun].(*firstrun.Model))
	}
	if from := before[screen.Send].(*send.Model).ReviewOf(); m.after == screen.Send && from != "" {
		m.after = from // the review is gone, and what it was of is there
	}
	m.readAccounts(m.typingPayment())
	m.build()
	for id, page := range m.screens {
		if r, is := page.(screen.Resumer); is {
			r.Resume(before[id])
		}
	}
	return m.open(screen.Unlock, nil)
}

// unlocked continues where the person was. It repeats and completes nothing.
func (m *Model) unlocked() tea.Cmd {
	m.readAccounts(m.typingPayment())
	m.refresh()
	to := m.after
	if to == "" || to == screen.Unlock {
		to = screen.Home
	}
	m.after = ""
	heard := m.publish(m.env, event.Event{Kind: event.Lock})
	return tea.Batch(heard, m.open(to, nil))
}

// useAccount puts another account in focus.
func (m *Model) useAccount(id ledger.AccountID) tea.Cmd {
	m.use(id)
	m.readAccounts(true)
	return m.publish(m.env, event.Event{Kind: event.Accounts})
}
