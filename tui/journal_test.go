package tui

import (
	"testing"
	"time"

	"billfold/walletcore"
	"billfold/walletcore/fault"
)

// A wallet that spends nothing says so on every page from the start, and how to go
// on; no review opens that could not be sent.
func TestJournalFaultIsSaidFromTheStart(t *testing.T) {
	for name, change := range map[string]func(p *paper){
		"online":  func(*paper) {},
		"no node": func(p *paper) { p.status.Daemon = walletcore.DaemonOffline },
	} {
		t.Run(name, func(t *testing.T) {
			core := sample()
			core.status.JournalFault = "the wallet spends nothing: the journal is missing, so a payment that was made could be made twice"
			change(core)
			driven(t, 80, 24, core, func(d *drive) {
				for _, page := range []string{"1", "2", "4", "3"} {
					d.press("esc " + page)
					d.shows("Sending is off: the payment journal is at fault. Run: billfold journal status")
				}
				d.typed("carol")
				d.press("tab")
				d.typed("250")
				d.shows("live check: sending is off")
				d.press("ctrl+s")
				d.shows("the journal is missing", "Run billfold journal status")
				d.hides("Sign and send")
				if len(core.built) != 0 {
					t.Errorf("built %+v", core.built)
				}
			})
		})
	}
}

// The journal can be lost after the review opened; the advice is the same.
func TestJournalLostAfterTheReviewAdvises(t *testing.T) {
	core := sample()
	core.sendErr = &fault.Error{Code: fault.File, Journal: true, Message: "the wallet spends nothing: the journal is missing"}
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.press("S")
		d.shows("journal is missing", "Run billfold journal status")
		d.hides("permissions")
	})
}
