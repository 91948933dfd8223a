package send_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/txbuild"
)

func TestDraftsAreDeletedByACapitalOnly(t *testing.T) {
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		for _, kept := range []struct {
			ago  time.Duration
			form txbuild.TransferParams
		}{
			{25 * time.Second, txbuild.TransferParams{To: "bob\x1b[2J", Asset: "ALX.GOLD"}},
			{5 * time.Second, txbuild.TransferParams{To: "carol", Amount: "250", Asset: "DCT", Memo: "rent"}},
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
		d.Until("Deleted, u brings it back: 250 DCT → carol")
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
		_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID, txbuild.TransferParams{To: "carol", Amount: "250", Asset: "DCT"})
		uitest.Must(t, err)
		_, err = w.Wallet.Drafts.Save(w.Ctx, uitest.Merchant.ID, txbuild.TransferParams{To: "bob-trade", Amount: "7", Asset: "DCT"})
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
		d.Hides("Draft of")
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

// three are drafts of alice, the newest last.
func three() uitest.Scene {
	return saved(txbuild.TransferParams{To: "carol", Amount: "1", Asset: "DCT"}, txbuild.TransferParams{To: "carol", Amount: "2", Asset: "DCT"},
		txbuild.TransferParams{To: "carol", Amount: "3", Asset: "DCT"})
}

// What is deleted comes back as long as the program runs: after the list was left, another account taken, and a lock.
func TestADeletedDraftComesBackLater(t *testing.T) {
	for name, keys := range map[string]string{"left": "esc d", "another page": "esc 1 3 esc d", "account": "@ down down enter @ home enter",
		"lock": "ctrl+l PASSWORD enter esc d"} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 100, 30, three(), func(d *uitest.Driver, w *uitest.World) {
				toAlice(d)
				d.Press("3 esc d down down")
				d.Until("3 DCT → carol")
				d.Sure("X")
				d.Until("Deleted, u brings it back: 2 DCT → carol", "u undo")
				for _, key := range strings.Fields(keys) {
					switch d.Wait(time.Second); key {
					case "PASSWORD":
						d.Type(uitest.Password)
					default:
						d.Press(key)
					}
				}
				d.Until("Drafts of alice 1.2.34", "3 DCT → carol")
				d.Press("u")
				d.Until("The draft is back", "2 DCT → carol")
				keeps(w, "carol 3 DCT", "carol 2 DCT", "carol 1 DCT")
				d.Press("u")
				d.Until("no draft was deleted here")
			})
		})
	}
}

// Keys that come faster than the disk delete and bring back one draft each, and the list shows all of it.
func TestDraftsComeBackAsTheyStood(t *testing.T) {
	uitest.Play(t, 100, 30, three(), func(d *uitest.Driver, w *uitest.World) {
		toAlice(d)
		d.Press("3 esc d down")
		d.Until("3 DCT → carol")
		d.Sure("X")
		d.Press("X X")
		d.Until("Deleted, u brings it back: 1 DCT → carol")
		keeps(w)
		d.Press("uuuu")
		d.Until("1 DCT → carol", "2 DCT → carol", "3 DCT → carol")
		keeps(w, "carol 3 DCT", "carol 2 DCT", "carol 1 DCT")
		d.Press("enter") // the cursor is at the one that came back last
		d.Until("= 3.00000000 DCT")
		d.Press("esc d down down")
		d.Until("Draft of")
		d.Sure("X")
		d.Press("uu")
		d.Until("The draft is back")
		keeps(w, "carol 3 DCT", "carol 2 DCT", "carol 1 DCT")
	})
}

// A draft that was taken, deleted and brought back is still the one of what is typed: it goes with the payment.
func TestADraftThatIsBackIsStillTheForms(t *testing.T) {
	uitest.Play(t, 100, 30, three(), func(d *uitest.Driver, w *uitest.World) {
		toAlice(d)
		d.Press("3 esc d down")
		d.Until("3 DCT → carol")
		d.Press("enter esc ctrl+x ctrl+x d down")
		d.Until("Draft of")
		d.Sure("X")
		d.Until("Deleted, u brings it back: 3 DCT")
		d.Press("u")
		d.Until("The draft is back")
		d.Press("esc s")
		d.Until("It was read back from the bytes")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("waiting for the next block")
		keeps(w, "carol 2 DCT", "carol 1 DCT")
	})
}

// X does something or says why not, on the first row and right after the list was opened.
func TestXInDraftsIsNeverSilent(t *testing.T) {
	uitest.Play(t, 100, 30, three(), func(d *uitest.Driver, w *uitest.World) {
		toAlice(d)
		d.Press("3 esc d")
		d.Until("3 DCT → carol")
		d.Wait(5 * time.Second)
		d.Press("X")
		d.Shows("Not now: the first row is what is typed now, and no draft")
		d.Wait(5 * time.Second)
		d.Press("esc d down X")
		d.Shows("X did nothing: it came while this opened. Press it again")
		keeps(w, "carol 3 DCT", "carol 2 DCT", "carol 1 DCT")
		d.Sure("X")
		d.Until("Deleted")
	})
	uitest.Play(t, 100, 30, saved(), func(d *uitest.Driver, _ *uitest.World) {
		toAlice(d)
		d.Press("3 esc d")
		d.Until("Drafts of alice")
		d.Wait(5 * time.Second)
		d.Press("X")
		d.Shows("Not now: there is no draft")
	})
}
