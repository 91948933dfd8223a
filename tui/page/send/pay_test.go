package send_test

import (
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
)

func TestReviewMustBeScrolledToItsEnd(t *testing.T) {
	core := uitest.Drawn()
	uitest.Run(t, 50, 16, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		if d.Press("S"); core.Sends != 0 {
			t.Fatal("S was heard before the last line was in view")
		}
		d.Press("down down down down S")
		if core.Sends != 1 {
			t.Errorf("S was not heard at the end:\n%s", d.Screen())
		}
	})
}

// A builder that lies about the recipient is shown as the liar it is: nothing
// in the review comes from the form.
func TestReviewShowsTheLieOfTheBuilder(t *testing.T) {
	core := uitest.Drawn()
	core.Next = uitest.Review(uitest.Bob, 99900000000)
	core.Next.Memo = "gotcha"
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows("bob-trade 1.2.410", "999.00000000 DCT", "“gotcha”")
		d.Hides("carol", "250.0")
	})
}

func TestSamePaymentIsRefusedWhileItsOutcomeIsUnknown(t *testing.T) {
	core := uitest.Drawn()
	core.Next = uitest.Review(uitest.Bob, 1000000000)
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows("unknown outcome")
		if d.Press("S"); core.Sends != 0 {
			t.Error("the payment with the unknown outcome was sent again")
		}
	})
}

func TestUnknownOutcomeForbidsAnotherAndAllowsTheSameBytes(t *testing.T) {
	core := uitest.Drawn()
	core.Paid = nil
	core.SendErr = &fault.Error{Code: fault.OutcomeUnknown, Message: "the node closed the line"}
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("outcome unknown", "Do not send again")
		d.Press("b")
		d.Shows("Sending", "Not while the outcome is unknown")
		if d.Press("r"); core.Resends != 1 || core.Sends != 1 {
			t.Errorf("resent %d, sent %d", core.Resends, core.Sends)
		}
		core.Change(event.Payment, func() { core.Paid[0].State = payment.Expired })
		d.Wait(9 * time.Second)
		d.Shows("Not included", "Nothing was spent")
		if d.Press("r"); core.Resends != 1 {
			t.Error("bytes that can no longer enter the chain were sent")
		}
		d.Press("b")
		d.Shows("Send › To", "carol")
	})
}

func TestRefusedPaymentLeadsBackToTheFilledForm(t *testing.T) {
	core := uitest.Drawn()
	core.SendErr = &fault.Error{Code: fault.DaemonRefused, Message: "the node refused it: \x1b[31mno\x1b[0m"}
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("Refused before it entered the chain", "Nothing was spent", `\x1b[31m`)
		d.Press("esc")
		d.Shows("carol", "250", "nothing is signed yet")
	})
}

func TestANodeThatIsBehindGetsNoPayment(t *testing.T) {
	core := uitest.Drawn()
	core.State.Stale, core.State.HeadTime = true, ledger.TimeOf(uitest.Start.Add(-4*time.Minute))
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Shows("▲ Stale node: its last block is 4 min old. Payments wait until it is back.", "▲ #18,204,511  4 min", "= ▲ stale 4 min")
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		if d.Shows("the node is behind, payments wait"); core.Sends != 0 {
			t.Error("it was sent")
		}
	})
	core.State.Stale, core.State.OwnClock = false, true
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Hides("▲", "Payments wait")
		d.Shows("4 min")
	})
}

func TestFormSaysWhatIsWrong(t *testing.T) {
	uitest.Run(t, 100, 30, uitest.Drawn(), func(d *uitest.Driver) {
		d.Press("3")
		d.Type("caro1")
		d.Shows("looks like carol 1.2.57", "differs at letter 5", "caro[1]  caro[l]", "1 warning")
		d.Press("tab")
		d.Type("1.123456789")
		d.Shows("2 warnings")
		d.Press("ctrl+c")
		d.Type("99999")
		d.Shows("more than there is")
		d.Press("ctrl+g")
		d.Shows("12480.4981", "leaves 0.00000000 DCT")
		d.Press("ctrl+s")
		d.Shows("Review")
	})
}

// A recipient with other keys than before: S is off until the word is typed.
func TestChangedKeysAreTyped(t *testing.T) {
	core := uitest.Drawn()
	was, is := ledger.DeriveKey("before", 0).Public().String(), ledger.DeriveKey("now", 0).Public().String()
	core.Next.Changed = []ledgerview.Change{
		{Account: uitest.Carol, What: "memo key", Was: was, Now: is, Since: uitest.Start.Add(-240 * time.Hour)},
	}
	uitest.Run(t, 80, 30, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows(
			"1 check left",
			"▲ memo key of carol 1.2.57, accepted 2026-11-10 14:02:58 UTC",
			was,
			is,
			"type the word changed",
			"S stays off until it matches",
		)
		d.Press("S")
		d.Press("ctrl+c tab S")
		d.Shows("S is off: type the word changed first")
		if core.Sends != 0 {
			t.Fatal("it was sent")
		}
		d.Press("tab")
		d.Type("changed")
		d.Press("S")
		if core.Sends != 0 {
			t.Fatal("S was heard at once")
		}
		d.Wait(time.Second)
		if d.Press("S"); core.Sends != 1 {
			t.Errorf("S was not heard:\n%s", d.Screen())
		}
	})
}

func TestReviewSaysWhatIsNotThere(t *testing.T) {
	core := uitest.Drawn()
	core.Next.Available = core.Next.Amount + core.Next.Fee - 1
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows("▲ more than there is: 250.00499999 DCT")
		d.Hides("After this")
	})
}
