package tui_test

import (
	"testing"

	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore/event"
	"billfold/walletcore/vault"
)

// An account that somebody filed a wrong key under stands first on the list; it
// is neither the first in focus nor called the person's own.
func TestAccountThatTheKeysMayNotActForIsNotOwn(t *testing.T) {
	core := uitest.Drawn()
	core.Own = []vault.OwnAccount{
		{AccountRef: uitest.Carol, Ownership: vault.OwnershipUnknown}, {AccountRef: uitest.Alice, Ownership: vault.OwnershipUnknown},
	}
	uitest.Run(t, 140, 40, core, func(d *uitest.Driver) {
		core.Change(event.Accounts, func() {
			core.Own = []vault.OwnAccount{
				{AccountRef: uitest.Carol, Ownership: vault.OwnershipWatch}, {AccountRef: uitest.Alice, Ownership: vault.OwnershipFull},
			}
		})
		d.Pump()
		d.Shows("Balances of alice", "○", "● can sign")
		if env := (screen.Env{Accounts: core.Own}); env.Owns(uitest.Carol.ID) || !env.Owns(uitest.Alice.ID) {
			t.Error("what is own is not decided by what the keys may do")
		}
	})
}
