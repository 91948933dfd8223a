package send_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/build"
	"billfold/walletcore/draft"
)

func TestDraftsAreDeletedByACapitalOnly(t *testing.T) {
	core := uitest.Drawn()
	core.Kept = []draft.Draft{
		{
			Number:  1,
			Saved:   uitest.Start.Add(-time.Hour),
			Request: build.TransferParams{To: "carol", Amount: "250", Asset: "DCT", Memo: "rent"},
		},
		{Number: 2, Saved: uitest.Start.Add(-50 * time.Hour), Request: build.TransferParams{To: "bob\x1b[2J", Asset: "ALX.GOLD"}},
	}
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
