package history_test

import (
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
)

// Times are those of the person's zone, which is named: in rows, details and the field for a date, whose days are those of that zone.
func TestTimesAreOfThePersonsZone(t *testing.T) {
	scene := ofShop()
	scene.Setup = func(opt *tui.Options) {
		zone := time.FixedZone("AEDT", 11*3600)
		opt.Clock.Now = func() time.Time { return time.Now().In(zone) }
	}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Shows("TIME (AEDT)", "11-21 01:02:46", "Time   2026-11-21 01:02:46 AEDT (12 s ago)")
		d.Hides("UTC")
		d.Press("t")
		d.Shows("30d or 12h ago, AEDT")
		d.Type("2026-11-19")
		d.Press("enter")
		d.Shows("Time   2026-11-19 09:02:58 AEDT") // 22:02:58 UTC the day before; the next row is of the 20th
		d.Press("]")
		d.Shows("Time   2026-11-20 05:02:58 AEDT")
		d.Find("on:2026-11-20")
		d.Press("enter")
		d.Shows("4 of 1,204", "11-20 05:02:58")
	})
}
