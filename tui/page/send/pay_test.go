package send_test

import (
	corehistory "billfold/walletcore/history"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// toReview fills the form with a payment to carol and opens its review.
func toReview(d *uitest.Driver) {
	d.Press("3")
	d.Type("carol")
	d.Press("tab")
	d.Type("250")
	d.Press("ctrl+s")
}

func TestPaymentGoesFromFormToIrreversible(t *testing.T) {
	core := uitest.Drawn()
	core.Paid = nil
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows("Read back from the bytes", "carol 1.2.57", "250.00500000 DCT", "MODAL")
		d.Press("S")
		d.Shows("Sending", "Sent", "waiting for the next block")
		core.Change(event.Payment, func() {
			p := &core.Paid[0]
			p.State, p.Block, p.InBlock, p.Last = walletcore.PaymentInBlock, 18204512, time.Now(), 18204494
		})
		d.Pump()
		d.Shows("block #18,204,512", "in ~2 min", "of 18 blocks")
		core.Change(event.Payment, func() { core.Paid[0].State = walletcore.PaymentIrreversible })
		d.Pump()
		d.Shows("Final in block #18,204,512", "is irreversible")
		if req := core.Built[0]; core.Sends != 1 || req.To != "carol" || req.Amount != "250" || req.From != "alice" || req.Asset != "DCT" {
			t.Errorf("sent %d times: %+v", core.Sends, req)
		}
		d.Press("esc 3")
		d.Hides("carol")
	})
}

func TestOnlySSpends(t *testing.T) {
	core := uitest.Drawn()
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		before := d.Screen()
		d.Press("enter space y s Y a x A X")
		for y := range 24 {
			for x := y % 12; x < 80; x += 12 { // every button is wider
				d.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			}
		}
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("S"), Paste: true})
		if core.Sends != 0 {
			t.Fatal("something but S sent the payment")
		}
		for strings.Contains(d.Screen(), "┃  HERE: ") || strings.Contains(d.Screen(), "Help ·") { // a click opened the help
			d.Press("esc")
		}
		d.Wait(10 * time.Second)
		d.Press("S")
		if core.Sends != 1 {
			t.Errorf("S sent %d times from\n%s", core.Sends, before)
		}
		if d.Press("S S"); core.Sends != 1 {
			t.Error("a second S sent again")
		}
	})
}

func TestSIsDeafUntilTheReviewWasRead(t *testing.T) {
	core := uitest.Drawn()
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Press("S")
		d.Wait(500 * time.Millisecond)
		d.Press("S")
		d.Shows("S is off: read it first")
		if core.Sends != 0 {
			t.Fatal("S within 600 ms was heard")
		}
		d.Wait(200 * time.Millisecond)
		if d.Press("S"); core.Sends != 1 {
			t.Error("S after 600 ms was not heard")
		}
	})
}

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

func TestStrangerAboveTheLimitAsksForTheID(t *testing.T) {
	core := uitest.Drawn()
	core.Next = uitest.Review(uitest.Caro1, 25000000000)
	core.Next.FirstTime, core.Next.LooksLike = true, []ledgerview.AccountRef{uitest.Carol}
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows("FIRST PAYMENT", "looks like carol 1.2.57", "1 check left", "TYPE")
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("1.2.90412"), Paste: true})
		d.Shows("1 check left")
		d.Type("S1.2.57")
		d.Press("ctrl+c")
		d.Type("1.2.90412")
		d.Shows("matches", "MODAL")
		d.Press("S")
		if core.Sends != 0 {
			t.Fatal("S was heard within 600 ms of the change")
		}
		d.Wait(time.Second)
		if d.Press("S"); core.Sends != 1 {
			t.Errorf("S was not heard:\n%s", d.Screen())
		}
	})
}

func TestLargeAndRepeatedPaymentsAskForTheAmount(t *testing.T) {
	large, half, repeated := uitest.Review(uitest.Carol, 950000000000), uitest.Review(uitest.Carol, 80000000), uitest.Review(uitest.Carol, 500000000)
	half.Available = 100000000
	repeated.Repeats = &corehistory.Entry{ID: 211884, Time: ledger.TimeOf(uitest.Start.Add(-12 * time.Minute))}
	for name, c := range map[string]struct {
		r     walletcore.Review
		type_ string
	}{"large": {large, "9500"}, "half": {half, "0.8"}, "repeated": {repeated, "5.0"}} {
		t.Run(name, func(t *testing.T) {
			core := uitest.Drawn()
			core.Next = c.r
			uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
				d.ToReview()
				d.Wait(time.Second)
				d.Shows("type the amount")
				if name == "repeated" {
					d.Shows("same as 12 min ago (1.7.211884)")
				}
				d.Press("tab S")
				if core.Sends != 0 {
					t.Fatal("sent without the amount")
				}
				d.Press("tab")
				d.Type(c.type_)
				d.Wait(time.Second)
				if d.Press("S"); core.Sends != 1 {
					t.Errorf("S was not heard:\n%s", d.Screen())
				}
			})
		})
	}
}

func TestSamePaymentUnderwayAsksForTheAmount(t *testing.T) {
	core := uitest.Drawn()
	core.Next = core.Paid[0].Review // in a block, not yet in the history
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows("The same payment was sent just now", "type the amount")
		if d.Press("tab S"); core.Sends != 0 {
			t.Error("it was sent again without a word")
		}
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
		core.Change(event.Payment, func() { core.Paid[0].State = walletcore.PaymentExpired })
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

func TestNoNodeTurnsMoneyOff(t *testing.T) {
	core := uitest.Drawn()
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		core.Change(event.Daemon, func() { core.State.Daemon = walletcore.DaemonOffline })
		d.Pump()
		d.Shows("No node answers", "Sending is off")
		if d.Press("S"); core.Sends != 0 {
			t.Error("sent without a node")
		}
		d.Press("esc ctrl+s")
		d.Shows("cannot be built now", "carol")
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

func TestSuggestionIsTakenWithEnter(t *testing.T) {
	core := uitest.Drawn()
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		d.Press("3")
		d.Type("bob")
		d.Shows("bob-trade", "paid once")
		d.Press("enter")
		d.Type("1")
		d.Press("ctrl+s")
		if len(core.Built) != 1 || core.Built[0].To != "bob-trade" {
			t.Errorf("built %+v", core.Built)
		}
	})
}

// A recipient with other keys than before: S is off until the word is typed.
func TestChangedKeysAreTyped(t *testing.T) {
	core := uitest.Drawn()
	was, is := ledger.DeriveKey("before", 0).Public().String(), ledger.DeriveKey("now", 0).Public().String()
	core.Next.Changed = []ledgerview.Change{{Account: uitest.Carol, What: "memo key", Was: was, Now: is, Since: uitest.Start.Add(-240 * time.Hour)}}
	uitest.Run(t, 80, 30, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Shows("1 check left", "▲ memo key of carol 1.2.57, accepted 2026-11-10 14:02:58 UTC", was, is, "type the word changed", "S stays off until it matches")
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
