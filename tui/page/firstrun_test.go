package page_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/page/firstrun"
	"billfold/tui/uitest"
	"billfold/walletcore"
)

// onNew drives a wallet that has no password yet.
func onNew(t *testing.T, test func(d *uitest.Driver, w *uitest.World)) {
	t.Helper()
	uitest.Play(t, 100, 30, uitest.Scene{Unmade: true}, test)
}

func TestFirstRunMakesAWallet(t *testing.T) {
	onNew(t, func(d *uitest.Driver, w *uitest.World) {
		d.Press("1")
		d.Type("hunter two")
		d.Hides("hunter")
		d.Press("enter")
		d.Type("hunter too")
		d.Press("enter")
		d.Shows("The two passwords differ")
		d.Type("hunter two") // in place of the wrong one
		d.Press("enter")
		provePhrase(d)
		d.Press("enter") // no name yet
		d.Shows("The wallet is created", "register_account_with_keys NAME")
		d.Press("enter")
		d.Shows("This wallet has no account yet")
		d.Press("i")
		d.Shows("Import a private key")
		d.Press("esc")
		d.Shows("no account yet")
		w.Wallet.Vault.Lock()
		if err := w.Wallet.Vault.Unlock(w.Ctx, "hunter two"); err != nil {
			t.Error(err)
		}
	})
}

func TestFirstRunImportsAKey(t *testing.T) {
	onNew(t, func(d *uitest.Driver, w *uitest.World) {
		wif := uitest.KeyOf("alice").WIF()
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
		if !w.Wallet.Vault.IsNew() {
			t.Error("a wallet was made although nothing was imported")
		}
		d.Press("tab ctrl+u")
		d.Type("alice")
		d.Press("enter")
		for range 2 {
			d.Type("pw")
			d.Press("enter")
		}
		d.Until("alice 1.2.34, as its owner, active, memo key")
		d.Press("enter")
		d.Until("Balances of alice", "11,503.00709999")
	})
}

// An account leaves the list after a yes, and comes back with its key.
func TestAccountIsTakenOffTheListAfterAYes(t *testing.T) {
	scene := uitest.Scene{Wallet: func(w *uitest.World) { w.Hold(uitest.Bob, uitest.KeyOf(uitest.Bob.Name)) }}
	uitest.Play(t, 140, 40, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Until("alice      1.2.34  ●", "bob-trade  1.2.110  ●")
		d.Press("d")
		d.Shows("Remove from the list", "Its keys stay")
		d.Press("esc")
		if n := len(w.Wallet.Own.List()); n != 3 {
			t.Fatal("esc took it off")
		}
		d.Press("d")
		d.Sure("X")
		d.Until("alice 1.2.34 is no longer listed")
		if list := w.Wallet.Own.List(); len(list) != 2 || list[0].Name == "alice" {
			t.Errorf("the list is %v", list)
		}
		d.Press("i down enter")
		d.Paste(uitest.KeyOf("alice").WIF())
		d.Press("enter enter")
		d.Until("alice 1.2.34, as its")
		if n := len(w.Wallet.Own.List()); n != 3 {
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

func TestFirstRunChangesThemeAndLeavesForLines(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Unmade: true}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("t")
		d.Shows("Theme dark")
		d.Press("t")
		d.Shows("Theme light")
		d.Press("5")
		d.Type("tv")
		d.Shows("┃ tv")
		d.Press("esc")
		if d.Press("v"); !d.Quit || !errors.Is(d.Model.Err(), tui.ErrWantLinear) {
			t.Error("v did not leave for linear mode")
		}
	})
}

// Tab completes the path of a file as far as only one name fits, and shows those that fit; a refused path stays and is completed, too.
func TestFirstRunCompletesPaths(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"wallet.json", "walrus", ".hidden"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "wallets"), 0o700); err != nil {
		t.Fatal(err)
	}
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Type(folder + "/w")
		d.Press("tab")
		d.Shows("/wal ", "wallet.json  wallets/  walrus")
		d.Hides(".hidden")
		d.Press("enter")
		d.Until("✗")
		d.Press("backspace")
		d.Type("llets")
		d.Press("tab")
		d.Shows("/wallets/ ")
		d.Type("no")
		d.Press("tab")
		d.Shows("Nothing there begins so", "/wallets/no ")
	})
}

func TestFirstRunLooksAsDrawn(t *testing.T) {
	scene := uitest.Scene{Unmade: true, Options: tui.Options{OfferSandbox: true, Folder: "~/.billfold/default"}}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.GoldenSizes("firstrun/firstrun", uitest.Sizes())
		d.Press("1")
		newPassword(d)
		d.Press("v") // each phrase is another one
		d.GoldenSizes("firstrun/phrase", uitest.Sizes())
		d.Press("v enter")
		d.GoldenSizes("firstrun/quiz", uitest.Sizes())
	})
}

// Before the first key of a wallet is stored, the screen and linear mode say to which chain the wallet will keep, and whether that is the main network.
func TestTheChainIsToldBeforeTheFirstKey(t *testing.T) {
	main, err := ledger.ParseChainID(ledger.MainnetChainID)
	uitest.Must(t, err)
	for chain, want := range map[ledger.ChainID]string{
		{}:           "the first node that answers, and none has yet",
		main:         "the main network of DCore.",
		{0xe4, 0xd5}: "(e4d50000), which is not the main network",
	} {
		if got := firstrun.Binding(walletcore.Status{ChainID: chain}); !strings.Contains(got, want) || chain == main && strings.Contains(got, "not the main") {
			t.Errorf("%s: %s", chain, got)
		}
	}
	uitest.Play(t, 80, 24, uitest.Scene{Unmade: true}, func(d *uitest.Driver, _ *uitest.World) {
		d.Shows("Welcome", "The wallet keeps to this chain (e48d55a6), which is not the main")
		d.Press("3") // a private key
		d.Shows("Private key")
		d.Type(uitest.KeyOf("alice").WIF())
		for range 6 {
			if strings.Contains(d.Screen(), "Once more") {
				break
			}
			d.Press("enter")
			d.Wait(5 * time.Second)
			if strings.Contains(d.Screen(), "New password") && !strings.Contains(d.Screen(), "Once more") {
				d.Type("ordinary otters sing at seven")
			}
		}
		d.Shows("Once more", "The wallet keeps to this chain (e48d55a6)")
	})
}
