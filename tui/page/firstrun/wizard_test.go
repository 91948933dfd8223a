package firstrun_test

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"

	tea "github.com/charmbracelet/bubbletea"
)

// Each answer is checked when it is given, not after the last one.
func TestWizardChecksEachAnswer(t *testing.T) {
	uitest.Run(t, 80, 24, uitest.Unmade(), func(d *uitest.Driver) {
		d.Press("2")
		d.Type("/tmp/nothing.json")
		d.Press("enter")
		d.Shows("there is no file /tmp/nothing.json", "step 2 of 5")
		d.Press("ctrl+u")
		d.Type("/tmp/wallet.json")
		d.Press("enter")
		d.Shows("/tmp/wallet.json  ✓ a wallet.json", "Its password")
		d.Type("wrong")
		d.Press("enter")
		d.Shows("the password does not open the wallet.json", "step 3 of 5")
		d.Type(uitest.Password) // replaces the wrong one
		d.Press("enter")
		d.Shows("✓ opens the file: 3 keys, 1 account", "New password", "step 4 of 5")
		d.Hides(uitest.Password, "wrong")
	})
	uitest.Run(t, 80, 24, uitest.Unmade(), func(d *uitest.Driver) {
		d.Press("3")
		d.Type(ledger.DeriveKey("a key", 0).WIF())
		d.Press("enter")
		d.Type("nobody")
		d.Press("enter")
		d.Shows("there is no account nobody", "step 3 of 5")
	})
}

// A private key is never on the screen: not in its own field, whatever is pressed,
// and in no other.
func TestPrivateKeysAreHidden(t *testing.T) {
	wif := ledger.DeriveKey("a key", 0).WIF()
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(wif), Paste: true}
	uitest.Run(t, 80, 24, uitest.Unmade(), func(d *uitest.Driver) {
		d.Press("3")
		d.Send(paste)
		d.Press("ctrl+t")
		d.Hides(wif, wif[:10])
		d.Shows("checksum matches: " + ledger.DeriveKey("a key", 0).Public().String())
		d.Press("enter")
		d.Shows("•••••••• ", "✓ checksum matches:", "DCT")
		d.Send(paste) // as the account
		d.Hides(wif, wif[:10])
		d.Shows("it holds a private key")
		d.Press("enter")
		d.Shows("it holds a private key", "step 3 of 5")
	})
	uitest.Run(t, 80, 24, uitest.Drawn(), func(d *uitest.Driver) {
		for _, keys := range []string{"3", "tab", "tab tab", "esc esc 2 /", "esc 1 :"} {
			d.Press(keys)
			d.Type("x ")
			d.Send(paste)
			d.Hides(wif, wif[:10], wif[40:])
			d.Press("esc")
		}
	})
}

// A weak password is told so while it is typed, with what it resists.
func TestWeakPasswordIsTold(t *testing.T) {
	uitest.Run(t, 80, 24, uitest.Unmade(), func(d *uitest.Driver) {
		d.Press("1")
		d.Type("summer2026")
		d.Wait(time.Second)
		d.Shows("▲ The password is weak: resists about", "graphics card")
		d.Press("enter")
		d.Shows("Once more", "▲ The password is weak")
		d.Press("esc ctrl+u")
		d.Type("correct horse battery staple")
		d.Wait(time.Second)
		d.Shows("✓ strong: resists")
		d.Hides("weak", "correct")
		d.Press("ctrl+t")
		d.Shows("correct horse battery staple")
		d.Wait(11 * time.Second)
		d.Hides("correct")
		d.Shows(strings.Repeat("•", 20))
	})
}
