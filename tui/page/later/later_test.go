package later_test

import (
	"testing"

	"billfold/tui/uitest"
)

func TestReceiveLooksAsDrawn(t *testing.T) {
	uitest.Run(t, 80, 24, uitest.Drawn(), func(d *uitest.Driver) {
		d.Press("4")
		d.GoldenSizes("receive", uitest.Sizes())
	})
}
