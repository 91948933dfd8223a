package help_test

import (
	"testing"

	"billfold/tui/uitest"
)

func TestHelpLooksAsDrawn(t *testing.T) {
	uitest.Run(t, 80, 24, uitest.Drawn(), func(d *uitest.Driver) {
		d.Press("2 ?")
		d.GoldenSizes("help", uitest.Sizes())
	})
}
