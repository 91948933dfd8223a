package help_test

import (
	"testing"

	"billfold/tui/uitest"
)

func TestHelpLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 ?")
		d.GoldenSizes("help", uitest.Sizes())
	})
}
