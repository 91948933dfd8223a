package later_test

import (
	"testing"

	"billfold/tui/uitest"
)

func TestAPageOfALaterVersionSaysWhatWorksToday(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("5")
		d.GoldenSizes("messages", uitest.Sizes())
	})
}
