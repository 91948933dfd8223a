package tui_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

// What is typed stays typed at ctrl+c, which says what the next one does, also in a field.
func TestStoppingOnceDropsNothingTyped(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.FillForm("carol", "2.5")
		d.Press("tab tab")
		d.Type("rent")
		d.Press("ctrl+c")
		d.Shows("Press ctrl+c again to quit", "rent", "TYPE")
		d.Press("5 esc")
		d.Press("esc 5 n")
		d.Type("carol")
		d.Press("enter")
		d.Until("To carol")
		d.Type("see you")
		d.Wait(5 * time.Second)
		d.Press("ctrl+c")
		d.Shows("Press ctrl+c again to quit", "see you")
	})
}

// A payment that was begun as one account is a draft of it, whichever is in focus when the program ends.
func TestDraftStaysWithItsAccount(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "33")
		d.Press("esc @ down enter")
		d.Shows("begun as a payment of alice 1.2.34")
		uitest.Must(t, d.Model.Keep(w.Ctx))
		other := d.Model.Env().Account.ID
		if a, b := drafts(t, w), drafts(t, w, other); a != 1 || b != 0 || other == uitest.Alice.ID {
			t.Errorf("alice has %d drafts, %d has %d", a, other, b)
		}
	})
}
