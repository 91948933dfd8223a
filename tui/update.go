package tui

import (
	"time"

	"billfold/tui/overlay/card"
	"billfold/tui/overlay/contactfinder"
	"billfold/tui/overlay/dialog"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.tick(), nextEvent(m.ctx, m.events), nextApproval(m.ctx, m.opt.Approvals), m.open(m.page, nil))
}

// tick starts the program's only ticker, once a second.
func (m *Model) tick() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return m.opt.Clock.after(time.Second, tickMsg{})
}

// Update implements tea.Model: it routes the message, follows the lock, and updates what depends on the page in front.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.env.Now = m.opt.Clock.now()
	cmd := m.route(msg)
	locked := m.followLock()
	m.env.ChosenKeys = chosenKeys(m.opt, m.table, m.page, m.front())
	m.env.WayBack = len(m.trail) > 0
	m.env.Signing = (m.screens[screen.Send].(*send.Model)).Signing(m.env)
	m.env.ToDrafts = (m.screens[screen.Send].(*send.Model)).ToDrafts(m.env)
	m.env.DeadKeys = deadKeys(m.env, defaultTable(m.opt, m.table), m.screens[m.page])
	return m, tea.Batch(cmd, locked, m.followFront(&m.env, m.table, &m.say.toasts))
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
		place, _ := m.front().Place()
		return restartQuiet(&m.env, m.table.At(place)) // a decision in front is laid out anew and has to be read again
	case tea.KeyMsg:
		return m.onKey(msg)
	case tea.MouseMsg:
		hit, cmd := m.onMouse(msg)
		if hit != nil {
			return m.route(hit)
		}
		return cmd
	case suspended:
		onResume(m, msg.stopped)
	case tickMsg:
		return m.onTick()
	case *heldKey:
		if m.cameAlone(msg) {
			return m.act(msg.id)
		}
	case eventMsg:
		return m.onEvent(msg)
	case approvalsMsg:
		return m.onApprovals()
	case screen.Result:
		return m.deliver(msg)
	case frame.Press:
		return m.onPress(msg)
	default:
		return m.serve(msg)
	}
	return nil
}

// serve handles what a screen asked the root for.
func (m *Model) serve(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Navigate:
		if !m.stillWanted(msg.With) {
			m.toast(screen.Toast{Urgent: true, Line: canvas.Text("The review was not opened: you left the page that asked for it")})
			return nil
		}
		return m.open(msg.To, msg.With)
	case screen.Back:
		return m.back()
	case screen.Toast:
		m.toast(msg)
	case screen.Wake:
		return m.opt.Clock.after(msg.In, screen.Tick{})
	case screen.ClearToast:
		m.say.toasts.clearHere()
	case screen.Copy:
		toast, cmd := m.clip.put(msg.Value, m.opt.Clock)
		toast.Urgent = true // shown while a field has the keyboard, too: the key came from there
		m.toast(toast)
		return cmd
	case emptyClipboard:
		m.clip.expire(msg)
	case screen.UseAccount:
		used := m.useAccount(msg.ID)
		if msg.Then == "" {
			return used
		}
		return tea.Batch(used, m.open(msg.Then, nil))
	case screen.SuggestAccount:
		return m.suggestAccount(msg.ID)
	case screen.RemoveAccount:
		return m.askToRemove(msg.ID)
	case removeNow:
		return removeAccount(m.opt.Core.Accounts, msg.account)
	case screen.Restyle:
		restyle(m, msg)
	case screen.NeedUnlock:
		if m.page != screen.Unlock {
			m.afterUnlock = m.page
		}
		return m.open(screen.Unlock, nil)
	case screen.Unlocked:
		if m.page == msg.By { // else an event of the wallet came first
			return m.unlocked()
		}
	case screen.NextTheme:
		nextTheme(m)
	case screen.WantLinear:
		m.err = ErrWantLinear
		return tea.Quit
	case screen.WantNode:
		m.err = ErrWantNode
		return tea.Quit
	case screen.WantSandbox:
		m.err = ErrWantSandbox
		return tea.Quit
	case dialog.Closed:
		if m.pop(); msg.Then != nil {
			return screen.Request(msg.Then)
		}
	case screen.Click, screen.Command:
		return m.front().Update(m.env, msg)
	case screen.ShowAccount:
		return m.readCard(card.OfAccount(msg.Account.ID))
	case screen.ShowAsset:
		return m.readCard(card.OfAsset(msg.Asset))
	case card.Show:
		m.showCard(cardRead{msg.Card, m.front()})
	case card.Leave:
		return m.leaveCard(msg.Then)
	case cardRead:
		m.showCard(msg)
	case found:
		m.addFound(m.env, msg)
	case screen.FindContact:
		m.push(contactfinder.New(m.env.Contacts))
	case screen.Decide:
		if by := msg.From; by != "" && (msg.Typed || m.page != by || len(m.popups) > 0) {
			waits := canvas.In(theme.Pending, theme.SignNew+" Your line waits for your yes: ! shows it, outside a field")
			m.toast(screen.Toast{Urgent: true, Line: waits})
			return nil
		}
		return m.showApproval(msg.Request, msg.Unrun)
	case quitNow:
		return tea.Quit
	}
	return nil
}

// deliver passes a result to the screen that waits for it.
func (m *Model) deliver(r screen.Result) tea.Cmd {
	m.refresh()
	m.readPayments()
	if s, ok := m.screens[r.Owner]; ok {
		return s.Update(m.env, r)
	}
	return nil
}

// onTick updates ages and countdowns once a second.
func (m *Model) onTick() tea.Cmd {
	m.ticking = false
	m.env.Tick++
	before := m.env.LockIn
	m.refresh()
	m.say.toasts.expire(m.env.Now, m.typing())
	if before > lockWarning && m.env.LockIn <= lockWarning {
		m.say.warnOfLock(m.env)
	}
	if 0 < m.env.LockIn && m.env.LockIn <= lockNear {
		saveBeforeLock(m)
	}
	leave := (m.screens[screen.Send].(*send.Model)).LeaveDue(m.env)
	return tea.Batch(m.tick(), leave, m.front().Update(m.env, screen.Tick{}))
}

// onEvent passes on what changed in the wallet.
func (m *Model) onEvent(msg eventMsg) tea.Cmd {
	if !msg.open {
		return nil
	}
	m.refresh()
	switch msg.event.Kind {
	case event.Accounts, event.Lock:
		m.readAccounts(m.typingPayment())
		m.say.misregistered(m.env)
	case event.Payment, event.Block:
		m.readPayments()
	}
	return tea.Batch(nextEvent(m.ctx, m.events), m.publish(m.env, msg.event))
}

// onApprovals announces requests that wait for an answer. Nothing opens on its own: a person may be typing.
func (m *Model) onApprovals() tea.Cmd {
	next := nextApproval(m.ctx, m.opt.Approvals) // before reading the queue, so that no change is missed
	m.refresh()
	m.say.unanswered(m.env)
	m.say.newApprovals(m.env, opensOldest(&m.stack, m.table))
	return tea.Batch(next, m.front().Update(m.env, screen.Tick{}))
}
