package page_test

import (
	"errors"
	"testing"

	"billfold/tui"
	"billfold/tui/uitest"
)

// On the first page the node is chosen; an address where none answers stays in the field, to be corrected.
func TestFirstRunChoosesTheNode(t *testing.T) {
	choice := &uitest.NodeChoice{}
	scene := uitest.Scene{Unmade: true, Core: func(c *tui.Core) { c.FirstNode = choice }, Options: tui.Options{OfferSandbox: true}}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Shows("7  Choose the node")
		d.GoldenSizes("firstrun/firstrun-node", [][2]int{{80, 24}, {140, 40}, {50, 16}, {40, 12}})
		d.Resize(80, 24)
		d.Press("7")
		d.Shows("Address", "the default is ws://127.0.0.1:8090", "┃ ws://127.0.0.1:8090")
		d.Press("ctrl+u")
		d.Type("wss://node.exampl")
		d.Press("enter")
		d.Until("✗ wss://node.exampl cannot be used: connection refused", "┃ wss://node.exampl ")
		d.Type("e")
		d.Press("enter")
		if !d.Quit || !errors.Is(d.Model.Err(), tui.ErrWantNode) || choice.Used != "wss://node.example" {
			t.Errorf("the node chosen is %q:\n%s", choice.Used, d.Screen())
		}
	})
	choice.Set = "the flag --daemon-url names the nodes of this run, not the settings file"
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("7")
		d.Shows("Not now: the flag --daemon-url names", "7  Choose the node")
	})
}

// The row in focus under Import is the first, whatever was chosen when the wallet was made.
func TestImportBeginsAtItsFirstRow(t *testing.T) {
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("5")
		d.Type("alice")
		d.Press("enter")
		d.Until("New password")
		newPassword(d)
		d.Until("is on your list")
		d.Press("enter i")
		d.Shows("▌ 2  Open a wallet.json")
	})
}
