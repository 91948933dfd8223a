package tui

import (
	"strings"
	"testing"

	"billfold/ledger"

	tea "github.com/charmbracelet/bubbletea"
)

// A private key is hidden and refused in every field of a payment, also with a letter
// glued to it or broken in two; it is neither sent to a node nor kept as a draft.
func TestPrivateKeyInAPaymentIsHiddenAndRefused(t *testing.T) {
	wif := ledger.DeriveKey("a key", 0).WIF()
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		for _, c := range []struct{ field, text string }{
			{"Memo", wif}, {"Memo", wif + "x"}, {"Memo", "x" + wif}, {"Memo", "12" + wif},
			{"Memo", wif[:25] + "\n" + wif[25:]}, {"Memo", wif[:25] + " " + wif[25:]}, {"Memo", wif[:25] + "\u200b" + wif[25:]},
			{"To", wif}, {"To", "carol" + wif}, {"Amount", wif}, {"Amount", "1" + wif}, {"Asset", wif}, {"Asset", wif + "x"},
		} {
			d.press("3 ctrl+x")
			d.typed("carol")
			d.press("tab")
			d.typed("250")
			for d.press("tab tab tab"); !strings.Contains(d.screen(), "Send › "+c.field); {
				d.press("tab")
			}
			d.press("ctrl+u")
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(c.text), Paste: true})
			d.shows("it holds a private key", "1 warning", "••••")
			d.hides(wif[:8], wif[40:], strings.ToLower(wif[:8]))
			d.press("ctrl+s")
			d.shows("Send › "+c.field, "it holds a private key")
			d.press("esc d")
			d.hides(wif[:8], wif[40:])
			d.press("enter")
			d.shows("Not kept: " + c.field + " holds a private key")
			d.press("esc esc")
		}
		if len(core.built)+len(core.forms) != 0 {
			t.Errorf("built %+v, kept %+v", core.built, core.forms)
		}
		for _, prefix := range core.sought {
			if strings.Contains(prefix, strings.ToLower(wif[:20])) {
				t.Error("the key was sent to the node")
			}
		}
	})
}
