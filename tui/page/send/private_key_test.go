package send_test

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui/uitest"

	tea "github.com/charmbracelet/bubbletea"
)

// A private key is hidden and refused in every field of a payment, also with a letter
// glued to it or broken in two; it is neither sent to a node nor kept as a draft.
func TestPrivateKeyInAPaymentIsHiddenAndRefused(t *testing.T) {
	wif := ledger.DeriveKey("a key", 0).WIF()
	var h heard
	scene := uitest.Rows()
	scene.Core = h.listen
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		for _, c := range []struct{ field, text string }{
			{"Memo", wif}, {"Memo", wif + "x"}, {"Memo", "x" + wif}, {"Memo", "12" + wif},
			{"Memo", wif[:25] + "\n" + wif[25:]}, {"Memo", wif[:25] + " " + wif[25:]}, {"Memo", wif[:25] + "\u200b" + wif[25:]},
			{"To", wif}, {"To", "carol" + wif}, {"Amount", wif}, {"Amount", "1" + wif}, {"Asset", wif}, {"Asset", wif + "x"},
		} {
			d.Press("3 ctrl+x")
			d.Type("carol")
			d.Press("tab")
			d.Type("250")
			for d.Press("tab tab tab"); !strings.Contains(d.Screen(), "Send › "+c.field); {
				d.Press("tab")
			}
			d.Press("ctrl+u")
			d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(c.text), Paste: true})
			d.Shows("this text contains a private key", "1 warning", "••••")
			d.Hides(wif[:8], wif[40:], strings.ToLower(wif[:8]))
			d.Press("ctrl+s")
			d.Shows("Send › "+c.field, "this text contains a private key")
			d.Press("esc d")
			d.Hides(wif[:8], wif[40:])
			d.Press("enter")
			d.Shows("Not saved: " + c.field + " holds a private key")
			d.Press("esc esc")
		}
		kept, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
		if err != nil || len(h.built)+len(kept) != 0 {
			t.Errorf("built %+v, kept %+v, %v", h.built, kept, err)
		}
		for _, prefix := range h.sought {
			if strings.Contains(prefix, strings.ToLower(wif[:20])) {
				t.Error("the key was sent to the node")
			}
		}
	})
}
