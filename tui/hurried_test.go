package tui_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

// S pressed again and again from before the review appears signs nothing, however long it goes on.
func TestRepeatedSSignsNothing(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "5")
		d.Press("esc s")
		for range 20 {
			d.Press("S")
			d.Wait(100 * time.Millisecond)
		}
		d.Shows("Review")
		if w.Paid() != 0 {
			t.Error("a payment was signed that nobody can have read")
		}
		if d.Sure("S"); w.Paid() != 1 {
			t.Errorf("S alone signed nothing:\n%s", d.Screen())
		}
	})
}

// A paste without brackets arrives key by key: an S in it signs nothing.
func TestUnbracketedPasteSignsNothing(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "5")
		d.Press("ctrl+s")
		d.Wait(2 * time.Second)
		d.Type("S ")
		d.Wait(2 * time.Second)
		d.Send(uitest.Key("S"))
		d.Send(uitest.Key("enter"))
		d.Wait(2 * time.Second)
		if d.Shows("Review"); w.Paid() != 0 {
			t.Error("a paste made a payment")
		}
	})
}

// The question before quitting accepts an answer only once it can have been read.
func TestRepeatedQDoesNotConfirmQuitting(t *testing.T) {
	for name, press := range map[string]func(d *uitest.Driver){
		"one by one":   func(d *uitest.Driver) { d.Press("q q") },
		"in one piece": func(d *uitest.Driver) { d.Send(uitest.Key("qq")) },
	} {
		uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
			d.FillForm("carol", "5")
			d.Press("ctrl+l esc 3")
			d.Type("0") // which a locked wallet cannot keep
			d.Press("esc")
			d.Wait(time.Second)
			if press(d); d.Quit {
				t.Errorf("%s: q answered a question that nobody read", name)
			}
			d.Shows("q quits")
			d.Wait(time.Second)
			if d.Press("q"); !d.Quit {
				t.Errorf("%s: q did not quit", name)
			}
		})
	}
}
