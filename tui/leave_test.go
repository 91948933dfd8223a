package tui_test

import (
	"testing"

	"billfold/tui/uitest"
)

// What is half typed is a draft after the program ended; what cannot be kept is asked about first.
func TestQuittingKeepsWhatIsHalfTyped(t *testing.T) {
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
			t.Error("what is kept was asked about")
		}
		d.Quit = false
		d.Press("ctrl+l esc")
		if d.Press("q"); d.Quit {
			t.Error("what a locked wallet cannot keep was not asked about")
		}
		d.Shows("A payment is half typed")
		d.Press("esc ctrl+l")
		d.Type(uitest.Password)
		d.Press("enter 3 esc x 5 n")
		d.Type("carol")
		d.Press("enter")
		d.Until("To carol 1.2.57")
		d.Type("see you")
		if d.Press("esc q"); d.Quit {
			t.Error("a message was dropped without a question")
		}
		d.Shows("A message to carol is written")
		if d.Press("q"); !d.Quit {
			t.Error("q did not quit")
		}
	})
}
