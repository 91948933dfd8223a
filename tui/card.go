package tui

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// cardRead is a card that was read, and what asked for it.
type cardRead struct {
	card card.Card
	from screen.Screen
}

// cardLimit is the time limit of reading a card.
const cardLimit = 5 * time.Second

// readCard reads a card with what the account in focus has to do with it.
func (m *Model) readCard(read card.Reader) tea.Cmd {
	own, from, core := m.env.Account.ID, m.front(), m.opt.Core.Cards
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(m.ctx, cardLimit)
		defer cancel()
		return cardRead{read(ctx, core, own), from}
	}
}

// showCard opens a card over what asked for it. If the person went on meanwhile, it does nothing.
func (s *stack) showCard(read cardRead) {
	if s.front() != read.from || s.typing() {
		return
	}
	if over, is := s.front().(*card.Model); is {
		over.Show(read.card)
		return
	}
	s.push(card.New(read.card))
}

// wayBack is a card from which a person went on to another page, and where it was.
type wayBack struct {
	page    screen.ID
	account ledger.AccountID
	card    *card.Model
}

// leaveCard closes the card in front and goes on to what it led to; esc there leads back to it.
func (m *Model) leaveCard(to tea.Msg) tea.Cmd {
	from, is := m.front().(*card.Model)
	if !is {
		return nil
	}
	trail := append(m.trail, wayBack{m.page, m.env.Account.ID, from})
	m.pop()
	cmd := m.serve(to)
	m.trail = trail
	return cmd
}

// back leads to the card that the page was opened from, else to the parent page.
func (m *Model) back() tea.Cmd {
	n := len(m.trail) - 1
	if n < 0 {
		if m.page == screen.Home {
			return nil
		}
		return m.open(screen.Home, nil)
	}
	to, rest := m.trail[n], m.trail[:n]
	var used tea.Cmd
	if to.account != m.env.Account.ID && m.isListed(to.account) {
		used = m.useAccount(to.account)
	}
	opened := m.open(to.page, nil)
	m.trail = rest
	m.push(to.card)
	return tea.Batch(used, opened)
}
