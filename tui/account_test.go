package tui

import (
	"testing"

	"billfold/walletcore/event"
	"billfold/walletcore/vault"
)

// An account that somebody filed a wrong key under stands first on the list; it
// is neither the first in focus nor called the person's own.
func TestAccountThatTheKeysMayNotActForIsNotOwn(t *testing.T) {
	core := sample()
	core.accounts = []vault.OwnAccount{
		{AccountRef: carol, Ownership: vault.OwnershipUnknown}, {AccountRef: alice, Ownership: vault.OwnershipUnknown},
	}
	driven(t, 140, 40, core, func(d *drive) {
		core.accounts = []vault.OwnAccount{
			{AccountRef: carol, Ownership: vault.OwnershipWatch}, {AccountRef: alice, Ownership: vault.OwnershipFull},
		}
		d.send(eventMsg{event.Event{Kind: event.Accounts}, true})
		d.shows("Balances of alice", "○", "● can sign")
		if d.model.env.Owns(carol.ID) || !d.model.env.Owns(alice.ID) {
			t.Error("what is own is not decided by what the keys may do")
		}
	})
}

func TestAccountIsTakenOffTheListAfterAYes(t *testing.T) {
	core := sample()
	driven(t, 140, 40, core, func(d *drive) {
		d.press("d")
		d.shows("Take off the list", "Its keys stay")
		d.press("esc")
		if len(core.accounts) != 2 {
			t.Fatal("esc took it off")
		}
		d.press("d enter")
		d.shows("alice 1.2.34 is off the list")
		if len(core.accounts) != 1 || core.accounts[0].ID != savings.ID {
			t.Errorf("the list is %v", core.accounts)
		}
	})
}
