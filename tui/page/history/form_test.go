package history_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

// The form writes what would be typed, and matches the same rows.
func TestFilterIsBuiltInAForm(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(_ *uitest.Driver, w *uitest.World) {
		w.Look(100, 30, func(d *uitest.Driver) {
			d.Press("2 f")
			d.Shows("Build a filter", "TYPE", "in, out, self or other")
			d.Type("in")
			d.Press("tab")
			d.Type("carol")
			d.Press("tab tab tab")
			d.Type(">=400")
			d.Press("down down down")
			d.Type("invoice 1203")
			d.Wait(uitest.FilterPause)
			d.Shows(`Filter / dir:in with:carol amount>=400 memo:"invoice 1203"`, "0 of 1,204 rows")
			d.Press("ctrl+u")
			d.Wait(uitest.FilterPause)
			d.Shows("Filter / dir:in with:carol amount>=400", "85 of 1,204 rows")
			d.GoldenSizes("history-build", [][2]int{{80, 24}, {100, 30}, {140, 40}, {50, 16}})
			d.Resize(100, 30)
			d.Press("enter")
			d.Shows("KEYS", "row 1 of 85", "dir:in with:carol amount>=400")
			d.Press("f")
			d.Shows("Direction  in", "With       carol", "Amount     >=400")
			d.Press("ctrl+l")
			d.Until("Unlock")
			d.Type(uitest.Password)
			d.Press("enter")
			d.Until("Direction  in", "With       carol", "Amount     >=400") // a lock loses nothing
			d.Press("ctrl+c esc")
			d.Until("Filter / dir:in with:carol amount>=400", "row 1 of 85")
		})
		w.Look(80, 24, func(d *uitest.Driver) {
			d.Press("2")
			d.Find("with:carol or with:bob-trade -dir:out since:90d")
			d.Press("esc f")
			d.Shows("Since      90d", "Also       with:carol or with:bob-trade -dir:out")
			d.Press("enter")
			d.Shows("Filter / with:carol or with:bob-trade -dir:out since:90d", "218 of 1,204 rows", "KEYS")
		})
	})
}

// What was typed into a pop-up is there after a lock, and so are filter and row; what was read, and an export of what a filter found, is not.
func TestFormsOutliveALock(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(_ *uitest.Driver, w *uitest.World) {
		for name, c := range map[string]struct {
			open  string
			shows []string
			hides string
		}{
			"label": {"2 down down n R e n t", []string{"Label of 1.7.1201", "Label  Rent"}, "Unlock"},
			"export": {"2 x down t tab m", []string{"96  (of this month", "(•) JSONL", "[x] write decrypted memos",
				"alice-2026-11.jsonl"}, "Unlock"},
			"export of a hit": {"2 / c a r o l enter x", []string{"Filter / carol", "row 1 of "}, "Export history"},
			"label to change": {"2 down n F l a t enter n", []string{"row 2 of 1,204"}, "Label of"},
		} {
			t.Run(name, func(*testing.T) {
				w.Look(100, 30, func(d *uitest.Driver) {
					d.Press(c.open)
					d.Wait(uitest.FilterPause)
					d.Press("ctrl+l")
					d.Until("Unlock")
					d.Type(uitest.Password)
					d.Press("enter")
					d.Until(c.shows...)
					d.Hides(c.hides)
				})
			})
		}
		w.Look(100, 30, func(d *uitest.Driver) {
			d.Press("2 down down n")
			d.Type("Rent of May")
			d.Press("ctrl+l")
			d.Until("Unlock")
			d.Press("esc esc 2")
			d.Until("Label of 1.7.1201", "Rent of May")
			d.Press("enter") // nothing is written into a locked wallet
			d.Until("Unlock")
			d.Type(uitest.Password)
			d.Press("enter")
			d.Until("Label of 1.7.1201", "Rent of May")
			d.Press("enter")
			d.Find("label:may")
			d.Shows("1 of 1,204 rows", "1.7.1201")
		})
	})
}

// What is not understood is said beside the field that it stands in; tab accepts the nearest word.
func TestMistakeStandsBesideItsField(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(_ *uitest.Driver, w *uitest.World) {
		w.Look(100, 30, func(d *uitest.Driver) {
			d.Press("2 f tab tab")
			d.Type("transfr")
			d.Wait(uitest.FilterPause)
			d.Shows("✗ no such operation, nearest: transfer")
			d.GoldenSizes("history-build-mistake", [][2]int{{100, 30}, {50, 16}})
			d.Resize(100, 30)
			d.Press("tab")
			d.Wait(uitest.FilterPause)
			d.Shows("Filter / type:transfer", "1,204 of 1,204 rows")
			d.Hides("✗")
			d.Press("up")
			d.Paste("a\u202eb")
			d.Wait(uitest.FilterPause)
			d.Shows("With", "✗ character 2 is the invisible character U+202E")
			d.Press("up enter")
			d.Shows("TYPE", "With       a?b")
			d.Press("ctrl+c")
			d.Wait(uitest.FilterPause)
			d.Hides("✗")
			d.Press("down down down")
			d.Type("12,5")
			d.Wait(uitest.FilterPause)
			d.Shows("✗ a comma in an amount can mean a point or thousands")
			d.Press("esc")
			d.Wait(time.Second)
			d.Shows("KEYS", "row 1 of 1,204")
		})
	})
}
