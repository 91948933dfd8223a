package page_test

import (
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
)

func TestNodeLooksAsDrawn(t *testing.T) {
	asked := uitest.Scene{Wallet: func(*uitest.World) {}} // in the half minute before
	uitest.Play(t, 80, 24, asked, func(d *uitest.Driver, w *uitest.World) {
		d.Press("=")
		d.Until("in use", "Maintenance")
		d.GoldenMeanings("node/node80x24")
		d.GoldenSizes("node/node", uitest.Sizes())
		w.Cut()
		d.Wait(40 * time.Second)
		d.Until("retry")
		d.GoldenSizes("node/node-away", [][2]int{{80, 24}, {140, 40}})
		w.Join()
		d.Press("c")
		d.Shows("Asking the node")
		d.Until("in use")
		d.Press("tab")
		d.GoldenSizes("node/node-log", [][2]int{{80, 24}, {50, 16}})
	})
}

func TestTheOnlyNodeIsNotChosen(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("= u")
		d.Shows("there is only this node; --daemon-url at the start names more")
	})
}

// nodeBook is the settings as plain values.
type nodeBook struct{ added, removed, replaced string }

func (b *nodeBook) Add(url string) error    { b.added = url; return nil }
func (b *nodeBook) Remove(url string) error { b.removed = url; return nil }
func (b *nodeBook) Fixed() string           { return "" }

func (b *nodeBook) Replace(old, url string) error { b.replaced = old + " " + url; return nil }

func TestNodesAreAddedAndRemoved(t *testing.T) {
	b := &nodeBook{}
	scene := uitest.Scene{Core: func(c *tui.Core) { c.Node.Addresses = b }}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("= n")
		d.Type("node.example")
		d.Press("enter")
		d.Shows("write it like wss://node.example")
		d.Press("ctrl+u")
		d.Type("wss://node.example")
		d.Press("enter")
		d.Until("Added wss://node.example")
		d.Press("e")
		d.Shows("Edit a node", "in place of ws://127.0.0.1:8090")
		d.Type("/rpc")
		d.Press("enter")
		d.Until("Changed to ws://127.0.0.1:8090/rpc")
		if b.replaced != "ws://127.0.0.1:8090 ws://127.0.0.1:8090/rpc" {
			t.Errorf("%+v", b)
		}
		d.Press("x enter")
		d.Shows("Press X")
		d.Sure("X")
		d.Until("Removed ws://127.0.0.1:8090")
		if b.added != "wss://node.example" || b.removed != "ws://127.0.0.1:8090" {
			t.Errorf("%+v", b)
		}
		w.Cut()
		d.Wait(10 * time.Second)
		d.Shows("next try", "= nodes")
	})
}
