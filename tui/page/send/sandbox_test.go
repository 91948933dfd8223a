package send_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// toReview opens the review of a payment to an account that the ledger has.
func toReview(d *uitest.Driver, to, amount string) {
	d.FillForm(to, amount)
	d.Until("✓ "+to, "Fee  ")
	d.Press("ctrl+s")
	d.Until("Read back from the bytes")
	d.Wait(time.Second)
}

// pay sends a small payment and leaves its page.
func pay(d *uitest.Driver, to, amount string) {
	toReview(d, to, amount)
	d.Press("S")
	d.Until("waiting for the next block")
	d.Press("esc")
}

// onBox drives the wallet of alice; sent is how many payments it knows of.
func onBox(t *testing.T, test func(d *uitest.Driver, w *uitest.World, sent func() int)) {
	t.Helper()
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) { test(d, w, w.Paid) })
}

// A payment goes from the form over review and S into a block, and is final when the
// blocks behind it say so.
func TestPaymentGoesFromFormToIrreversible(t *testing.T) {
	onBox(t, func(d *uitest.Driver, w *uitest.World, sent func() int) {
		toReview(d, "carol", "5")
		d.Shows("carol 1.2.57", "5.00100000 DCT", "MODAL")
		d.Press("S")
		d.Until("Sending", "Sent", "waiting for the next block")
		w.Mine()
		d.Until("In a block", "of ")
		d.Wait(time.Minute)
		d.Until("Final in block #", "is irreversible")
		timed := regexp.MustCompile(`✓ (Prepared|Sent|In a block|Irreversible) +[0-9]{2}:[0-9]{2}:[0-9]{2} `)
		if n := len(timed.FindAllString(d.Screen(), -1)); n != 4 {
			t.Errorf("%d of the 4 steps have a time:\n%s", n, d.Screen())
		}
		row, err := w.Wallet.History.Entries(w.Ctx, uitest.Alice.ID, 0, 1)
		uitest.Must(t, err)
		d.Shows("History " + row[0].ID.String())
		d.Press("esc 3")
		d.Hides("carol")
		if sent() != 1 {
			t.Errorf("%d payments were sent", sent())
		}
	})
}

func TestOnlySSpends(t *testing.T) {
	onBox(t, func(d *uitest.Driver, _ *uitest.World, sent func() int) {
		toReview(d, "carol", "5")
		d.Press("enter space y s Y a x A X")
		for y := range 24 {
			for x := y % 12; x < 80 && (y != 22 || x < 12); x += 12 { // every button is wider; of the keys only S is clicked, as esc closes
				d.ClickAt(x, y)
			}
		}
		d.Paste("S")
		if sent() != 0 {
			t.Fatal("something but S sent the payment")
		}
		for strings.Contains(d.Screen(), "Help ·") { // a click opened it
			d.Press("esc")
		}
		d.Wait(10 * time.Second)
		d.Press("S S S")
		d.Until("waiting for the next block")
		if sent() != 1 {
			t.Errorf("S sent %d times", sent())
		}
	})
}

func TestSIsDeafUntilTheReviewWasRead(t *testing.T) {
	onBox(t, func(d *uitest.Driver, _ *uitest.World, sent func() int) {
		d.FillForm("carol", "5")
		d.Until("✓ carol", "Fee  ")
		d.Press("ctrl+s S")
		d.Wait(500 * time.Millisecond)
		d.Press("S")
		d.Shows("S is off: read it first")
		if sent() != 0 {
			t.Fatal("S within 600 ms was heard")
		}
		d.Sure("S") // the early one began the 600 ms anew
		d.Until("waiting for the next block")
	})
}

