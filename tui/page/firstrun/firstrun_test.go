package firstrun_test

import (
	"errors"
	"testing"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/uitest"
)

// onNew drives a wallet that has no password yet.
func onNew(t *testing.T, test func(d *uitest.Driver, box *uitest.Box)) {
	t.Helper()
	box := uitest.NewUnmade(t)
	box.Drive(t, 100, 30, tui.Options{}, func(d *uitest.Driver) { test(d, box) })
}

func TestFirstRunMakesAWallet(t *testing.T) {
	onNew(t, func(d *uitest.Driver, box *uitest.Box) {
		d.Press("1")
		d.Type("hunter two")
		d.Hides("hunter")
		d.Press("enter")
		d.Type("hunter too")
		d.Press("enter")
		d.Shows("The two passwords differ")
		d.Press("backspace backspace backspace")
		d.Type("two")
		d.Press("enter")
		d.Shows("The wallet is made")
		d.Press("enter")
		d.Shows("This wallet has no account yet")
		d.Press("i")
		d.Shows("Import a private key")
		d.Press("esc")
		d.Shows("no account yet")
		box.Wallet.Vault.Lock()
		if err := box.Wallet.Vault.Unlock(box.Ctx, "hunter two"); err != nil {
			t.Error(err)
		}
	})
}

func TestFirstRunImportsAKey(t *testing.T) {
	onNew(t, func(d *uitest.Driver, box *uitest.Box) {
		wif := box.Key("alice")
		key, err := ledger.ParseWIF(wif)
		uitest.Must(t, err)
		d.Press("3")
		d.Type("5nonsense")
		d.Press("enter")
		d.Shows("not a private key")
		d.Press("ctrl+c")
		d.Paste(wif)
		d.Hides(wif)
		d.Shows("checksum matches: " + key.Public().String())
		d.Press("enter")
		d.Type("nobody-here")
		d.Press("enter")
		d.Until("nobody-here")
		d.Shows("step 3 of 5")
		if !box.Wallet.Vault.IsNew() {
			t.Error("a wallet was made although nothing was imported")
		}
		d.Press("ctrl+u")
		d.Type("alice")
		d.Press("enter")
		for range 2 {
			d.Type("pw")
			d.Press("enter")
		}
		d.Until("alice 1.2.16, as its owner, active, memo key")
		d.Press("enter")
		d.Until("Balances of alice", "12,400.00000000")
	})
}

// An account leaves the list after a yes, and comes back with its key.
func TestAccountIsTakenOffTheListAfterAYes(t *testing.T) {
	box := uitest.NewBox(t, "alice", "bobby")
	box.Drive(t, 140, 40, tui.Options{}, func(d *uitest.Driver) {
		d.Until("alice  1.2.16  ●", "bobby  1.2.17  ●")
		d.Press("d")
		d.Shows("Remove from the list", "Its keys stay")
		d.Press("esc")
		if n := len(box.Wallet.Own.List()); n != 2 {
			t.Fatal("esc took it off")
		}
		d.Press("d enter")
		d.Until("alice 1.2.16 is no longer listed")
		if list := box.Wallet.Own.List(); len(list) != 1 || list[0].Name != "bobby" {
			t.Errorf("the list is %v", list)
		}
		d.Press("i down enter")
		d.Paste(box.Key("alice"))
		d.Press("enter enter")
		d.Until("alice 1.2.16, as its")
		if n := len(box.Wallet.Own.List()); n != 2 {
			t.Errorf("%d accounts are listed", n)
		}
	})
}

func TestFirstRunOffersTheSandbox(t *testing.T) {
	scene := uitest.Scene{Unmade: true, Options: tui.Options{OfferSandbox: true}}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		if d.Press("6"); !d.Quit || !errors.Is(d.Model.Err(), tui.ErrWantSandbox) {
			t.Error("6 did not leave for the sandbox")
		}
	})
}

func TestFirstRunLooksAsDrawn(t *testing.T) {
	scene := uitest.Scene{Unmade: true, Options: tui.Options{OfferSandbox: true, Folder: "~/.billfold/default"}}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.GoldenSizes("firstrun", uitest.Sizes())
	})
}
