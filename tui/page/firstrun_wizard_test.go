package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// A wallet.json of cli_wallet, and its password.
const (
	legacyFile     = "../../keystore/testdata/wallet-legacy.json"
	legacyPassword = "pass123"
)

// Each answer is checked when it is given, not after the last one.
func TestWizardChecksEachAnswer(t *testing.T) {
	uitest.RunNew(t, 100, 30, func(d *uitest.Driver, _ *walletcore.Wallet) { // of no chain yet, so that the file fits
		d.Press("2")
		d.Type("/nowhere/nothing.json")
		d.Press("enter")
		d.Shows("/nowhere/nothing.json", "✗", "step 2 of 5")
		d.Press("tab ctrl+u")
		damaged := filepath.Join(t.TempDir(), "damaged")
		uitest.Must(t, os.WriteFile(damaged, []byte("{\n \x00"), 0o600))
		d.Type(damaged)
		d.Press("enter")
		d.Shows("a zero byte stands there", "Use a backup of it;", "step 2 of 5")
		d.Hides("permissions")
		d.Press("tab ctrl+u")
		d.Type(legacyFile)
		d.Press("enter")
		d.Shows(legacyFile+"  ✓ a wallet.json", "Its password")
		d.Type("wrong")
		d.Press("enter")
		d.Shows("that is not the password of this wallet", "step 3 of 5")
		d.Type(legacyPassword) // replaces the wrong one
		d.Press("enter")
		d.Shows("✓ opens the file: ", "New password", "step 4 of 5")
		d.Hides(legacyPassword, "wrong")
	})
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Type(ledger.DeriveKey("a key", 0).WIF())
		d.Press("enter")
		d.Type("nobody-here")
		d.Press("enter")
		d.Shows("✗", "nobody-here", "step 3 of 5")
	})
}

// A private key is never on the screen: not in its own field, whatever is pressed,
// and in no other.
func TestPrivateKeysAreHidden(t *testing.T) {
	wif := ledger.DeriveKey("a key", 0).WIF()
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(wif), Paste: true}
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Send(paste)
		d.Press("ctrl+t")
		d.Hides(wif, wif[:10])
		d.Shows("checksum matches: " + ledger.DeriveKey("a key", 0).Public().String())
		d.Press("enter")
		d.Shows("•••••••• ", "✓ checksum matches:", "DCT")
		d.Send(paste) // as the account
		d.Hides(wif, wif[:10])
		d.Shows("this text contains a private key")
		d.Press("enter")
		d.Shows("this text contains a private key", "step 3 of 5")
	})
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
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
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("1")
		d.Type("summer2026")
		d.Wait(time.Second)
		d.Shows("▲ The password is easy to guess: among the first that anybody tries")
		d.Press("enter")
		d.Shows("Once more", "▲ The password is easy to guess")
		d.Press("esc ctrl+u")
		d.Type("tangled otter paints gravel")
		d.Wait(time.Second)
		d.Shows("✓ strong: whoever has the file needs")
		d.Hides("weak", "otter")
		d.Press("ctrl+t")
		d.Shows("tangled otter paints gravel")
		d.Wait(11 * time.Second)
		d.Hides("correct")
		d.Shows(strings.Repeat("•", 20))
	})
}
