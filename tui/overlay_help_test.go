package tui_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
)

func TestHelpLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 ?")
		d.GoldenSizes("overlay/help/help", uitest.Sizes())
	})
}

// What stands below the last key, the signs, is reached with it.
func TestHelpIsReadToItsEnd(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("?")
		for range 60 {
			d.Press("down")
		}
		d.Shows("text by others")
	})
}

// The abbreviations of the status row are in the help as words: going down past the last key reaches them in a small window, too, and a search
// finds them.
func TestHelpExplainsTheStatusRow(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("? G")
		d.Shows("irr −2  last 2 blocks not final yet", "● 1     1 RPC listener is on", "!1      1 program waits for you")
		d.Press("g")
		d.Hides("irr −2")
		d.Press("/")
		d.Type("irr")
		d.Shows("last 2 blocks not final yet")
		d.Press("ctrl+u")
		d.Type("listener")
		d.Shows("● 1     1 RPC listener is on")
	})
}

// /exp finds export, and enter runs it; for an action that signs, the key is named instead.
func TestHelpRunsARow(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: indexedRows}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("2 ? /")
		d.Type("export")
		d.Shows("TYPE", "export what the filter shows")
		d.Hides("EVERYWHERE")
		d.Press("enter")
		d.Shows("Export history", "MODAL")
		d.Press("esc ? down enter")
		d.Shows("History › Filter")
		d.Press("esc")
		d.FillForm("carol", "2")
		d.Press("ctrl+s")
		d.Wait(2 * time.Second)
		d.Press("? /")
		d.Type("sign")
		d.Press("enter")
		if d.Shows("Press S"); w.Paid() != 0 {
			t.Error("the help signed")
		}
	})
}

// A page key goes on by a page, and below the last key to the signs.
func TestHelpTurnsPages(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("?")
		d.Shows("HERE: Home")
		d.Press("pgdown")
		d.Hides("HERE: Home")
		d.Press("pgdown pgdown pgdown pgdown pgdown pgdown pgdown pgdown pgdown pgdown")
		d.Shows("1 program waits for you")
		d.Press("pgup pgup pgup pgup pgup pgup pgup pgup pgup pgup pgup pgup pgup pgup")
		d.Shows("HERE: Home")
	})
}
