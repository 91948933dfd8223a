package tui_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/build"
)

// A spend of a program that the node refuses at once is not left standing as approved: what became of it is said.
func TestARefusalIsSaidOfWhatWasNeverOnItsWay(t *testing.T) {
	uitest.Play(t, 140, 40, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		p := build.RequestToBuyParams{Consumer: "alice", URI: "ipfs:Qm", Asset: "DCT", Price: "12"}
		made, err := w.Wallet.Payments.Prepare(w.Ctx, build.NewRequest("request_to_buy", p, build.RequestToBuy))
		uitest.Must(t, err)
		if _, err := w.Wallet.Payments.Send(w.Ctx, made); err == nil {
			t.Fatal("content was bought that does not exist")
		}
		d.Wait(time.Second)
		d.Press("~")
		d.Until("Outcome unknown, do not send again: alice bought ipfs:Qm")
		for range 30 {
			w.Mine()
			d.Wait(5 * time.Second)
		}
		d.Press("esc ~")
		d.Until("nothing was spent: alice bought ipfs:Qm")
	})
}
