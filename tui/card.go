package tui

import (
	"context"
	"time"

	"billfold/tui/overlay/accountcard"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// cardRead is a card that was read, and the page that asked for it.
type cardRead struct {
	card accountcard.Card
	page screen.ID
}

// cardLimit is how long reading a card may take.
const cardLimit = 5 * time.Second

// readCard reads the card of an account.
func readCard(ctx context.Context, core accountcard.Core, env screen.Env, page screen.ID, who ledgerview.AccountRef) tea.Cmd {
	own := env.Account.ID
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, cardLimit)
		defer cancel()
		return cardRead{accountcard.Read(ctx, core, own, who.ID), page}
	}
}

// showCard opens a card on the page that asked for it. If the person went on meanwhile, it does nothing.
func (s *stack) showCard(read cardRead) {
	if s.page == read.page && len(s.popups) == 0 && !s.typing() {
		s.push(accountcard.New(read.card))
	}
}
