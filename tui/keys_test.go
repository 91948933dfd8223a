package tui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/uitest"

	tea "github.com/charmbracelet/bubbletea"
)

func TestKeyTableHasNoClash(t *testing.T) {
	for _, wrong := range tui.KeyTable().Check() {
		t.Error(wrong)
	}
}

// A pair of arrows has one row in the help: the other key has no row of its own.
func TestHelpListsAPairOfArrowsOnce(t *testing.T) {
	for _, place := range tui.KeyTable() {
		group := map[string]string{}
		for _, a := range place.Actions {
			for _, k := range a.Keys {
				group[k] = a.Group
			}
		}
		for _, a := range place.Actions {
			_, other := group["down"]
			pair := a.Show == "↑↓" || slices.Contains(a.Keys, "up") && slices.ContainsFunc(place.Actions, func(b action.Action) bool {
				return slices.Contains(b.Keys, "down") && b.Help == a.Help
			})
			if pair && other && (a.Group == "" || a.Group != group["down"]) {
				t.Errorf("%s: %s and the key down are listed apart", place.ID, a.ID)
			}
		}
	}
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3 f1")
		d.Until("Help")
		if n := strings.Count(d.Screen(), "choose a suggestion or an asset"); n != 1 {
			t.Errorf("it is listed %d times:\n%s", n, d.Screen())
		}
	})
}

func TestCheckFindsClashes(t *testing.T) {
	table := tui.KeyTable()
	home := &table[1]
	home.Actions[2].Keys = []string{"q", "Q", "p"} // hides quit, a new capital, p is pending already
	if got := len(table.Check()); got != 3 {
		t.Errorf("Check found %d faults in a table with three: %v", got, table.Check())
	}
}

func TestEveryPageIsReachedByItsKey(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		for _, p := range tui.Pages() {
			if p.ID == screen.Console || p.ID == screen.Settings { // this program has none
				continue
			}
			d.Press("1")
			if d.Press(p.Key); d.Model.Page() != p.ID {
				t.Errorf("%s opens %s, not %s", p.Key, d.Model.Page(), p.ID)
			}
			if d.Model.Page() == screen.Send { // its field takes the next digit
				d.Press("esc")
			}
		}
	})
}

func TestLettersAreTextInAField(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Type("q1-=,?:/@*!~y S")
		d.Shows("TYPE", "q1-=,?:/@*!~y S")
		if d.Quit || d.Model.Page() != screen.Send {
			t.Error("a letter in a field did something else")
		}
		d.Press("esc")
		d.Shows("KEYS")
	})
}

// Keys that are typed fast or held down arrive in one message.
func TestKeysInOneMessageAreAllHandled(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjj")})
		d.Shows("row 4 of 6")
		d.Press("3")
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("carol")})
		d.Shows("Send › To", "✓ carol 1.2.57")
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("enter")}) // a word, no key
		d.Shows("Send › To", "carolenter")
	})
}

// A terminal without bracketed paste sends a paste as keys in one message.
func TestAnUnmarkedPasteNeverSigns(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("SS")})
		if w.Paid() != 0 {
			t.Error("a paste signed")
		}
	})
}

func TestQuitAsksWhileAPaymentIsOpen(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("q")
		d.Shows("2 payments are not final")
		if d.Press("enter"); d.Quit {
			t.Error("enter quit")
		}
		d.Press("esc")
		d.Hides("not final.")
		d.Press("q")
		if d.Sure("q"); !d.Quit {
			t.Error("q did not quit")
		}
	})
}

// The ledger of a sandbox ends with the program: nothing on it becomes final afterwards.
func TestQuittingASandboxPromisesNothing(t *testing.T) {
	scene := uitest.Shown()
	scene.Options.Sandbox = true
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("q")
		d.Shows("2 payments not final. The sandbox ends with Billfold.")
		d.Hides("not need Billfold")
	})
}

func TestCtrlCTwiceQuits(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		if d.Press("ctrl+c"); d.Quit {
			t.Fatal("one ctrl+c quit")
		}
		d.Shows("ctrl+c again")
		if d.Press("ctrl+c"); !d.Quit {
			t.Error("two did not quit")
		}
	})
}

func TestPaletteOpensPagesAndFillsForms(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press(":")
		d.Type("recv")
		d.Shows("Palette", "Receive", "4")
		d.Press("enter")
		d.Shows("[4 Receive]")
		d.Press(":")
		d.Type("send carol 5 DCT")
		d.Press("enter")
		d.Shows("Send › To", "✓ carol 1.2.57", "12,595.50310000")
		d.Press("esc :")
		d.Type("history dir:in")
		d.Press("enter")
		d.Shows("Filter / dir:in")
	})
}

func TestPaletteNeverSigns(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		d.Send(uitest.Key("ctrl+k"))
		d.Type(">sign what")
		d.Press("enter")
		d.Shows("Review", "Press S")
		if w.Paid() != 0 {
			t.Error("the palette signed")
		}
	})
}

func TestReopenedReviewIgnoresKeysAgain(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		d.Send(uitest.Key("ctrl+k"))
		d.Type("home")
		d.Press("enter 3 S")
		if w.Paid() != 0 {
			t.Fatal("S worked at once")
		}
		d.Wait(time.Second)
		if d.Press("S"); w.Paid() != 1 {
			t.Error("S did not work after a second")
		}
	})
}
