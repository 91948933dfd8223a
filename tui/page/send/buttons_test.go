package send_test

import (
	"testing"

	"billfold/tui/uitest"
)

// tab leads from what is to be typed to the buttons, which are there then; what repeats a payment is a row of its own.
func TestTabShowsTheButtonsOfAReviewWithACheck(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 20}} {
		uitest.Play(t, size[0], size[1], uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
			_, err := w.Send(uitest.Carol, "5.5")
			uitest.Must(t, err)
			d.FillForm("carol", "5.5")
			d.Press("ctrl+s")
			d.Until("Review", "type the amount")
			d.Hides("[ esc  Back")
			d.Press("tab")
			d.Shows("type the amount", "[ S  Sign and send ]  [ esc  Back, change it ]")
			d.Press("tab")
			d.Hides("[ esc  Back")
			d.Press("tab")
			d.Sure("G")
			d.Shows("Repeats     ▲ same as", "[ esc  Back, change it ]")
		})
	}
}
