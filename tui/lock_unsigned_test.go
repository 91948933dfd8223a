package tui_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

// slowChecks makes the last checks before signing take long.
func slowChecks(w *uitest.World) {
	for _, method := range []string{"get_objects", "get_accounts", "get_account_balances", "get_dynamic_global_properties"} {
		w.Ledger.DelayMethod(method, 10*time.Second)
	}
}

// A lock before signing ends the payment, shows that until it is read, and keeps the form; unlocking signs nothing.
func TestLockBeforeSigningIsReported(t *testing.T) {
	for name, wait := range map[string]time.Duration{"unlocked at once": 0, "unlocked later": time.Minute} {
		uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
			d.FillForm("carol", "6.7")
			d.Press("ctrl+s")
			d.Until("Review")
			d.Wait(time.Second)
			slowChecks(w)
			d.Press("S")
			d.Shows("Signing and sending")
			d.Press("ctrl+l")
			d.Wait(200 * time.Millisecond)
			d.Shows("Not sent: the wallet was locked before it was signed")
			d.Wait(wait)
			d.Type(uitest.Password)
			d.Press("enter")
			d.Until("Send › Sending", "Not sent", "locked before it was signed", "6.70000000 DCT")
			d.Wait(30 * time.Second)
			d.Shows("Not sent", "esc goes back to the form, filled")
			if d.Press("esc"); w.Paid() != 0 {
				t.Errorf("%s: %d payments were made", name, w.Paid())
			}
			d.Shows("[3 Send", "carol", "6.7")
		})
	}
}

// If something is refused before it becomes a payment, the person is told on whatever page they are by then.
func TestRefusalIsReportedAfterLeavingSend(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "6.7")
		d.Press("ctrl+s")
		d.Until("Review")
		d.Wait(time.Second)
		slowChecks(w)
		d.Press("S")
		d.Shows("Signing and sending")
		d.Press("esc")
		d.Shows("[1 Home")
		w.Cut()
		d.Until("Not sent: ")
		d.Press("3")
		d.Shows("━ Sending ·", "Nothing was spent")
		if d.Press("esc"); w.Paid() != 0 {
			t.Errorf("%d payments were made", w.Paid())
		}
		d.Shows("carol", "6.7")
	})
}

// A message that was not signed because of a lock is reported as such, and is still where it was typed.
func TestLockBeforeSigningKeepsTheMessage(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("5 n")
		d.Type("carol")
		d.Press("enter")
		d.Until("To carol")
		d.Type("see you")
		d.Press("enter")
		d.Until("Review", "see you")
		d.Wait(time.Second)
		slowChecks(w)
		d.Press("G S")
		d.Shows("Sending")
		d.Press("ctrl+l")
		d.Wait(200 * time.Millisecond)
		d.Shows("Not sent: the wallet was locked before it was signed")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("Messages › Sending", "Not sent")
		d.Press("esc")
		d.Until("Messages", "see you")
		if w.Paid() != 0 {
			t.Errorf("%d operations were sent", w.Paid())
		}
	})
}

// Quitting before signing asks first: nothing of the payment would be left, not even its draft.
func TestQuittingBeforeSigningAsks(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "6.7")
		d.Press("ctrl+s")
		d.Until("Review")
		d.Wait(time.Second)
		slowChecks(w)
		d.Press("S")
		d.Shows("Signing and sending")
		if d.Press("q"); d.Quit {
			t.Fatal("a payment that was confirmed and not signed was dropped without a word")
		}
		d.Shows("is being signed, and not sent yet")
		d.Press("esc")
		d.Until("In a block")
		d.Press("q")
		d.Hides("not sent yet")
	})
}
