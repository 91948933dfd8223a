package page_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

// Enter on a line while the one before waits for its yes shows the question of that, says so, and loses neither.
func TestAnotherLineIsNotTheOneThatIsAsked(t *testing.T) {
	uitest.Play(t, 80, 24, consoleScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("0")
		d.Type("transfer alice bob-trade 1.5 DCT first true")
		d.Press("enter")
		d.Until("Approve what you typed", "transfer alice bob-trade 1.5 DCT first true", "1.50000000 DCT")
		d.Hides("not run")
		d.Press("esc")
		d.Type("transfer alice carol 2.5 DCT second true")
		d.Press("enter")
		d.Shows("Your line", "Not run yet", "transfer alice carol 2.5 DCT second true", "1.50000000 DCT")
		d.Hides("2.50000000 DCT")
		d.Wait(time.Second)
		if d.Sure("X"); w.Paid() != 0 {
			t.Error("it was paid against a no")
		}
		d.Until("you did not agree")
		d.Shows("alice> transfer alice carol 2.5 DCT second true")
		d.Press("enter")
		d.Until("Approve what you typed", "2.50000000 DCT")
		d.Hides("Not run yet", "earlier line")
	})
}

// A line that waited for its yes when the wallet was locked is not shown for one that is typed after it.
func TestALineOfBeforeALockIsNotTheNewOne(t *testing.T) {
	uitest.Play(t, 80, 24, consoleScene(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("0")
		d.Type("transfer alice bob-trade 1.5 DCT first true")
		d.Press("enter")
		d.Until("Approve what you typed")
		d.Press("ctrl+l")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("TYPE  Console")
		d.Type("transfer alice carol 2.5 DCT second true")
		d.Press("enter")
		d.Until("Approve what you typed", "2.50000000 DCT")
		d.Hides("1.50000000 DCT")
	})
}

// A line that is still being worked on is said to run, and the one that was typed meanwhile not to.
func TestALineThatRunsKeepsTheNextOne(t *testing.T) {
	uitest.Play(t, 80, 24, consoleScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("0")
		w.Ledger.DelayMethod("get_objects", 3*time.Second)
		w.Ledger.DelayMethod("get_account_count", 3*time.Second)
		d.Type("get_account_count")
		d.Press("enter")
		d.Type("info")
		d.Press("enter")
		d.Shows("this one was not run", "alice> info")
		d.Until("✓")
		d.Shows("alice> info")
	})
}

// What esc does with a question has one name.
func TestAQuestionOfTheConsoleNamesEscOnce(t *testing.T) {
	uitest.Play(t, 100, 30, consoleScene(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("0")
		d.Type("transfer alice bob-trade 1.5 DCT first true")
		d.Press("enter")
		d.Until("Approve what you typed", "[ esc  decide later ]", "esc decide later")
		d.Hides("back to the console")
		d.Press("esc")
		d.Shows("waits for your yes: ! shows it")
	})
}

// A lock after the yes and before the signature ends the line, and says so.
func TestALockBeforeTheSignatureOfALineIsSaid(t *testing.T) {
	uitest.Play(t, 80, 24, consoleScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("0")
		d.Type("transfer alice bob-trade 1.5 DCT first true")
		d.Press("enter")
		d.Until("Approve what you typed")
		d.Wait(time.Second)
		for _, method := range []string{"get_objects", "get_accounts", "get_account_balances"} {
			w.Ledger.DelayMethod(method, 5*time.Second)
		}
		d.Wait(6 * time.Second) // a block later, all is read anew
		d.Press("G A")
		d.Shows("running")
		d.Press("ctrl+l")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("Not sent: the wallet was locked before your line was signed")
		if w.Paid() != 0 {
			t.Errorf("%d payments were made", w.Paid())
		}
	})
}
