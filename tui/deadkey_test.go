package tui_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// A key that does nothing says so in the last row for a moment; the row of the keys stays. A key that works takes the words away at once.
func TestKeyWithoutMeaningSaysSo(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		hints := func() string { return strings.Split(d.Screen(), "\n")[22] }
		before := hints()
		d.Press("X")
		d.Shows("X does nothing here")
		if hints() != before {
			t.Errorf("the row of the keys is %q, was %q", hints(), before)
		}
		d.Wait(4 * time.Second)
		d.Hides("does nothing here")
		d.Press("X 2")
		d.Hides("does nothing here")
		d.Press("?")
		d.Press("X")
		d.Shows("X does nothing here")
		d.Press("esc 3")
		d.Type("X")
		d.Hides("does nothing here")
	})
}
