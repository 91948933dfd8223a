package home_test

import (
	"testing"

	"billfold/tui/uitest"
)

func TestHomeLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.GoldenMeanings("home80x24")
		d.GoldenSizes("home", uitest.Sizes())
	})
}
