package send_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

// A payment gets its label where it was sent, once it has a row; the history finds it.
func TestAPaymentIsLabelledWhereItWasSent(t *testing.T) {
	scene := uitest.Rows()
	scene.Past.Index = true
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		w.Ledger.StopBlocks(true)
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Until("Prepared")
		d.Press("n")
		d.Shows("Not now: the payment is in no block yet")
		w.Ledger.StopBlocks(false)
		d.Until("block #")
		d.Press("n enter")
		d.Shows("type a label")
		d.Type("rent 11")
		d.Golden("sending-label80x24")
		d.Press("enter")
		d.Until("The label is kept")
		d.Press("esc 2 /")
		d.Type(`label:"rent 11"`)
		d.Press("enter")
		d.Until("1 of ", "carol")
	})
}
