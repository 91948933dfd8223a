package home_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

func TestHomeLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.GoldenMeanings("home80x24")
		d.GoldenSizes("home", uitest.Sizes())
	})
}

// What happens while a reading is under way is shown after it, not after the next block.
func TestWhatComesDuringAReadingIsRead(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		w.Ledger.StopBlocks(true)
		d.Shows("12,600.50410000")
		for _, method := range []string{"get_account_balances", "get_account_history"} {
			w.Ledger.DelayMethod(method, 3*time.Second)
		}
		w.Mine()
		d.Wait(time.Second)
		w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 7_00000000})
		d.Wait(time.Second)
		d.Hides("12,607", "+7.00000000 DCT")
		d.Wait(10 * time.Second)
		d.Shows("12,607.50410000", "+7.00000000 DCT")
	})
}
