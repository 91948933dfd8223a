package tui

import (
	"fmt"
	"testing"
	"time"

	"billfold/walletcore"
	"billfold/walletcore/event"
)

// A payment is typed while no node answers, kept, and sent when one does.
func TestADraftIsKeptWithoutANodeAndSentWithOne(t *testing.T) {
	core := sample()
	core.payments = nil
	driven(t, 80, 24, core, func(d *drive) {
		core.change(event.Daemon, func() { core.status.Daemon = walletcore.DaemonOffline })
		d.pump()
		toReview(d)
		d.shows("keeps it as a draft")
		d.press("esc d")
		d.shows("Keep what is typed now: 250 DCT → carol")
		d.press("enter")
		d.shows("Kept as a draft")
		d.hides("carol")
		core.change(event.Daemon, func() { core.status.Daemon = walletcore.DaemonOnline })
		d.press("d down enter")
		d.shows("carol", "250")
		d.press("ctrl+s")
		d.wait(time.Second)
		d.press("S")
		d.wait(time.Second)
		if core.sent != 1 || len(core.forms) != 0 {
			t.Errorf("sent %d times, %d drafts are left", core.sent, len(core.forms))
		}
	})
}

func TestDraftsAreDeletedByACapitalOnly(t *testing.T) {
	core := sample()
	core.forms = []walletcore.SavedForm{{Number: 1, Saved: start.Add(-time.Hour), Request: walletcore.TransferRequest{To: "carol", Amount: "250", Asset: "DCT", Memo: "rent"}},
		{Number: 2, Saved: start.Add(-50 * time.Hour), Request: walletcore.TransferRequest{To: "bob\x1b[2J", Asset: "ALX.GOLD"}}}
	for _, s := range sizes() {
		driven(t, s[0], s[1], core, func(d *drive) {
			d.press("3 esc d down")
			d.golden(fmt.Sprintf("drafts%dx%d", s[0], s[1]))
		})
	}
	driven(t, 80, 24, core, func(d *drive) {
		d.press("3 esc d X x down x") // the first row is no draft
		if len(core.forms) != 2 {
			t.Fatal("something but X on a draft deleted one")
		}
		d.press("X")
		d.hides("carol")
		if len(core.forms) != 1 {
			t.Errorf("%d drafts are left", len(core.forms))
		}
		d.press("esc")
		d.typed("x")
		d.press("ctrl+l esc 3 esc d")
		d.shows("Unlock")
	})
}
