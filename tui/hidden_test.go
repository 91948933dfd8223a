package tui_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

// Texts that were written while amounts were shown are hidden with them: the toast, the notices and the command.
func TestHiddenAmountsAreHiddenInNotices(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		_, err := w.Send(uitest.Carol, "3.75")
		uitest.Must(t, err)
		for range 15 {
			w.Mine()
			d.Wait(5 * time.Second)
		}
		d.Press("~")
		d.Until("Payment of 3.75000000 DCT")
		d.Press("esc *")
		d.Hides("3.75")
		d.Press("~")
		d.Shows("Past notices", "•••• DCT to carol")
		d.Hides("3.75")
		d.Press("esc *")
		d.Wait(time.Second)
		d.Press("~")
		d.Shows("Payment of 3.75000000 DCT to carol")
	})
}
