package send_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/fault"
)

// A wallet that spends nothing says so on every page from the start, and how to go
// on; no review opens that could not be sent.
func TestJournalFaultIsSaidFromTheStart(t *testing.T) {
	for name, change := range map[string]func(p *uitest.FakeWallet){
		"online":  func(*uitest.FakeWallet) {},
		"no node": func(p *uitest.FakeWallet) { p.State.Daemon = walletcore.DaemonOffline },
	} {
		t.Run(name, func(t *testing.T) {
			core := uitest.Drawn()
			core.State.JournalFault = "the wallet spends nothing: the journal is missing, so a payment that was made could be made twice"
			change(core)
			uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
				for _, page := range []string{"1", "2", "4", "3"} {
					d.Press("esc " + page)
					d.Shows("Sending is off: the payment journal is at fault. Run: billfold journal status")
				}
				d.Type("carol")
				d.Press("tab")
				d.Type("250")
				d.Shows("live check: sending is off")
				d.Press("ctrl+s")
				d.Shows("the journal is missing", "Run billfold journal status")
				d.Hides("Sign and send")
				if len(core.Built) != 0 {
					t.Errorf("built %+v", core.Built)
				}
			})
		})
	}
}

// The journal can be lost after the review opened; the advice is the same.
func TestJournalLostAfterTheReviewAdvises(t *testing.T) {
	core := uitest.Drawn()
	core.SendErr = &fault.Error{Code: fault.File, Journal: true, Message: "the wallet spends nothing: the journal is missing"}
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("journal is missing", "Run billfold journal status")
		d.Hides("permissions")
	})
}
