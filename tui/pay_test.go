package tui

import (
	"testing"
	"time"

	corehistory "billfold/walletcore/history"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// toReview fills the form with a payment to carol and opens its review.
func toReview(d *drive) {
	d.press("3")
	d.typed("carol")
	d.press("tab")
	d.typed("250")
	d.press("ctrl+s")
}

func TestPaymentGoesFromFormToIrreversible(t *testing.T) {
	core := sample()
	core.payments = nil
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.shows("Read back from the bytes", "carol 1.2.57", "250.00500000 DCT", "MODAL")
		d.press("S")
		d.shows("Sending", "Sent", "waiting for the next block")
		core.change(event.Payment, func() {
			p := &core.payments[0]
			p.State, p.Block, p.InBlock, p.Last = walletcore.PaymentInBlock, 18204512, time.Now(), 18204494
		})
		d.pump()
		d.shows("block #18,204,512", "in ~2 min", "of 18 blocks")
		core.change(event.Payment, func() { core.payments[0].State = walletcore.PaymentIrreversible })
		d.pump()
		d.shows("Final in block #18,204,512", "is irreversible")
		if req := core.built[0]; core.sent != 1 || req.To != "carol" || req.Amount != "250" || req.From != "alice" || req.Asset != "DCT" {
			t.Errorf("sent %d times: %+v", core.sent, req)
		}
		d.press("esc 3")
		d.hides("carol")
	})
}

func TestOnlySSpends(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		before := d.screen()
		d.press("enter space y s Y a x A X")
		for y := range 24 {
			for x := y % 12; x < 80; x += 12 { // every button is wider
				d.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			}
		}
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("S"), Paste: true})
		if core.sent != 0 {
			t.Fatal("something but S sent the payment")
		}
		d.model.popups = nil
		d.wait(10 * time.Second)
		d.press("S")
		if core.sent != 1 {
			t.Errorf("S sent %d times from\n%s", core.sent, before)
		}
		if d.press("S S"); core.sent != 1 {
			t.Error("a second S sent again")
		}
	})
}

func TestSIsDeafUntilTheReviewWasRead(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.press("S")
		d.wait(500 * time.Millisecond)
		d.press("S")
		d.shows("S is off: read it first")
		if core.sent != 0 {
			t.Fatal("S within 600 ms was heard")
		}
		d.wait(200 * time.Millisecond)
		if d.press("S"); core.sent != 1 {
			t.Error("S after 600 ms was not heard")
		}
	})
}

func TestReviewMustBeScrolledToItsEnd(t *testing.T) {
	core := sample()
	driven(t, 50, 16, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		if d.press("S"); core.sent != 0 {
			t.Fatal("S was heard before the last line was in view")
		}
		d.press("down down down down S")
		if core.sent != 1 {
			t.Errorf("S was not heard at the end:\n%s", d.screen())
		}
	})
}

// A builder that lies about the recipient is shown as the liar it is: nothing
// in the review comes from the form.
func TestReviewShowsTheLieOfTheBuilder(t *testing.T) {
	core := sample()
	core.review = review(bob, 99900000000)
	core.review.Memo = "gotcha"
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.shows("bob-trade 1.2.410", "999.00000000 DCT", "“gotcha”")
		d.hides("carol", "250.0")
	})
}

func TestStrangerAboveTheLimitAsksForTheID(t *testing.T) {
	core := sample()
	core.review = review(caro1, 25000000000)
	core.review.FirstTime, core.review.LooksLike = true, []ledgerview.AccountRef{carol}
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.shows("FIRST PAYMENT", "looks like carol 1.2.57", "1 check left", "TYPE")
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("1.2.90412"), Paste: true})
		d.shows("1 check left")
		d.typed("S1.2.57")
		d.press("ctrl+c")
		d.typed("1.2.90412")
		d.shows("matches", "MODAL")
		d.press("S")
		if core.sent != 0 {
			t.Fatal("S was heard within 600 ms of the change")
		}
		d.wait(time.Second)
		if d.press("S"); core.sent != 1 {
			t.Errorf("S was not heard:\n%s", d.screen())
		}
	})
}

func TestLargeAndRepeatedPaymentsAskForTheAmount(t *testing.T) {
	large, half, repeated := review(carol, 950000000000), review(carol, 80000000), review(carol, 500000000)
	half.Available = 100000000
	repeated.Repeats = &corehistory.Entry{ID: 211884, Time: ledger.TimeOf(start.Add(-12 * time.Minute))}
	for name, c := range map[string]struct {
		r     walletcore.Review
		type_ string
	}{"large": {large, "9500"}, "half": {half, "0.8"}, "repeated": {repeated, "5.0"}} {
		t.Run(name, func(t *testing.T) {
			core := sample()
			core.review = c.r
			driven(t, 80, 24, core, func(d *drive) {
				toReview(d)
				d.wait(time.Second)
				d.shows("type the amount")
				if name == "repeated" {
					d.shows("same as 12 min ago (1.7.211884)")
				}
				d.press("tab S")
				if core.sent != 0 {
					t.Fatal("sent without the amount")
				}
				d.press("tab")
				d.typed(c.type_)
				d.wait(time.Second)
				if d.press("S"); core.sent != 1 {
					t.Errorf("S was not heard:\n%s", d.screen())
				}
			})
		})
	}
}

func TestSamePaymentUnderwayAsksForTheAmount(t *testing.T) {
	core := sample()
	core.review = core.payments[0].Review // in a block, not yet in the history
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.shows("The same payment was sent just now", "type the amount")
		if d.press("tab S"); core.sent != 0 {
			t.Error("it was sent again without a word")
		}
	})
}

