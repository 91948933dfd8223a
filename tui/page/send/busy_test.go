package send_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/txbuild"
)

// While a payment is being sent nothing takes the place of its form, which is forgotten with its draft once it is on its way.
func TestNothingReplacesWhatIsBeingSent(t *testing.T) {
	for name, keys := range map[string]string{"a payment again": "2 b", "an asset": "1 g s", "a contact": "7 s", "pending": "1 p enter"} {
		t.Run(name, func(t *testing.T) {
			rent := txbuild.TransferParams{From: "alice", To: "carol", Amount: "2", Asset: "DCT"}
			uitest.Play(t, 100, 30, saved(rent), func(d *uitest.Driver, w *uitest.World) {
				toAlice(d)
				d.Press("3 esc d down")
				d.Until("2 DCT → carol")
				d.Press("enter ctrl+s")
				d.Until("Sign and send")
				w.Ledger.DelayMethod("broadcast_transaction", 5*time.Second)
				d.Sure("S")
				d.Until("Signing and sending")
				d.Wait(time.Second)
				d.Press("esc " + keys)
				if name != "pending" {
					d.Until("A payment is still being sent; try again once it is sent")
				}
				d.Until("Sending", "2.00000000 DCT")
				d.Wait(10 * time.Second)
				d.Until("In a block")
				keeps(w)
				d.Press("esc 3")
				d.Shows("To is empty")
				d.Hides("2.00000000 DCT", "carol")
			})
		})
	}
}
