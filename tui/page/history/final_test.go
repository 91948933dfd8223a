package history_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

// The page of a row says when this wallet saw its payment to be irreversible, also after a restart; of payments by others, and of
// those of which it is not known, it says no time.
func TestTheDetailSaysSinceWhenAPaymentIsIrreversible(t *testing.T) {
	uitest.Play(t, 140, 40, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "2")
		d.Until("✓ carol", "Fee  ")
		d.Press("ctrl+s")
		d.Until("Sign and send")
		d.Wait(time.Second)
		d.Sure("S")
		d.Until("In a block")
		d.Wait(3 * time.Minute)
		w.Reopen(func(string) {})
		w.Look(140, 40, func(d *uitest.Driver) {
			d.Press("2")
			d.Until("2.00000000 DCT")
			d.Press("enter")
			d.Until("Tx id", "irreversible since 2026-11-20 14:")
			d.Press("esc down enter")
			d.Until("Tx id")
			d.Wait(time.Second)
			d.Hides("irreversible since")
		})
	})
}
