package page_test

import (
	"testing"

	"billfold/tui/uitest"
	"billfold/walletcore/build"
)

// A payment that was typed and not sent is told of where the wallet opens, and how to get to it: of the account in focus, else of
// another own one. While the wallet is locked nothing is said of drafts.
func TestHomeTellsOfDrafts(t *testing.T) {
	scene := uitest.Shown()
	scene.Wallet = func(w *uitest.World) {
		uitest.Shown().Wallet(w)
		_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID, build.TransferParams{To: "carol", Amount: "7.77", Asset: "DCT"})
		uitest.Must(w.T, err)
		_, err = w.Wallet.Drafts.Save(w.Ctx, uitest.Bob.ID, build.TransferParams{To: "carol", Amount: "1"}) // of no account of this wallet
		uitest.Must(w.T, err)
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.GoldenSizes("home/draft", [][2]int{{80, 24}, {140, 40}, {100, 30}, {50, 16}})
		d.Resize(80, 24)
		d.Press("@ down enter 1")
		d.Until("savings-1 1.2.88 ▾", "1 draft of a payment of alice 1.2.34 is kept · @ switches")
		d.Press("@ up enter ctrl+l esc 1")
		d.Hides("draft")
		d.Press("ctrl+l")
		d.Type(uitest.Password)
		d.Press("enter 1")
		d.Until("1 draft of a payment is kept · 3 opens Send, esc d lists it")
		d.Press("3 esc d down")
		d.Shows("7.77")
		d.Sure("X")
		d.Press("esc 1")
		d.Until("Pending payments")
		d.Hides("draft")
	})
}
