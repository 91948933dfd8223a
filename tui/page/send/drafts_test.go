package send_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/build"
)

func TestDraftsAreDeletedByACapitalOnly(t *testing.T) {
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		for _, kept := range []struct {
			ago  time.Duration
			form build.TransferParams
		}{
			{25 * time.Second, build.TransferParams{To: "bob\x1b[2J", Asset: "ALX.GOLD"}},
			{5 * time.Second, build.TransferParams{To: "carol", Amount: "250", Asset: "DCT", Memo: "rent"}},
		} {
			w.Ago(kept.ago)
			_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID, kept.form)
			uitest.Must(t, err)
		}
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		kept := func() int {
			forms, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
			uitest.Must(t, err)
			return len(forms)
		}
		d.Press("3 esc d down")
		d.GoldenSizes("drafts", uitest.Sizes())
		d.Resize(80, 24)
		d.Press("g D X x down x") // the first row is no draft
		if kept() != 2 {
			t.Fatal("something but X on a draft deleted one")
		}
		d.Sure("X")
		d.Hides("carol")
		if n := kept(); n != 1 {
			t.Errorf("%d drafts are left", n)
		}
		d.Press("u")
		if d.Shows("carol"); kept() != 2 {
			t.Error("u did not bring the deleted draft back")
		}
		d.Press("esc")
		d.Type("x")
		d.Press("ctrl+l esc 3 esc d")
		d.Shows("Unlock")
	})
}

// Drafts are the account's in focus: of another one there are others, and what was deleted for the first is not kept for it.
func TestDraftsAreTheAccounts(t *testing.T) {
	scene := uitest.Scene{Past: uitest.Rows().Past, Wallet: func(w *uitest.World) {
		w.Hold(uitest.Merchant, uitest.KeyOf(uitest.Merchant.Name))
		_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID, build.TransferParams{To: "carol", Amount: "250", Asset: "DCT"})
		uitest.Must(t, err)
		_, err = w.Wallet.Drafts.Save(w.Ctx, uitest.Merchant.ID, build.TransferParams{To: "bob-trade", Amount: "7", Asset: "DCT"})
		uitest.Must(t, err)
	}}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("@")
		d.Until("Switch account")
		d.Press("home enter")
		d.Until("alice 1.2.34 ▾")
		d.Press("3 esc d down")
		d.Until("250 DCT")
		d.Sure("X")
		d.Hides("250 DCT")
		d.Press("@")
		d.Until("Switch account")
		d.Press("down down enter")
		d.Until("Drafts of merchant-7", "7 DCT")
		d.Press("u")
		d.Until("no draft was deleted here")
		if kept, err := w.Wallet.Drafts.List(w.Ctx, uitest.Merchant.ID); err != nil || len(kept) != 1 {
			t.Errorf("merchant-7 has %d drafts: %v", len(kept), err)
		}
	})
}
