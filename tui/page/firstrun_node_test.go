package page_test

import (
	"context"
	"errors"
	"testing"

	"billfold/tui"
	"billfold/tui/uitest"
)

// nodeChoice is the choice of a node as plain values: the node itself is called in the tests of the program.
type nodeChoice struct{ fixed, used string }

func (c *nodeChoice) Fixed() string   { return c.fixed }
func (c *nodeChoice) Default() string { return "ws://127.0.0.1:8090" }

func (c *nodeChoice) Try(_ context.Context, url string) error {
	if url != "wss://node.example" {
		return errors.New(url + " cannot be used: connection refused; correct the address, or try again later")
	}
	return nil
}

func (c *nodeChoice) Use(url string) error {
	c.used = url
	return nil
}

// On the first page the node is chosen; an address where none answers stays in the field, to be corrected.
func TestFirstRunChoosesTheNode(t *testing.T) {
	choice := &nodeChoice{}
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
		if !d.Quit || !errors.Is(d.Model.Err(), tui.ErrWantNode) || choice.used != "wss://node.example" {
			t.Errorf("the node chosen is %q:\n%s", choice.used, d.Screen())
		}
	})
	choice.fixed = "the flag --daemon-url names the nodes of this run, not the settings file"
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
