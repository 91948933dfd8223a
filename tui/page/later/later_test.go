package later_test

import (
	"testing"

	"billfold/tui/uitest"
)

func TestAPageOfALaterVersionSaysWhatWorksToday(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("6")
		d.GoldenSizes("keys", uitest.Sizes())
	})
}
