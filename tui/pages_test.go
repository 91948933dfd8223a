package tui_test

import (
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/screen"
	"billfold/tui/uitest"
)

// Every page is compared at three sizes, as text and as meanings. All share one world.
func TestPagesLookAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Charted(), func(_ *uitest.Driver, world *uitest.World) {
		world.Look(80, 24, func(d *uitest.Driver) {
			for _, p := range tui.Pages() {
				if p.ID == screen.Console || p.ID == screen.Settings || p.ID == screen.RPC { // they need the whole program
					continue
				}
				d.Press("esc esc " + p.Key)
				d.Wait(time.Second)
				d.GoldenPage("pages/" + string(p.ID))
			}
		})
	})
}

func TestMotionAndPrivacyAreSettings(t *testing.T) {
	scene := uitest.Rows()
	scene.Options.Hide, scene.Options.Motion = true, screen.MotionNone
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Hides("12,600")
		d.Press("*")
		d.Shows("12,600.50410000")
		w.Ledger.DelayMethod("get_account_balances", 3*time.Second)
		d.Press("ctrl+r")
		d.Wait(time.Second)
		d.Shows("… reading")
		d.Hides("◐ reading", "◓ reading", "◑ reading", "◒ reading")
	})
}
