package send_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/event"
)

// A payment is typed while no node answers, kept, and sent when one does.
func TestADraftIsKeptWithoutANodeAndSentWithOne(t *testing.T) {
	core := uitest.Drawn()
	core.Paid = nil
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		core.Change(event.Daemon, func() { core.State.Daemon = walletcore.DaemonOffline })
		d.Pump()
		d.ToReview()
		d.Shows("keeps it as a draft")
		d.Press("esc d")
		d.Shows("Keep what is typed now: 250 DCT → carol")
		d.Press("enter")
		d.Shows("Kept as a draft")
		d.Hides("carol")
		core.Change(event.Daemon, func() { core.State.Daemon = walletcore.DaemonOnline })
		d.Press("d down enter")
		d.Shows("carol", "250")
		d.Press("ctrl+s")
		d.Wait(time.Second)
		d.Press("S")
		d.Wait(time.Second)
		if core.Sends != 1 || len(core.Kept) != 0 {
			t.Errorf("sent %d times, %d drafts are left", core.Sends, len(core.Kept))
		}
	})
}

func TestDraftsAreDeletedByACapitalOnly(t *testing.T) {
	core := uitest.Drawn()
	core.Kept = []walletcore.SavedForm{{Number: 1, Saved: uitest.Start.Add(-time.Hour), Request: walletcore.TransferRequest{To: "carol", Amount: "250", Asset: "DCT", Memo: "rent"}},
		{Number: 2, Saved: uitest.Start.Add(-50 * time.Hour), Request: walletcore.TransferRequest{To: "bob\x1b[2J", Asset: "ALX.GOLD"}}}
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Press("3 esc d down")
		d.GoldenSizes("drafts", uitest.Sizes())
	})
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Press("3 esc d X x down x") // the first row is no draft
		if len(core.Kept) != 2 {
			t.Fatal("something but X on a draft deleted one")
		}
		d.Press("X")
		d.Hides("carol")
		if len(core.Kept) != 1 {
			t.Errorf("%d drafts are left", len(core.Kept))
		}
		d.Press("esc")
		d.Type("x")
		d.Press("ctrl+l esc 3 esc d")
		d.Shows("Unlock")
	})
}
