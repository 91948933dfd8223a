package send_test

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
)

func TestReviewMustBeScrolledToItsEnd(t *testing.T) {
	uitest.Play(t, 50, 16, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		if d.Press("S"); w.Paid() != 0 {
			t.Fatal("S was heard before the last line was in view")
		}
		d.Press("down down down down S")
		if w.Paid() != 1 {
			t.Errorf("S was not heard at the end:\n%s", d.Screen())
		}
	})
}

// A builder that lies about the recipient is shown as the liar it is: nothing
// in the review comes from the form.
func TestReviewShowsTheLieOfTheBuilder(t *testing.T) {
	scene := uitest.Rows()
	scene.Core = func(c *tui.Core) {
		c.Send.Payer = liar{c.Send.Payer, txbuild.TransferParams{To: "bob-trade", Amount: "999", Asset: "DCT", Memo: "gotcha"}}
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows("bob-trade 1.2.110", "999.00000000 DCT", "“gotcha”")
		d.Hides("carol", "250.0")
	})
}

func TestSamePaymentIsRefusedWhileItsOutcomeIsUnknown(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("bob-trade", "10")
		d.Press("ctrl+s")
		d.Wait(time.Second)
		d.Shows("unknown outcome")
		if d.Press("S tab S"); w.Paid() != 2 {
			t.Error("the payment with the unknown outcome was sent again")
		}
	})
}

func TestUnknownOutcomeForbidsAnotherAndAllowsTheSameBytes(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		uitest.Must(t, w.Ledger.RefuseBroadcast(10, "the pending list is full"))
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("outcome unknown", "Do not send again")
		d.Press("b")
		d.Shows("Sending", "Not while the outcome is unknown")
		d.Press("r")
		d.Wait(3 * time.Second)
		d.Shows("The same bytes were sent again.", "✓ In a block")
		if w.Paid() != 1 {
			t.Errorf("%d payments were sent", w.Paid())
		}
	})
}

func TestPaymentThatIsNotIncludedLeadsToAnother(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("waiting for the next block")
		for range 20 {
			uitest.Must(t, w.Ledger.RefuseBroadcast(10, "the pending list is full"))
		}
		uitest.Must(t, w.Ledger.Kill(0, 0)) // the bytes are lost, and not taken again
		d.Wait(2 * time.Minute)
		d.Shows("Not included", "Nothing was spent")
		d.Press("r")
		d.Wait(10 * time.Second)
		d.Shows("Not included")
		d.Press("b")
		d.Shows("Send › To", "carol")
		if w.Paid() != 1 {
			t.Errorf("%d payments were sent", w.Paid())
		}
	})
}

// A refusal is certain once nobody can have passed the bytes on.
func TestRefusedPaymentLeadsBackToTheFilledForm(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		uitest.Must(t, w.Ledger.RefuseBroadcast(10, "no \x1b[31mmoney"))
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Wait(2 * time.Minute)
		d.Shows("It did not enter the chain", "Nothing was spent", `\x1b[31m`)
		d.Press("b")
		d.Shows("carol", "250", "nothing is signed yet")
	})
}

// Whoever went on to another page hears of the refusal there.
func TestRefusalIsToldOnEveryPage(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		uitest.Must(t, w.Ledger.RefuseBroadcast(10, "no money"))
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S 2")
		d.Hides("Refused")
		for range 60 {
			if d.Wait(2 * time.Second); strings.Contains(d.Screen(), "✗ Refused") {
				break
			}
		}
		d.Shows("[2 History]", "✗ Refused: 250.00000000 DCT to carol 1.2.57; nothing was spent")
	})
}

// What fails before a byte leaves leads back at once.
func TestPaymentThatNeverLeftLeadsBackToTheFilledForm(t *testing.T) {
	scene := uitest.Rows()
	scene.Core = func(c *tui.Core) {
		c.Send.Payer = refusing{c.Send.Payer, &fault.Error{Code: fault.DaemonAway, Message: "no node: \x1b[31mno\x1b[0m"}}
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("Not sent", "Nothing was spent", `\x1b[31m`)
		d.Press("esc")
		d.Shows("carol", "250", "nothing is signed yet")
	})
}

func TestANodeThatIsBehindGetsNoPayment(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		w.Ledger.StopBlocks(true)
		d.Wait(4*time.Minute - 3*time.Second)
		d.Shows("▲ Stale node: its last block is 4 min old. Nothing is sent until it is back.", "▲ #33  4 min", "= ▲ stale 4 min")
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		if d.Shows("the node is behind, nothing is sent now"); w.Paid() != 0 {
			t.Error("it was sent")
		}
	})
}

// A ledger whose blocks are made on demand is never behind.
func TestALedgerWithAClockOfItsOwnIsNeverBehind(t *testing.T) {
	scene := uitest.Rows()
	scene.OwnClock = true
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		uitest.Must(t, w.Ledger.SetBlockTime(0))
		d.Wait(4*time.Minute - 3*time.Second)
		d.Hides("▲", "Nothing is sent")
		d.Shows("4 min")
	})
}

func TestFormSaysWhatIsWrong(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Type("caro1")
		d.Shows("looks like carol 1.2.57", "differs at letter 5", "caro[1]  caro[l]", "1 warning")
		d.Press("tab")
		d.Type("1.123456789")
		d.Shows("2 warnings")
		d.Press("ctrl+u")
		d.Type("99999")
		d.Shows("more than you have")
		d.Press("ctrl+g")
		d.Shows("12600.5031", "leaves 0.00000000 DCT")
		d.Press("ctrl+s")
		d.Shows("Review")
	})
}

// A recipient with other keys than before: S is off until the word is typed.
func TestChangedKeysAreTyped(t *testing.T) {
	is := ledger.DeriveKey("now", 0).Public()
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		w.Ago(20 * time.Second)
		_, err := w.Send(uitest.Carol, "1")
		uitest.Must(t, err)
		w.Ago(10 * time.Second)
		options := ledger.NewAccountOptions(is)
		w.Push(&ledger.AccountUpdateOp{Account: uitest.Carol.ID, NewOptions: &options})
	}
	uitest.Play(t, 80, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows(
			"1 check left",
			"▲ memo key of carol 1.2.57, accepted 2026-11-20 14:02:38 UTC",
			uitest.KeyOf("carol").Public().String(),
			is.String(),
			"type the word changed",
			"S stays off until it matches",
		)
		d.Press("S")
		d.Press("ctrl+c tab S")
		d.Shows("S is off: type the word changed first")
		if w.Paid() != 1 {
			t.Fatal("it was sent")
		}
		d.Press("tab")
		d.Type("changed")
		d.Press("S")
		if w.Paid() != 1 {
			t.Fatal("S was heard at once")
		}
		d.Wait(time.Second)
		if d.Press("S"); w.Paid() != 2 {
			t.Errorf("S was not heard:\n%s", d.Screen())
		}
	})
}

// The money can go elsewhere while the form is filled in.
func TestWhatIsNotThereIsNotBuilt(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillPayment()
		w.Pay(uitest.Transfer{From: uitest.Alice, To: uitest.Bob, Amount: 12350_50309999})
		d.Press("ctrl+s")
		d.Wait(time.Second)
		d.Shows("✗ the account alice has 250.00000001 DCT, but this needs 250.00100000 DCT")
	})
}
