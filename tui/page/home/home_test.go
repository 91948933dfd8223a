package home_test

import (
	"testing"

	"billfold/tui/uitest"
)

func TestHomeLooksAsDrawn(t *testing.T) {
	uitest.Run(t, 80, 24, uitest.Drawn(), func(d *uitest.Driver) {
		d.GoldenMeanings("home80x24")
		d.GoldenSizes("home", uitest.Sizes())
	})
}
