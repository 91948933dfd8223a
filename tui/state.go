package tui

import (
	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/page/console"
	"billfold/tui/screen"
)

// State is what every page shows, for a UI that has no pages: it reads the wallet as the pages do.
type State struct{ reading }

// NewState makes the state of a wallet.
func NewState(opt Options) *State {
	s := &State{reading{opt: opt}}
	s.env.Hidden = opt.Hide
	s.Read()
	return s
}

// Read reads the wallet.
func (s *State) Read() screen.Env {
	s.refresh()
	s.readAccounts(false)
	s.env.Payments = s.opt.Core.Payments.Recent()
	return s.env
}

// Use puts an own account in focus.
func (s *State) Use(id ledger.AccountID) { s.use(id) }

// Hide hides amounts, or shows them again.
func (s *State) Hide() { s.env.Hidden = !s.env.Hidden }

// WalletName is what the wallet is called.
func (s *State) WalletName() string { return s.walletName() }

// Endpoint is where HTTP is listened for; without an address while it is not.
func (s *State) Endpoint() console.Endpoint { return s.httpEndpoint() }

// KeyTable is the whole key table.
func KeyTable() action.Table { return keyTable() }
