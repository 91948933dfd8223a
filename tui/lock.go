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

// touch records that a person is there, and clears a lock warning that is out of date.
func (m *Model) touch() {
	m.opt.Core.Lock.Touch()
	m.refresh()
	m.say.clearLockWarning(m.env)
}

// lockKey locks the wallet, or opens the unlock page if it is locked already.
func (m *Model) lockKey() tea.Cmd {
	if m.env.Status.Lock == vault.Locked && m.page != screen.Unlock {
		m.afterUnlock = m.page
		return m.open(screen.Unlock, nil)
	}
	m.lock()
	return nil
}

// lock locks the wallet now. Payments already sent are still tracked. The unlock page and the first page, which a lock does not
// rebuild, drop the secrets typed or shown on them.
func (m *Model) lock() {
	saveBeforeLock(m)
	m.opt.Core.Lock.Lock()
	for _, id := range []screen.ID{screen.Unlock, screen.FirstRun} {
		m.screens[id].Update(m.env, screen.Hide{})
	}
	m.secretsHidden = true
	if m.refresh(); m.env.Status.Lock == vault.New {
		m.toast(screen.Toast{Urgent: true, Line: canvas.Text("There is no wallet yet, so nothing is open. What is secret is hidden.")})
	}
}

// followLock makes the screens follow the lock, whoever changed it: a key here, a program, or the core's clock. It compares with the
// state that the screens were built for, so a late or lost event never leaves an open page on a locked wallet.
func (m *Model) followLock() tea.Cmd {
	was, is := m.lockState, m.env.Status.Lock
	m.lockState = is
	switch {
	case is == vault.Locked && was != is: // from New, too: a program created the wallet
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

// rebuild throws every screen away and opens the unlock page, which leads back to where the person was. The new pages take over only
// what they resume, in memory: what was typed into forms, and nothing secret.
func (m *Model) rebuild() tea.Cmd {
	before := m.screens
	if m.afterUnlock = m.page; m.page == screen.FirstRun {
		m.afterUnlock = (before[screen.FirstRun].(*firstrun.Model)).WayBack()
	}
	if from := before[screen.Send].(*send.Model).ReviewOf(); m.afterUnlock == screen.Send && from != "" {
		m.afterUnlock = from // the review is gone, but the page it was opened from is not
	}
	m.readAccounts(m.typingPayment())
	m.buildScreens()
	for id, page := range m.screens {
		if r, is := page.(screen.Resumer); is {
			r.Resume(before[id])
		}
	}
	return m.open(screen.Unlock, nil)
}

// unlocked goes back to where the person was. It repeats and completes nothing.
func (m *Model) unlocked() tea.Cmd {
	m.readAccounts(m.typingPayment())
	m.refresh()
	to := m.afterUnlock
	if to == "" || to == screen.Unlock {
		to = screen.Home
	}
	if m.afterUnlock = ""; m.page == screen.Unlock {
		m.unlockedAt = m.env.Now
	}
	heard := m.publish(m.env, event.Event{Kind: event.Lock})
	return tea.Batch(heard, m.open(to, nil))
}

// isUnlockRepeat reports whether a key is the enter of the unlock page, pressed again by somebody who waited for it: the page that has
// opened meanwhile must not take it.
func (m *Model) isUnlockRepeat(k tea.KeyMsg) bool {
	_, mode := m.front().Place()
	return k.Type == tea.KeyEnter && mode == screen.KEYS && !m.unlockedAt.IsZero() && m.env.Now.Sub(m.unlockedAt) < screen.Quiet
}

// useAccount puts another account in focus.
func (m *Model) useAccount(id ledger.AccountID) tea.Cmd {
	m.focus(id)
	m.readAccounts(true)
	return m.publish(m.env, event.Event{Kind: event.Accounts})
}

// suggestAccount puts an account in focus that no person chose, if the person is still where the UI opened.
func (m *Model) suggestAccount(id ledger.AccountID) tea.Cmd {
	if m.chosen || m.page != screen.Home || len(m.popups) > 0 || !m.isListed(id) {
		return nil
	}
	m.account = id
	m.readAccounts(false)
	return m.publish(m.env, event.Event{Kind: event.Accounts})
}
