package tui

import (
	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/page/console"
	"billfold/tui/screen"
)

// State holds what every page shows, for a UI without pages: it reads the wallet as the pages do.
type State struct{ reading }

// NewState returns the state of a wallet, and reads it.
func NewState(opt Options) *State {
	s := &State{reading{opt: opt}}
	s.env.Hidden = opt.Hide
	s.Read()
	return s
}

// Read reads the wallet again and returns the reading.
func (s *State) Read() screen.Env {
	s.refresh()
	s.readAccounts(false)
	s.env.Payments = s.opt.Core.Payments.Recent()
	return s.env
}

// Use puts an own account in focus.
func (s *State) Use(id ledger.AccountID) { s.focus(id) }

// Hide hides amounts, or shows them again.
func (s *State) Hide() { s.env.Hidden = !s.env.Hidden }

// WalletName returns what the wallet is called.
func (s *State) WalletName() string { return s.walletName() }

// Endpoint returns the HTTP listener; its URL is empty while it is off.
func (s *State) Endpoint() console.Endpoint { return s.httpEndpoint() }

// KeyTable returns the whole key table with default keys.
func KeyTable() action.Table { return keyTable() }
