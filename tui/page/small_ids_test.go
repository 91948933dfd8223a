package page_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// unbroken returns a screen without blanks, line ends and frames, so that what was broken over rows is whole again.
func unbroken(screen string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \n│█┃▌", r) {
			return -1
		}
		return r
	}, screen)
}

// In the smallest window the id of a transaction can be seen whole: by scrolling its detail, and in the row in focus of the copy menu. Where it is
// cut, the sign for missing text stands.
func TestIDsAreWholeInTheSmallestWindow(t *testing.T) {
	uitest.Play(t, 140, 40, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 enter")
		d.Wait(2 * time.Second)
		id := regexp.MustCompile("[0-9a-f]{40}").FindString(d.Screen())
		if id == "" {
			t.Fatalf("no id is shown:\n%s", d.Screen())
		}
		d.Resize(40, 12)
		d.Shows("Detail", "pgdn scrolls")
		d.Press("pgdown")
		if !strings.Contains(unbroken(d.Screen()), id) {
			t.Errorf("the detail does not show %s whole:\n%s", id, d.Screen())
		}
		d.Press("pgup")
		d.Shows("From   alice")
		d.Press("pgdown down")
		d.Shows("merchant-7", "From") // another row begins at its top
		d.Press("up")
		d.Wait(2 * time.Second)
		d.Press("y")
		if !strings.Contains(unbroken(d.Screen()), id) {
			t.Errorf("the copy menu does not show %s whole in focus:\n%s", id, d.Screen())
		}
		d.Press("down")
		d.Shows(id[:10], "…")
	})
}
