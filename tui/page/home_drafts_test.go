package page_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/txbuild"
)

// A payment that was typed and not sent is told of where the wallet opens, and how to get to it: of the account in focus, else of
// another own one. While the wallet is locked nothing is said of drafts.
func TestHomeTellsOfDrafts(t *testing.T) {
	scene := uitest.Shown()
	scene.Wallet = func(w *uitest.World) {
		uitest.Shown().Wallet(w)
		_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID, txbuild.TransferParams{To: "carol", Amount: "7.77", Asset: "DCT"})
		uitest.Must(w.T, err)
		_, err = w.Wallet.Drafts.Save(w.Ctx, uitest.Bob.ID, txbuild.TransferParams{To: "carol", Amount: "1"}) // of no account of this wallet
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

// What was signed for and hangs at a node is under way, and no draft, although it is kept as one. Home names the keys to the drafts only
// while they lead there: from the page of a payment esc goes to Home, where d removes an account.
func TestHomeShowsWhatIsBeingSigned(t *testing.T) {
	scene := uitest.Shown()
	scene.Wallet = func(w *uitest.World) {
		for _, amount := range []string{"1", "2", "3", "4"} {
			_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID, txbuild.TransferParams{To: "carol", Amount: amount, Asset: "DCT"})
			uitest.Must(w.T, err)
		}
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Until("4 drafts of a payment are kept · 3 opens Send, esc d lists them")
		d.FillForm("carol", "6.7")
		d.Press("ctrl+s")
		d.Until("Review")
		d.Wait(time.Second)
		delay := func(by time.Duration) {
			for _, method := range []string{"get_objects", "get_accounts", "get_account_balances", "get_dynamic_global_properties"} {
				w.Ledger.DelayMethod(method, by)
			}
		}
		delay(10 * time.Second)
		d.Sure("S")
		d.Shows("Signing and sending")
		d.Press("1")
		d.Wait(2 * time.Second)
		d.Shows("6.70000000 DCT  → carol 1.2.57", "being signed, not sent yet", "4 drafts of a payment are kept ─")
		d.Hides("No pending payments", "3 opens Send", "5 drafts")
		d.Press("p y")
		d.Shows("Amount")
		d.Hides("Tx id")
		d.Press("esc enter")
		d.Shows("Signing and sending")
		d.Press("esc")
		delay(0)
		d.Wait(3 * time.Minute)
		d.Shows("No pending payments", "4 drafts of a payment are kept · 3 opens Send, esc d lists them")
		d.Press("3 esc d")
		d.Shows("Send › Drafts")
		d.Press("1")
		d.Shows("4 drafts of a payment are kept · 3 lists them")
		d.Press("3")
		d.Shows("Send › Drafts")
		d.Press("1")
		_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID, txbuild.TransferParams{To: "carol", Amount: "5", Asset: "DCT"})
		uitest.Must(t, err)
		_, err = w.Send(uitest.Carol, "0.5") // what becomes of a payment has the drafts counted again: it may have been one
		uitest.Must(t, err)
		d.Wait(time.Second)
		d.Shows("5 drafts of a payment are kept")
	})
}
