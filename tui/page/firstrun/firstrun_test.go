package firstrun_test

import (
	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore"
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestFirstRunMakesAWallet(t *testing.T) {
	core := uitest.Drawn()
	core.State.Lock, core.Own, core.Held, core.Rows, core.Paid = walletcore.LockNew, nil, nil, nil, nil
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
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
	})
}

func TestFirstRunImportsAKey(t *testing.T) {
	core := uitest.Drawn()
	core.State.Lock, core.Own = walletcore.LockNew, nil
	key := ledger.DeriveKey("a test key", 0)
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		d.Press("3")
		d.Type("5nonsense")
		d.Press("enter")
		d.Shows("not a private key")
		d.Press("ctrl+c")
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key.WIF()), Paste: true})
		d.Hides(key.WIF())
		d.Shows("checksum matches: " + key.Public().String())
		d.Press("enter")
		d.Type("nobody")
		d.Press("enter")
		d.Shows("there is no account nobody")
		if !core.IsNew() {
			t.Error("a wallet was made although nothing was imported")
		}
		d.Press("ctrl+u")
		d.Type("alice")
		d.Press("enter")
		for range 2 {
			d.Type("pw")
			d.Press("enter")
		}
		d.Shows("alice 1.2.34, as its active, memo key")
		d.Press("enter")
		d.Shows("Balances of alice")
	})
}

func TestFirstRunOffersTheSandbox(t *testing.T) {
	core := uitest.Drawn()
	core.State.Lock = walletcore.LockNew
	uitest.RunWith(t, 80, 24, core, tui.Options{OfferSandbox: true}, func(d *uitest.Driver) {
		if d.Press("6"); !d.Quit || !errors.Is(d.Model.Err(), tui.ErrWantSandbox) {
			t.Error("6 did not leave for the sandbox")
		}
	})
}

func TestFirstRunLooksAsDrawn(t *testing.T) {
	uitest.RunWith(t, 80, 24, uitest.Unmade(), tui.Options{OfferSandbox: true, Folder: "~/.billfold/default"}, func(d *uitest.Driver) {
		d.GoldenSizes("firstrun", uitest.Sizes())
	})
}
