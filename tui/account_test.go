package tui_test

import (
	"testing"
	"time"

	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
)

// An account for which a wrong key was imported comes first on the list, but it is neither the first in focus nor called an own account.
func TestAccountWithoutAuthorityIsNotOwn(t *testing.T) {
	other := ledgerview.AccountRef{ID: 5, Name: "member-5"}
	scene := uitest.Scene{Unmade: true, Wallet: func(w *uitest.World) {
		uitest.Must(t, w.Wallet.Vault.Create(w.Ctx, uitest.Password))
		w.Hold(other, uitest.KeyOf("nobody"))
		w.Hold(uitest.Alice, uitest.KeyOf(uitest.Alice.Name))
		w.Cut()
		w.Reopen(func(string) {}) // what the keys may do is not known now
	}}
	uitest.Play(t, 140, 40, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Shows("Balances of member-5")
		w.Join()
		d.Wait(20 * time.Second)
		d.Shows("Balances of alice", "○", "● can sign")
		env := screen.Env{Accounts: w.Wallet.Own.List()}
		if env.Accounts[0].ID != other.ID || env.Owns(other.ID) || !env.Owns(uitest.Alice.ID) {
			t.Error("an account is called own although the keys here have no authority for it")
		}
	})
}
