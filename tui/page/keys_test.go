package page_test

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
)

// sharedAccount is alice whose owner authority needs her key and one of carol and bob-trade.
var sharedAccount = &uitest.Past{Ledger: func(w *uitest.World) {
	owner := ledger.Authority{WeightThreshold: 2, KeyAuths: []ledger.KeyWeight{{Key: uitest.KeyOf("alice").Public(), Weight: 1}},
		AccountAuths: []ledger.AccountWeight{{Account: uitest.Carol.ID, Weight: 1}, {Account: uitest.Bob.ID, Weight: 1}}}
	w.Push(&ledger.AccountUpdateOp{Account: uitest.Alice.ID, Owner: &owner})
	w.Mine()
}}

func TestKeysLookAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: sharedAccount}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("6")
		d.Until("Keys of alice", "Result:")
		d.GoldenPage("keys/keys")
		d.GoldenSizes("keys/keys", [][2]int{{60, 20}, {50, 16}})
		d.Resize(60, 20)
		d.Press("tab")
		d.GoldenSizes("keys/keys-roles", [][2]int{{60, 20}, {50, 16}, {40, 12}})
		d.Press("tab")
		d.GoldenPage("keys/keys-xray")
		d.GoldenSizes("keys/keys-xray", [][2]int{{50, 16}, {40, 12}})
		d.Resize(80, 24)
		d.Press("u")
		d.Golden("keys/keys-no-xray80x24")
		d.Press("u e")
		d.GoldenPage("keys/keys-reveal")
		d.GoldenSizes("keys/keys-reveal", [][2]int{{40, 12}})
		d.Resize(80, 24)
		d.Press("esc ctrl+l esc 6")
		d.Until("Keys of alice", "Result:")
		d.Press("e")
		d.Shows("Unlock")
		w.Look(80, 24, func(d *uitest.Driver) {
			w.Cut()
			d.Wait(time.Second)
			d.Press("esc 6")
			d.Until("no node is live")
		})
	})
}

// What-if switches a row of the tree, and the sentence under it follows.
func TestWhatIfSaysWhoIsNeeded(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Scene{Past: sharedAccount}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("6")
		d.Until("can act as active, and lack weight 1 of 2 for owner.")
		d.Press("t")
		d.Shows("choose a row of the x-ray first")
		d.Press("tab tab G t")
		d.Shows("What if:", "can act as active, and can act as owner", "what if: 1 switched")
		d.Press("g t")
		d.Shows("you lack weight 1 of 1 for active", "lack weight 1 of 2 for")
		d.Press("esc")
		d.Shows("Result:")
	})
}

// A private key shows after the password and the end of its public key, by X alone, and not for long.
func TestAPrivateKeyIsRevealedAndHidden(t *testing.T) {
	key := uitest.KeyOf("alice")
	text := key.Public().String()
	var copied []string
	scene := uitest.Scene{Options: tui.Options{Clipboard: func(text string) error { copied = append(copied, text); return nil }}}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		reveal := func(password, end string) {
			d.Press("e")
			d.Type(password)
			d.Press("tab")
			d.Type(end)
			d.Press("enter")
			d.Sure("X")
			d.Wait(time.Second)
		}
		d.Press("6")
		d.Until("Keys of alice")
		reveal("not it", text[len(text)-6:])
		d.Until("✗")
		d.Hides(key.WIF())
		d.Press("esc")
		d.Wait(time.Minute)
		reveal(uitest.Password, "aaaaaa")
		d.Hides(key.WIF())
		d.Press("enter")
		d.Shows("those are not the last six characters of the public key")
		d.Press("esc")
		reveal(uitest.Password, text[len(text)-6:])
		d.Shows(key.WIF(), "hidden in")
		d.Press("y X S")
		d.Hides("Copy ━")
		d.Wait(31 * time.Second)
		d.Hides(key.WIF())
		reveal(uitest.Password, text[len(text)-6:])
		d.Shows(key.WIF())
		d.Press("esc")
		d.Hides(key.WIF())
		if len(copied) != 0 {
			t.Errorf("copied %q", copied)
		}
	})
}

// The password changes only with the one of now, and the wallet is locked then.
func TestThePasswordIsChanged(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("6 p")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Type("another long password")
		d.Until("New password:")
		d.Press("enter enter")
		d.Shows("the two new passwords differ")
		d.Type("another long password")
		d.Press("enter")
		d.Until("Unlock")
		uitest.Must(t, w.Wallet.Vault.Unlock(w.Ctx, "another long password"))
	})
}

// The accounts of a key are found by the key in focus, or by one that is typed.
func TestTheAccountsOfAKeyAreFound(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("6")
		d.Until("Keys of alice")
		d.Press("f enter")
		d.Until("alice 1.2.34  owner, active")
		d.Press("ctrl+u")
		d.Type("DCT5")
		d.Press("enter")
		d.Shows("that is not a public key")
		d.Press("ctrl+u")
		d.Type(uitest.KeyOf("a key of nobody").Public().String())
		d.Press("enter")
		d.Until("No account names this key.")
		d.Press("esc @ down enter")
		d.Until("Keys of savings-1 1.2.88")
		d.Press("x")
		d.Shows("Remove from the list", "savings-1")
		d.Press("esc i")
		d.Shows("Import")
	})
}

func TestKeysWithoutAnAccount(t *testing.T) {
	scene := uitest.Scene{Unmade: true, Wallet: func(w *uitest.World) { uitest.Must(t, w.Wallet.Vault.Create(w.Ctx, uitest.Password)) }}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("6")
		d.Shows("No accounts. i imports")
		d.Press("x")
		d.Shows("no account yet")
	})
}