func TestStrangerAboveTheLimitAsksForTheID(t *testing.T) {
	onBox(t, func(d *uitest.Driver, _ *uitest.World, sent func() int) {
		toReview(d, "carol", "250")
		d.Shows("FIRST PAYMENT", "1 check left", "TYPE")
		d.Paste("1.2.57")
		d.Shows("1 check left")
		d.Type("S1.2.58")
		d.Press("ctrl+c")
		d.Type("1.2.57")
		d.Shows("matches", "MODAL")
		if d.Press("S"); sent() != 0 {
			t.Fatal("S was heard within 600 ms of the change")
		}
		d.Wait(time.Second)
		d.Press("S")
		d.Until("waiting for the next block")
	})
}

func TestLargeAndRepeatedPaymentsAskForTheAmount(t *testing.T) {
	onBox(t, func(d *uitest.Driver, w *uitest.World, sent func() int) {
		pay(d, "carol", "5")
		toReview(d, "carol", "5")
		d.Shows("The same payment was sent just now", "type the amount")
		d.Press("tab S")
		d.Shows("S is off: type the amount first")
		d.Press("esc esc")
		d.Wait(time.Minute)
		d.Until("is irreversible")
		d.Press("s")
		d.Until("▲ same as", "type the amount")
		d.Press("esc ctrl+x esc")
		toReview(d, "carol", "1500")
		d.Shows("A large payment", "type the amount")
		d.Type("15")
		if d.Press("tab S"); sent() != 1 {
			t.Fatal("sent without the amount")
		}
		d.Press("tab")
		d.Type("00")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("waiting for the next block")
		if sent() != 2 {
			t.Errorf("%d payments were sent", sent())
		}
	})
}

// A node that refuses a payment had its bytes: nothing is called refused or unspent
// while it may still happen, and the same is not sent again.
func TestRefusalIsUnknownWhileItMayHappen(t *testing.T) {
	onBox(t, func(d *uitest.Driver, w *uitest.World, sent func() int) {
		if err := w.Ledger.RefuseBroadcast(10, "no \x1b[31mmoney"); err != nil {
			t.Fatal(err)
		}
		toReview(d, "carol", "5")
		d.Press("S")
		d.Until("? outcome unknown", "Do not send again.")
		d.Hides("Nothing was spent", "It did not enter the chain", "\x1b[31m")
		d.Press("b")
		d.Shows("Not while the outcome is unknown")
		d.Press("esc")
		toReview(d, "carol", "5")
		d.Shows("unknown outcome")
		if d.Press("tab S"); sent() != 1 {
			t.Error("the payment with the unknown outcome was sent again")
		}
	})
}

// The node goes while a payment is read: S is off, nothing is built, what is typed
// stays and can be kept; when it is back, the draft is paid.
func TestNoNodeTurnsMoneyOff(t *testing.T) {
	onBox(t, func(d *uitest.Driver, w *uitest.World, sent func() int) {
		toReview(d, "carol", "5")
		w.Cut()
		d.Until("No node answers", "Sending is off")
		d.Press("S")
		d.Shows("S is off: no node")
		d.Press("esc ctrl+s")
		d.Shows("cannot be built now", "carol", "saves it as a draft")
		d.Press("esc d")
		d.Until("Save the form: 5 DCT → carol")
		d.Press("enter")
		d.Until("Saved as a draft")
		d.Hides("carol", "cannot be built")
		w.Join()
		d.Until("● #")
		d.Press("d")
		d.Until("5 DCT → carol")
		d.Press("down enter")
		d.Until("✓ carol")
		d.Press("ctrl+s")
		d.Until("Read back from the bytes")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("waiting for the next block")
		if left, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID); err != nil || len(left) > 0 || sent() != 1 {
			t.Errorf("%d payments were sent, %v is left, %v", sent(), left, err)
		}
	})
}

func TestSuggestionIsTakenWithEnter(t *testing.T) {
	onBox(t, func(d *uitest.Driver, _ *uitest.World, _ func() int) {
		d.Press("3")
		d.Type("bob-")
		d.Until("bob-trade       1.2.110   first payment")
		d.Press("enter")
		d.Type("1")
		d.Until("✓ bob-trade")
		d.Press("ctrl+s")
		d.Until("Read back from the bytes", "bob-trade 1.2.")
	})
}