func TestSamePaymentIsRefusedWhileItsOutcomeIsUnknown(t *testing.T) {
	core := sample()
	core.review = review(bob, 1000000000)
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.shows("unknown outcome")
		if d.press("S"); core.sent != 0 {
			t.Error("the payment with the unknown outcome was sent again")
		}
	})
}

func TestUnknownOutcomeForbidsAnotherAndAllowsTheSameBytes(t *testing.T) {
	core := sample()
	core.payments = nil
	core.sendErr = &fault.Error{Code: fault.OutcomeUnknown, Message: "the node closed the line"}
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.press("S")
		d.shows("outcome unknown", "Do not send again")
		d.press("b")
		d.shows("Sending", "Not while the outcome is unknown")
		if d.press("r"); core.resent != 1 || core.sent != 1 {
			t.Errorf("resent %d, sent %d", core.resent, core.sent)
		}
		core.change(event.Payment, func() { core.payments[0].State = walletcore.PaymentExpired })
		d.wait(9 * time.Second)
		d.shows("Not included", "Nothing was spent")
		if d.press("r"); core.resent != 1 {
			t.Error("bytes that can no longer enter the chain were sent")
		}
		d.press("b")
		d.shows("Send › To", "carol")
	})
}

func TestRefusedPaymentLeadsBackToTheFilledForm(t *testing.T) {
	core := sample()
	core.sendErr = &fault.Error{Code: fault.DaemonRefused, Message: "the node refused it: \x1b[31mno\x1b[0m"}
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.press("S")
		d.shows("Refused before it entered the chain", "Nothing was spent", `\x1b[31m`)
		d.press("esc")
		d.shows("carol", "250", "nothing is signed yet")
	})
}

func TestNoNodeTurnsMoneyOff(t *testing.T) {
	core := sample()
	driven(t, 100, 30, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		core.change(event.Daemon, func() { core.status.Daemon = walletcore.DaemonOffline })
		d.pump()
		d.shows("No node answers", "Sending is off")
		if d.press("S"); core.sent != 0 {
			t.Error("sent without a node")
		}
		d.press("esc ctrl+s")
		d.shows("cannot be built now", "carol")
	})
}

func TestANodeThatIsBehindGetsNoPayment(t *testing.T) {
	core := sample()
	core.status.Stale, core.status.HeadTime = true, ledger.TimeOf(start.Add(-4*time.Minute))
	driven(t, 80, 24, core, func(d *drive) {
		d.shows("▲ Stale node: its last block is 4 min old. Payments wait until it is back.", "▲ #18,204,511  4 min", "= ▲ stale 4 min")
		toReview(d)
		d.wait(time.Second)
		d.press("S")
		if d.shows("the node is behind, payments wait"); core.sent != 0 {
			t.Error("it was sent")
		}
	})
	core.status.Stale, core.status.OwnClock = false, true
	driven(t, 80, 24, core, func(d *drive) {
		d.hides("▲", "Payments wait")
		d.shows("4 min")
	})
}

func TestFormSaysWhatIsWrong(t *testing.T) {
	driven(t, 100, 30, sample(), func(d *drive) {
		d.press("3")
		d.typed("caro1")
		d.shows("looks like carol 1.2.57", "differs at letter 5", "caro[1]  caro[l]", "1 warning")
		d.press("tab")
		d.typed("1.123456789")
		d.shows("2 warnings")
		d.press("ctrl+c")
		d.typed("99999")
		d.shows("more than there is")
		d.press("ctrl+g")
		d.shows("12480.4981", "leaves 0.00000000 DCT")
		d.press("ctrl+s")
		d.shows("Review")
	})
}

func TestSuggestionIsTakenWithEnter(t *testing.T) {
	core := sample()
	driven(t, 100, 30, core, func(d *drive) {
		d.press("3")
		d.typed("bob")
		d.shows("bob-trade", "paid once")
		d.press("enter")
		d.typed("1")
		d.press("ctrl+s")
		if len(core.built) != 1 || core.built[0].To != "bob-trade" {
			t.Errorf("built %+v", core.built)
		}
	})
}

// A recipient with other keys than before: S is off until the word is typed.
func TestChangedKeysAreTyped(t *testing.T) {
	core := sample()
	was, is := ledger.DeriveKey("before", 0).Public().String(), ledger.DeriveKey("now", 0).Public().String()
	core.review.Changed = []ledgerview.Change{{Account: carol, What: "memo key", Was: was, Now: is, Since: start.Add(-240 * time.Hour)}}
	driven(t, 80, 30, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.shows("1 check left", "▲ memo key of carol 1.2.57, accepted 2026-11-10 14:02:58 UTC", was, is, "type the word changed", "S stays off until it matches")
		d.press("S")
		d.press("ctrl+c tab S")
		d.shows("S is off: type the word changed first")
		if core.sent != 0 {
			t.Fatal("it was sent")
		}
		d.press("tab")
		d.typed("changed")
		d.press("S")
		if core.sent != 0 {
			t.Fatal("S was heard at once")
		}
		d.wait(time.Second)
		if d.press("S"); core.sent != 1 {
			t.Errorf("S was not heard:\n%s", d.screen())
		}
	})
}

func TestReviewSaysWhatIsNotThere(t *testing.T) {
	core := sample()
	core.review.Available = core.review.Amount + core.review.Fee - 1
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.shows("▲ more than there is: 250.00499999 DCT")
		d.hides("After this")
	})
}