// An account of others is watched from here; leaving the question changes nothing.
func TestAnAccountIsWatched(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("6 w esc")
		d.Shows("[6 Keys]")
		d.Press("w")
		d.Type("nobody-here")
		d.Press("enter")
		d.Until("nobody-here", "✗")
		d.Press("ctrl+u")
		d.Type("carol")
		d.Press("enter")
		d.Until("carol is on your list")
		d.Press("enter")
		d.Until("[6 Keys]", "carol 1.2.57")
		d.Press("G x")
		d.Sure("X")
		d.Until("is no longer listed")
		if n := len(w.Wallet.Own.List()); n != 2 {
			t.Errorf("%d accounts are listed", n)
		}
	})
}

// A new account is registered by one of this wallet: its words are proven first, and S in the review registers it.
func TestAnAccountIsRegistered(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("6 n")
		d.Shows("Account name")
		d.Type("alice")
		d.Press("enter")
		d.Until("alice is taken")
		d.Press("tab ctrl+u")
		d.Type("family-fund")
		d.Press("enter")
		d.Until("Registrar", "is free")
		d.Shows("alice") // pays, unless another one is typed
		d.Press("enter")
		d.Until("Your own words")
		d.Type("one two three")
		d.Press("enter")
		d.Until("Whoever guesses these words")
		d.Press("ctrl+u")
		d.Paste("copper river cafe\u0301 walnut velvet olive thunder")
		d.Press("enter")
		d.Until("would not restore the account", "U+0301")
		d.Press("ctrl+u enter")
		d.Until("This phrase is the whole wallet")
		words := d.Phrase()
		d.Press("enter")
		d.Type("wrong")
		d.Press("enter")
		d.Shows("That is not word 3")
		d.Press("ctrl+u")
		for _, n := range []int{3, 9, 14} {
			d.Type(words[n-1])
			d.Press("enter")
		}
		d.Until("Review", "family-fund")
		d.Wait(time.Second)
		for range 4 {
			d.Press("down")
		}
		d.Wait(time.Second)
		d.Press("S")
		d.Until("In a block")
		d.Press("esc")
		d.Until("[6 Keys]", "family-fund 1.2.")
		d.Press("G")
		d.Until("Keys of family-fund", "● here")
		d.Press("b")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("Phrase on your paper")
		d.Type("some other words")
		d.Press("enter")
		d.Until("✗")
		d.Press("ctrl+u")
		d.Type(strings.Join(words, " "))
		d.HidesPhrase(words)
		d.Press("enter")
		d.Until("The phrase on your paper brings family-fund")
		d.Shows("back: Import, then")
		d.HidesPhrase(words)
		d.Hides("NOT")
		d.Press("enter")
		d.Until("[6 Keys]", "✓ checked")
		made, err := w.Wallet.View.Accounts.Get(w.Ctx, "family-fund")
		uitest.Must(t, err)
		w.Pay(uitest.Transfer{From: uitest.Carol, To: ledgerview.AccountRef{ID: made.ID, Name: made.Name}, Amount: 1_00000000})
		d.Wait(10 * time.Second)
		d.Press("c enter enter") // the phrase does not give a memo key that is made here
		d.Type("new")
		d.Press("enter")
		d.Until("What it comes to")
		d.Press("enter")
		signChange(d)
		d.Press("esc")
		d.Until("Keys of family-fund")
		d.Wait(10 * time.Second)
		d.Until("◐ 2026-11-20 UTC, NOT the")
		d.Press("b")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("Phrase on your paper")
		d.Type(strings.Join(words, " "))
		d.Press("enter")
		d.Until("NOT the memo")
		d.Press("enter")
		d.Until("[6 Keys]", "◐ 2026-11-20 UTC, NOT the")
		d.Hides("✓ checked")
	})
}

// Whoever has no phrase writes the private keys down, behind the password, and proves them.
func TestKeysAreBackedUpOnPaper(t *testing.T) {
	key := uitest.KeyOf("alice")
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("6")
		d.Until("Keys of alice", "Backup on paper  ○ not checked yet, b does")
		d.Press("b")
		d.Type("not it")
		d.Press("enter")
		d.Until("✗")
		d.Hides(key.WIF())
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("Phrase on your paper")
		d.Press("enter")
		d.Until("type show:", "whoever sees them can use the account for ever")
		d.Press("enter enter") // nothing shows them but the word
		d.Shows("Type show to go on")
		d.Hides(key.WIF(), "owner, active, memo")
		d.Type("show")
		d.Press("enter")
		d.Until(key.WIF(), "owner, active, memo")
		d.Press("esc enter") // nor the word that stood there
		d.Hides(key.WIF())
		d.Type("show")
		d.Press("enter")
		d.Until(key.WIF(), "owner, active, memo")
		d.GoldenPage("keys/keys-backup")
		d.GoldenSizes("keys/keys-backup", [][2]int{{40, 12}})
		d.Resize(80, 24)
		d.Press("y")
		d.Shows(key.WIF())
		d.Wait(3 * time.Minute)
		d.Hides(key.WIF())
		d.Press("v enter")
		d.Hides(key.WIF())
		d.Type("aaaaaa")
		d.Press("enter")
		d.Until("not the last six characters")
		d.Press("ctrl+u")
		d.Type(key.WIF()[len(key.WIF())-6:])
		d.Press("enter")
		d.Until("bring alice 1.2.34 back")
		d.Press("enter")
		d.Until("Backup on paper  ✓ checked 2026-11-20")
		w.Look(100, 30, func(d *uitest.Driver) { // it is remembered
			d.Press("6")
			d.Until("Backup on paper  ✓ checked 2026-11-20")
		})
		d.Press("down")
		d.Until("Keys of savings-1")
		d.Hides("Backup on paper")
		d.Press("b")
		d.Shows("no private key of this account")
	})
}
