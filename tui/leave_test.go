package tui_test

import (
	"slices"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// Unfinished input is a draft after the program has ended; before input that cannot be kept is lost, the program asks.
func TestQuittingKeepsUnfinishedInput(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		drafts := func() int {
			uitest.Must(t, d.Model.Keep(w.Ctx))
			kept, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
			uitest.Must(t, err)
			return len(kept)
		}
		if n := drafts(); n != 0 {
			t.Fatalf("%d drafts of an empty form", n)
		}
		d.FillForm("carol", "2.5")
		if n := drafts(); n != 1 {
			t.Fatalf("%d drafts of a form that is half typed", n)
		}
		if d.Press("esc q"); !d.Quit {
			t.Error("it asked about input that is kept")
		}
		d.Quit = false
		d.Press("ctrl+l esc")
		if d.Press("q"); !d.Quit {
			t.Error("it asked about input that was kept when the wallet locked")
		}
		d.Quit = false
		d.Press("3")
		d.Type("1")
		if d.Press("esc q"); d.Quit {
			t.Error("it did not ask about input that a locked wallet cannot keep")
		}
		d.Shows("A payment was changed since the wallet locked; its draft is as it")
		d.Press("esc ctrl+l")
		d.Type(uitest.Password)
		d.Press("enter 3 esc x 5 n")
		d.Type("carol")
		d.Press("enter")
		d.Until("To carol 1.2.57")
		d.Type("see you")
		if d.Press("esc q"); !d.Quit {
			t.Error("it asked about a message that is kept")
		}
		uitest.Must(t, d.Model.Keep(w.Ctx))
		w.Look(80, 24, func(d *uitest.Driver) {
			d.Press("5")
			d.Until("To carol 1.2.57", "see you", "Not sent yet: your message to carol")
			d.Press("i")
			d.Type(" at 8")
			d.Press("esc ctrl+l esc")
			if d.Press("q"); !d.Quit {
				t.Error("it asked about a message that was kept when the wallet locked")
			}
			uitest.Must(t, w.Wallet.Vault.Unlock(w.Ctx, uitest.Password))
			kept, err := w.Wallet.Drafts.Messages(w.Ctx, uitest.Alice.ID)
			if uitest.Must(t, err); len(kept) != 1 || kept[0].Text != "see you at 8" {
				t.Errorf("kept are %+v", kept)
			}
		})
	})
}

// ctrl+c twice ends the program; what it cleared is restored and kept, and it asks once about input that cannot be kept.
func TestCtrlCTwiceLosesNothingTyped(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("5 n")
		d.Type("carol")
		d.Press("enter")
		d.Until("To carol")
		d.Type("see you")
		if d.Press("ctrl+c ctrl+c"); !d.Quit {
			t.Error("ctrl+c twice did not quit")
		}
		uitest.Must(t, d.Model.Keep(w.Ctx))
		kept, err := w.Wallet.Drafts.Messages(w.Ctx, uitest.Alice.ID)
		if uitest.Must(t, err); len(kept) != 1 || kept[0].Text != "see you" {
			t.Errorf("kept are %+v", kept)
		}
	})
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.FillForm("carol", "2.5")
		if d.Press("ctrl+c ctrl+c"); !d.Quit {
			t.Error("ctrl+c twice did not quit")
		}
		d.Shows("2.5")
	})
	for keys, want := range map[string]string{
		"7 n": "The form New contact is filled in", "4 e tab": "A request on Receive is half typed",
		"6 f": "The form Accounts of a key is filled in",
	} {
		uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
			d.Press(keys)
			d.Wait(time.Second)
			if d.Press("ctrl+c ctrl+c"); !d.Quit {
				t.Errorf("%s: quitting asked where nothing was typed:\n%s", keys, d.Screen())
			}
			d.Quit = false
			d.Wait(4 * time.Second)
			d.Type("carol")
			if d.Press("ctrl+c ctrl+c"); d.Quit {
				t.Errorf("%s: what was typed was dropped without a question", keys)
			}
			d.Shows(want, "q quits")
			d.Press("esc")
			d.Shows("carol")
			if d.Press("ctrl+c ctrl+c ctrl+c"); !d.Quit {
				t.Errorf("%s: a third ctrl+c did not quit", keys)
			}
		})
	}
}

// Unsent messages stay in their conversations, even after the program has ended, until they are sent or emptied.
func TestUnsentMessagesAreKept(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		kept := func(d *uitest.Driver) (texts []string) {
			uitest.Must(t, d.Model.Keep(w.Ctx))
			list, err := w.Wallet.Drafts.Messages(w.Ctx, uitest.Alice.ID)
			uitest.Must(t, err)
			for _, m := range list {
				texts = append(texts, m.Text)
			}
			slices.Sort(texts)
			return texts
		}
		to := func(d *uitest.Driver, who string) {
			d.Press("esc 5 n")
			d.Type(who)
			d.Press("enter")
			d.Until("To " + who)
		}
		to(d, "carol")
		d.Type("see you then")
		to(d, "bob-trade")
		d.Hides("see you then")
		d.Type("thank you, bob")
		to(d, "carol")
		d.Shows("see you then")
		for range 2 { // it is kept once
			if got := kept(d); !slices.Equal(got, []string{"see you then", "thank you, bob"}) {
				t.Errorf("kept are %q", got)
			}
		}
		w.Look(100, 30, func(d *uitest.Driver) {
			d.Press("5")
			d.Until("Not sent yet: your message to")
			to(d, "carol")
			d.Shows("see you then")
			d.Press("enter")
			d.Until("Review", "see you then", "[5 Messages]", "Messages › Review")
			d.Wait(time.Second)
			d.Press("G")
			d.Sure("S")
			d.Until("In a block", "[5 Messages]", "Messages › Sending")
			list, err := w.Wallet.Drafts.Messages(w.Ctx, uitest.Alice.ID)
			if uitest.Must(t, err); len(list) != 1 {
				t.Errorf("%d are kept after one of two was sent", len(list))
			}
			d.Press("esc")
			d.Until("Conversations")
			to(d, "bob-trade")
			d.Shows("thank you, bob")
			d.Press("ctrl+u")
			if got := kept(d); len(got) != 0 {
				t.Errorf("%q are kept after all were sent or emptied", got)
			}
		})
		list, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
		if uitest.Must(t, err); len(list) != 0 {
			t.Errorf("messages are payments: %+v", list)
		}
	})
}
