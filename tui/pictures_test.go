package tui_test

import (
	"path/filepath"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// The pictures in the README are what the program shows.
func TestPicturesAreOfThisProgram(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Shown(), func(_ *uitest.Driver, w *uitest.World) {
		for _, picture := range []struct {
			name  string
			scene func(d *uitest.Driver)
		}{
			{"home", func(*uitest.Driver) {}},
			{"history", func(d *uitest.Driver) { d.Press("2 down down") }},
			{"review", func(d *uitest.Driver) {
				d.FillForm("carol", "12.5")
				d.Press("ctrl+s")
			}},
			{"receive", func(d *uitest.Driver) { d.Press("4") }},
		} {
			w.Look(100, 30, func(d *uitest.Driver) {
				picture.scene(d)
				d.Wait(time.Second)
				d.Picture(filepath.Join("..", "docs", "pictures", picture.name+".svg"))
			})
		}
	})
}
