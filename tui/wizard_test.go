package tui

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

func unmade() *paper {
	core := sample()
	core.status.Lock = walletcore.LockNew
	return core
}

// Each answer is checked when it is given, not after the last one.
func TestWizardChecksEachAnswer(t *testing.T) {
	driven(t, 80, 24, unmade(), func(d *drive) {
		d.press("2")
		d.typed("/tmp/nothing.json")
		d.press("enter")
		d.shows("there is no file /tmp/nothing.json", "step 2 of 5")
		d.press("ctrl+u")
		d.typed("/tmp/wallet.json")
		d.press("enter")
		d.shows("/tmp/wallet.json  ✓ a wallet.json", "Its password")
		d.typed("wrong")
		d.press("enter")
		d.shows("the password does not open the wallet.json", "step 3 of 5")
		d.typed(password) // replaces the wrong one
		d.press("enter")
		d.shows("✓ opens the file: 3 keys, 1 account", "New password", "step 4 of 5")
		d.hides(password, "wrong")
	})
	driven(t, 80, 24, unmade(), func(d *drive) {
		d.press("3")
		d.typed(ledger.DeriveKey("a key", 0).WIF())
		d.press("enter")
		d.typed("nobody")
		d.press("enter")
		d.shows("there is no account nobody", "step 3 of 5")
	})
}

// A private key is never on the screen: not in its own field, whatever is pressed,
// and in no other.
func TestPrivateKeysAreHidden(t *testing.T) {
	wif := ledger.DeriveKey("a key", 0).WIF()
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(wif), Paste: true}
	driven(t, 80, 24, unmade(), func(d *drive) {
		d.press("3")
		d.send(paste)
		d.press("ctrl+t")
		d.hides(wif, wif[:10])
		d.shows("checksum matches: " + ledger.DeriveKey("a key", 0).Public().String())
		d.press("enter")
		d.shows("•••••••• ", "✓ checksum matches:", "DCT")
		d.send(paste) // as the account
		d.hides(wif, wif[:10])
		d.shows("it holds a private key")
		d.press("enter")
		d.shows("it holds a private key", "step 3 of 5")
	})
	driven(t, 80, 24, sample(), func(d *drive) {
		for _, keys := range []string{"3", "tab", "tab tab", "esc esc 2 /", "esc 1 :"} {
			d.press(keys)
			d.typed("x ")
			d.send(paste)
			d.hides(wif, wif[:10], wif[40:])
			d.press("esc")
		}
	})
}

// A weak password is told so while it is typed, with what it resists.
func TestWeakPasswordIsTold(t *testing.T) {
	driven(t, 80, 24, unmade(), func(d *drive) {
		d.press("1")
		d.typed("summer2026")
		d.wait(time.Second)
		d.shows("▲ The password is weak: resists about", "graphics card")
		d.press("enter")
		d.shows("Once more", "▲ The password is weak")
		d.press("esc ctrl+u")
		d.typed("correct horse battery staple")
		d.wait(time.Second)
		d.shows("✓ strong: resists")
		d.hides("weak", "correct")
		d.press("ctrl+t")
		d.shows("correct horse battery staple")
		d.wait(11 * time.Second)
		d.hides("correct")
		d.shows(strings.Repeat("•", 20))
	})
}
