package send_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/paytable"
)

// salaries is a table as it comes out of a spreadsheet, with two rows to correct.
const salaries = "carol\t12,5\trent, May\ncarrol\t3\nbob-trade\t1.234,56\nmerchant-7\n"

func TestTableLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Paste(salaries)
		d.Until("2 lines to correct", "✓ 12.50000000 DCT → carol 1.2.57")
		d.GoldenSizes("table", uitest.Sizes())
	})
}

// A pasted table is corrected in place, with the text of its rows, and reviewed as it is built.
func TestTableGoesFromPasteToBlock(t *testing.T) {
	onBox(t, func(d *uitest.Driver, w *uitest.World, sent func() int) {
		d.Press("3")
		d.Paste("carol\t2,5\trent, May\ncarrol\t3\ncarol 1")
		d.Until("1 line to correct", "Send › Table", "✓ 2.50000000 DCT → carol 1.2.57")
		d.Press("ctrl+s")
		d.Shows("Not built: line 2 is wrong.", "line 2: there is no account \"carrol\"; did you mean carol 1.2.57?", "2 carrol 3")
		d.Press("home right right right delete") // the row keeps its text, and the cursor is in it
		d.Shows("2 carol 3")
		d.Press("down end")
		d.Until("live check: all good", "Total     6.50000000 DCT")
		d.Press("ctrl+s")
		d.Until(`▲ "2,5" is read as 2.5 DCT to carol`, "carol is paid 3 times", "3 operations")
		d.Press("down down down down down down")
		d.Until("rent, May")
		d.Wait(time.Second)
		if d.Type("6.50300000"); !strings.Contains(d.Screen(), "S  ") {
			d.Type("1.2.57")
		}
		d.Wait(time.Second)
		d.Press("S")
		d.Until("Sending", "lines 1 to 3: 3 payments", "sent, waiting for a block")
		w.Mine()
		d.Until("in a block")
		if sent() != 1 {
			t.Errorf("%d transactions were sent", sent())
		}
		d.Wait(time.Minute)
		d.Until("final")
		d.Press("esc 3")
		d.Hides("carol")
		d.Paste("carol 2.5 rent, May\ncarol 3\ncarol 1")
		d.Until("live check: all good")
		d.Press("ctrl+s")
		d.Until("every payment of this table was sent before", "give the payout a label")
		if sent() != 1 {
			t.Errorf("%d transactions were sent after the table was pasted again", sent())
		}
	})
}

// What is refused names its row, and no private key in a table is shown or built.
func TestTableRefusesWhatAPaymentDoes(t *testing.T) {
	onBox(t, func(d *uitest.Driver, _ *uitest.World, sent func() int) {
		d.Press("3")
		d.Paste("carol 900000\ncarol 1")
		d.Until("more than you have")
		d.Press("ctrl+s")
		d.Shows("Not built: the total is more than you have")
		d.Press("ctrl+x")
		d.Paste("carol 1\ncarol 1 5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3")
		d.Until("this text contains a private key")
		d.Hides("5KQw")
		d.Press("ctrl+s")
		d.Shows("Not built: ")
		d.Hides("5KQw")
		if sent() != 0 {
			t.Error("something was sent")
		}
	})
}

// A table that is left half typed is a draft, and the draft is the table again.
func TestTableIsKeptAsDraft(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("3 ctrl+n")
		d.Shows("Send · several")
		d.Type("carol 2")
		d.Press("enter")
		d.Type("bobby 3 tea")
		d.Press("tab tab")
		d.Type("June")
		d.Press("esc d enter")
		d.Until("Saved as a draft")
		d.Press("d")
		d.Until("2 payments “June” in a table: carol 2")
		d.Press("down enter")
		d.Shows("1 carol 2", "2 bobby 3 tea", "Label     June")
		kept, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
		if err != nil || len(kept) != 1 || !kept[0].Several || kept[0].Label != "June" || kept[0].Request.To != "carol 2\nbobby 3 tea" {
			t.Errorf("kept as %+v, %v", kept, err)
		}
	})
}

// Everything that a person may call it leads to the table.
func TestTableIsFound(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		for _, word := range []string{"several", "payout", "csv", "many", "table"} {
			d.Press("1 :")
			d.Type(">" + word)
			d.Shows("pay several recipients")
			d.Press("enter")
			d.Shows("Send · several")
			d.Press("esc 1 /")
			d.Type(word)
			d.Shows("pay several recipients")
			d.Press("esc")
		}
	})
}

func TestLargeTableHasOneReview(t *testing.T) {
	onBox(t, func(d *uitest.Driver, _ *uitest.World, _ func() int) {
		var text strings.Builder
		for i := range 300 {
			fmt.Fprintf(&text, "carol 0.%04d\n", i+1)
		}
		d.Press("3")
		d.Paste(text.String())
		d.Until("300 payments", "live check: all good", "Total     4.51500000 DCT")
		d.Press("ctrl+s")
		d.Until("300 operations in 6 transactions", "carol is paid 300 times")
	})
}

// A table that is broken off comes back as it was typed, and the key after esc changes none of it: a letter more in its label would pay
// rows again.
func TestTableThatIsBrokenOffComesBackUnchanged(t *testing.T) {
	onBox(t, func(d *uitest.Driver, w *uitest.World, _ func() int) {
		d.Press("3")
		d.Paste("carol 2.5\ncarol 3")
		d.Until("live check: all good")
		d.Press("tab tab")
		d.Type("A1")
		d.Press("ctrl+s")
		d.Until("carol is paid 2 times")
		d.Press("down down down down down down")
		d.Wait(time.Second)
		if d.Type("5.50200000"); !strings.Contains(d.Screen(), "S  ") {
			d.Type("1.2.57")
		}
		d.Wait(time.Second)
		other := paytable.Tables{View: w.Wallet.View, Payments: w.Wallet.Payments}
		made, err := other.Build(w.Ctx, paytable.Request{From: "alice", Text: "carol 3\ncarol 2.5\ncarol 1", Asset: "DCT", Label: "A1"})
		uitest.Must(t, err)
		_, err = made.Send(w.Ctx)
		uitest.Must(t, err)
		d.Press("S")
		d.Until("Broken off", "Nothing was sent.")
		d.Press("esc d")
		d.Until("Drafts")
		d.Press("esc")
		d.Until("carol 2.5", "Label     A1")
		d.Hides("A1d")
	})
}
