package node_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

func TestNodeLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("=")
		d.Until("in use", "Maintenance")
		d.GoldenMeanings("node80x24")
		d.GoldenSizes("node", uitest.Sizes())
		w.Cut()
		d.Wait(40 * time.Second)
		d.Until("away")
		d.GoldenSizes("node-away", [][2]int{{80, 24}, {140, 40}})
		w.Join()
		d.Press("c")
		d.Shows("Asking the node")
		d.Until("in use")
		d.Press("tab")
		d.GoldenSizes("node-log", [][2]int{{80, 24}, {50, 16}})
	})
}

func TestTheOnlyNodeIsNotChosen(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("= enter")
		d.Shows("there is only this node; --daemon-url at the start names more")
	})
}
