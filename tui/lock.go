package tui

import (
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// lockWarning is how long before the wallet locks by itself a toast says so.
const lockWarning = time.Minute

// warnOfLock says that the wallet will lock, whether it was left alone or opened
// for a time that is nearly over.
func (m *Model) warnOfLock() {
	if m.env.LockIn == 0 {
		return
	}
	text := " Locks in " + format.Left(m.env.LockIn) + ", any key stops it"
	if m.env.Status.LocksFixed {
		text = " Locks in " + format.Left(m.env.LockIn) + ": the time it was opened for is over then"
	}
	m.toasts.add(m.env.Now, screen.Toast{Bad: true, Urgent: true, Line: canvas.In(theme.Warn, theme.SignCareful+text)})
}

// touch says that a person is there, which ends a warning that it overtook.
func (m *Model) touch() {
	m.core.Session.Touch()
	m.refresh()
	if m.toasts.urgent && m.env.LockIn > lockWarning {
		m.toasts.shown = nil
	}
}

// lockKey locks the wallet, or asks for the password of one that is locked already.
func (m *Model) lockKey() tea.Cmd {
	if m.env.Status.Lock == walletcore.LockLocked && m.page != screen.Unlock {
		m.after = m.page
		return m.open(screen.Unlock, nil)
	}
	return m.lock()
}

// lock locks the wallet now. Payments already sent are still followed.
func (m *Model) lock() tea.Cmd {
	m.core.Session.Lock()
	m.refresh()
	return nil
}

// followLock makes the screens follow the lock, whoever moved it: a key here, a
// program, or the core's clock. It compares with what the screens were made for,
// so no event that is late or lost leaves an open page on a locked wallet.
func (m *Model) followLock() tea.Cmd {
	was, is := m.lockState, m.env.Status.Lock
	m.lockState = is
	switch {
	case is == walletcore.LockLocked && was != is: // from new, too: a program set its password
		return m.rebuild()
	case was != walletcore.LockUnlocked && is == walletcore.LockUnlocked:
		m.tellFaults()
		if m.page == screen.Unlock {
			return m.unlocked()
		}
	}
	return nil
}

// tellFaults says once what weakens an open wallet; the notices keep it.
func (m *Model) tellFaults() {
	s := m.env.Status
	if m.faults == s.KeysFault+s.FileFault+s.StoreFault {
		return
	}
	m.faults = s.KeysFault + s.FileFault + s.StoreFault
	for _, failure := range []string{s.KeysFault, s.FileFault, s.StoreFault} {
		if failure != "" {
			m.toasts.add(m.env.Now, screen.Toast{Bad: true, Line: canvas.In(theme.Warn, theme.SignCareful+" Careful: "+format.Clean(failure))})
		}
	}
}

// rebuild throws every screen away and opens the unlock page; it leads back to
// where the person was. Of what was on screen, only the text of the send form
// is kept, in memory.
func (m *Model) rebuild() tea.Cmd {
	if m.after = m.page; m.page == screen.FirstRun {
		m.after = ""
	}
	form := m.screens[screen.Send].(*send.Model).Form()
	m.readAccounts()
	m.build()
	m.screens[screen.Send].(*send.Model).Restore(form)
	m.page = screen.Unlock
	return m.open(screen.Unlock, nil)
}

// unlocked goes on where the person was. It repeats and completes nothing.
func (m *Model) unlocked() tea.Cmd {
	if m.page != screen.Unlock && m.page != screen.FirstRun {
		return nil // an event was faster than the page's own word
	}
	m.readAccounts()
	m.refresh()
	to := m.after
	if to == "" || to == screen.Unlock {
		to = screen.Home
	}
	m.after = ""
	cmds := m.tell(event.Event{Kind: event.Lock})
	return tea.Batch(append(cmds, m.open(to, nil))...)
}

func (m *Model) useAccount(id ledger.AccountID) tea.Cmd {
	m.account, m.accountChosen = id, true
	m.readAccounts()
	return tea.Batch(m.tell(event.Event{Kind: event.Accounts})...)
}

// announce tells of payments that came to their end since the last look.
func (m *Model) announce() {
	before := map[ledger.TransactionID]walletcore.PaymentState{}
	for _, p := range m.env.Payments {
		before[p.ID] = p.State
	}
	m.env.Payments = m.core.Payments.Payments()
	for _, p := range m.env.Payments {
		was, known := before[p.ID]
		if known && was != p.State {
			m.announceOne(p)
		}
	}
}

func (m *Model) announceOne(p walletcore.Payment) {
	what := canvas.Join(m.env.Money().Amount(p.Review.Asset, p.Review.Amount), canvas.Text(" to "), format.Recipient(p.Review))
	switch p.State {
	case walletcore.PaymentIrreversible:
		m.toasts.add(m.env.Now, screen.Toast{Line: canvas.Join(canvas.In(theme.OK, theme.SignDone+" Payment of "), what, canvas.Text(" is irreversible"))})
	case walletcore.PaymentExpired:
		m.toasts.add(m.env.Now, screen.Toast{Bad: true, Line: canvas.Join(canvas.In(theme.Danger, theme.SignFailed+" Not included, nothing was spent: "), what)})
	case walletcore.PaymentUnknown:
		m.toasts.add(m.env.Now, screen.Toast{Bad: true, Line: canvas.Join(canvas.In(theme.Danger, "? Outcome unknown, do not send again: "), what)})
	}
}
