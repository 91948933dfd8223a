package tui

import (
	"time"

	"billfold/ledger"
	"billfold/tui/canvas"
	"billfold/tui/screen"
	"billfold/tui/send"
	"billfold/tui/show"
	"billfold/tui/theme"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// lockWarning is how long before the idle lock a toast says so.
const lockWarning = time.Minute

// lock locks the wallet now. Payments already sent are still followed.
func (m *Model) lock() tea.Cmd {
	if m.env.Status.Lock != walletcore.LockUnlocked {
		return nil
	}
	m.core.Lock()
	m.refresh()
	return m.rebuild()
}

// rebuild throws every screen away and opens the unlock page; it leads back to
// where the person was. Of what was on screen, only the text of the send form
// is kept, in memory.
func (m *Model) rebuild() tea.Cmd {
	m.after = m.page
	form := m.screens[screen.Send].(*send.Model).Form()
	m.readAccounts()
	m.build()
	m.screens[screen.Send].(*send.Model).Restore(form)
	m.page = screen.Unlock
	return m.open(screen.Unlock, nil)
}

// unlocked goes on where the person was. It repeats and completes nothing.
func (m *Model) unlocked() tea.Cmd {
	m.touched = m.env.Now
	m.readAccounts()
	m.refresh()
	to := m.after
	if to == "" || to == screen.Unlock {
		to = screen.Home
	}
	m.after = ""
	cmds := m.tell(walletcore.Event{Kind: walletcore.EventLock})
	return tea.Batch(append(cmds, m.open(to, nil))...)
}

func (m *Model) useAccount(id ledger.AccountID) tea.Cmd {
	m.account = id
	m.readAccounts()
	return tea.Batch(m.tell(walletcore.Event{Kind: walletcore.EventAccounts})...)
}

// announce tells of payments that came to their end since the last look.
func (m *Model) announce() {
	before := map[ledger.TransactionID]walletcore.PaymentState{}
	for _, p := range m.env.Payments {
		before[p.ID] = p.State
	}
	m.env.Payments = m.core.Payments()
	for _, p := range m.env.Payments {
		was, known := before[p.ID]
		if known && was != p.State {
			m.announceOne(p)
		}
	}
}

func (m *Model) announceOne(p walletcore.Payment) {
	what := canvas.Join(m.env.Money().Amount(p.Review.Asset, p.Review.Amount), canvas.Say(" to "), show.Recipient(p.Review))
	switch p.State {
	case walletcore.PaymentIrreversible:
		m.toasts.add(m.env.Now, screen.Say{Line: canvas.Join(canvas.In(theme.OK, theme.SignDone+" Payment of "), what, canvas.Say(" is irreversible"))})
	case walletcore.PaymentExpired:
		m.toasts.add(m.env.Now, screen.Say{Bad: true, Line: canvas.Join(canvas.In(theme.Danger, theme.SignFailed+" Not included, nothing was spent: "), what)})
	case walletcore.PaymentUnknown:
		m.toasts.add(m.env.Now, screen.Say{Bad: true, Line: canvas.Join(canvas.In(theme.Danger, "? Outcome unknown, do not send again: "), what)})
	}
}
