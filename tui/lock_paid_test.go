package tui_test

import (
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
	"billfold/walletcore/txbuild"
)

// A payment that is being sent stays a payment over a lock: neither its form nor its draft comes back, from which it could be paid again.
func TestLockWhileSendingRestoresNoForm(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID,
			txbuild.TransferParams{From: "alice", To: "carol", Amount: "6.7", Asset: "DCT"})
		uitest.Must(t, err)
		d.Press("3 esc d")
		d.Until("6.7 DCT")
		d.Press("down enter ctrl+l") // a draft survives a lock
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("[3 Send", "carol")
		d.Press("ctrl+s")
		d.Until("Review")
		d.Wait(time.Second)
		w.Ledger.DelayMethod("broadcast_transaction", 10*time.Second)
		d.Press("S")
		d.Shows("Sending")
		d.Wait(time.Second)
		d.Press("ctrl+l")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("Send › Sending", "6.70000000 DCT")
		d.Wait(20 * time.Second)
		d.Shows("In a block")
		d.Press("esc 3")
		d.Hides("carol", "6.7")
		uitest.Must(t, d.Model.Keep(w.Ctx))
		if kept := drafts(t, w); kept != 0 || w.Paid() != 1 {
			t.Errorf("%d drafts and %d payments", kept, w.Paid())
		}
	})
}

// The program may end before the node has answered: a draft that was signed is no longer a draft.
func TestQuittingWhileSendingKeepsNoDraft(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID,
			txbuild.TransferParams{From: "alice", To: "carol", Amount: "6.7", Asset: "DCT"})
		uitest.Must(t, err)
		d.Press("3 esc d")
		d.Until("6.7 DCT")
		d.Press("down enter ctrl+s")
		d.Until("Review")
		d.Wait(time.Second)
		w.Ledger.DelayMethod("broadcast_transaction", 10*time.Second)
		d.Press("S")
		d.Wait(time.Second)
		uitest.Must(t, d.Model.Keep(w.Ctx))
		if kept := drafts(t, w); kept != 0 {
			t.Errorf("%d drafts are kept of what was signed", kept)
		}
		d.Wait(20 * time.Second)
	})
}

// A message is not kept as unsent while it is being sent, nor if its outcome is unknown.
func TestMessagesThatMayHaveBeenSentAreNotDrafts(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("5 n")
		d.Type("carol")
		d.Press("enter")
		d.Until("To carol")
		d.Type("see you")
		d.Press("enter")
		d.Until("Review", "see you")
		d.Wait(time.Second)
		w.Ledger.DelayMethod("broadcast_transaction", 10*time.Second)
		d.Press("G S")
		d.Shows("Sending")
		for range 2 {
			d.Wait(time.Second)
			uitest.Must(t, d.Model.Keep(w.Ctx))
			if list, err := w.Wallet.Drafts.Messages(w.Ctx, uitest.Alice.ID); err != nil || len(list) != 0 {
				t.Errorf("kept are %+v, %v", list, err)
			}
			w.Cut() // before the node has answered
		}
		d.Wait(20 * time.Second)
	})
}

// drafts returns how many payment drafts an account has; alice, if none is given.
func drafts(t *testing.T, w *uitest.World, of ...ledger.AccountID) int {
	t.Helper()
	if len(of) == 0 {
		of = append(of, uitest.Alice.ID)
	}
	kept, err := w.Wallet.Drafts.List(w.Ctx, of[0])
	uitest.Must(t, err)
	return len(kept)
}
