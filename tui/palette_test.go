package tui_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

// The palette finds contacts, payments, objects and rows by a few letters, and opens them.
func TestPaletteFindsWhatTheWalletKnows(t *testing.T) {
	keystrokes(t, uitest.Scene{Past: indexedRows}, func(c *counter, w *uitest.World) {
		paid, err := w.Send(uitest.Bob, "3")
		uitest.Must(t, err)
		find := func(text string, shows ...string) {
			t.Helper()
			c.Press(":")
			c.Type(text)
			c.Shows(shows...)
			c.Press("enter")
			c.Wait(time.Second)
		}
		find("@carl", "CONTACT", "carol 1.2.57")
		c.Shows("Send", "carol 1.2.57")
		c.Press("esc esc 1")
		find(paid.ID.String()[:8], "PAYMENT", "3.00000000 DCT → bob-trade 1.2.110")
		c.Shows("Sending")
		c.Press("esc 1")
		find("crol", "CONTACT", "carol 1.2.57") // a letter is missing
		c.Shows("Send", "carol 1.2.57")
		c.Press("esc esc 1")
		find("bob-trdae", "KNOWN ACCOUNT", "bob-trade 1.2.110") // two are swapped; paid before, no contact
		c.Shows("Account card", "bob-trade 1.2.110")
		c.Press("esc")
		find("dct", "ASSET", "DCT")
		c.Shows("[9 Assets]", "/ DCT")
		c.Press("esc esc 1")
		find("240", "HISTORY", "→ carol 1.2.57", "240.00000000 DCT")
		c.Shows("Detail", "240.00000000 DCT")
		c.Press("1 6")
		c.Press("/")
		c.Shows("Palette")
		c.Press("esc 1")
		find("october", "FIND", "rows with october")
		c.Shows("1 of 3 rows")
		c.Press("1")
		find("#1.2.57", "Account card of 1.2.57")
		c.Shows("Account card", "carol 1.2.57")
		c.Press("esc")
		find("#1.7.1", "History: operation 1.7.1")
		c.Shows("Filter / id:1.7.1")
		c.Press("1")
	})
}
