package tui

import (
	"testing"
	"time"

	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

func TestKeyTableHasNoClash(t *testing.T) {
	for _, wrong := range keyTable().Check() {
		t.Error(wrong)
	}
}

func TestCheckFindsClashes(t *testing.T) {
	table := keyTable()
	home := &table[1]
	home.Actions[2].Keys = []string{"q", "Q", "p"} // hides quit, a new capital, p is pending already
	if got := len(table.Check()); got != 3 {
		t.Errorf("Check found %d faults in a table with three: %v", got, table.Check())
	}
}

func TestEveryPageIsReachedByItsKey(t *testing.T) {
	driven(t, 100, 30, sample(), func(d *drive) {
		for _, p := range pages() {
			d.press("1")
			if d.press(p.Key); d.model.page != p.ID {
				t.Errorf("%s opens %s, not %s", p.Key, d.model.page, p.ID)
			}
			if d.model.page == screen.Send { // its field takes the next digit
				d.press("esc")
			}
		}
	})
}

func TestLettersAreTextInAField(t *testing.T) {
	driven(t, 80, 24, sample(), func(d *drive) {
		d.press("3")
		d.typed("q1-=,?:/@*!~y S")
		d.shows("TYPE", "q1-=,?:/@*!~y S")
		if d.quit || d.model.page != screen.Send {
			t.Error("a letter in a field did something else")
		}
		d.press("esc")
		d.shows("KEYS")
	})
}

// Keys typed fast, or held down, come in one message.
func TestKeysInOnePieceAreAllHeard(t *testing.T) {
	driven(t, 80, 24, sample(), func(d *drive) {
		d.press("2")
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjj")})
		d.shows("row 4 of 6")
		d.press("3")
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("carol")})
		d.shows("Send › To", "✓ carol 1.2.57")
	})
}

// A terminal that does not mark a paste sends it as keys in one piece.
func TestAnUnmarkedPasteNeverSigns(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("SS")})
		if core.sent != 0 {
			t.Error("a paste signed")
		}
	})
}

func TestQuitAsksWhileAPaymentIsOpen(t *testing.T) {
	driven(t, 80, 24, sample(), func(d *drive) {
		d.press("q")
		d.shows("2 payments are not final")
		if d.press("enter"); d.quit {
			t.Error("enter quit")
		}
		d.press("esc")
		d.hides("not final.")
		if d.press("q q"); !d.quit {
			t.Error("q did not quit")
		}
	})
}

func TestCtrlCTwiceQuits(t *testing.T) {
	driven(t, 80, 24, sample(), func(d *drive) {
		if d.press("ctrl+c"); d.quit {
			t.Fatal("one ctrl+c quit")
		}
		d.shows("ctrl+c again")
		if d.press("ctrl+c"); !d.quit {
			t.Error("two did not")
		}
	})
}

func TestPaletteOpensPagesAndFillsForms(t *testing.T) {
	core := sample()
	driven(t, 100, 30, core, func(d *drive) {
		d.press(":")
		d.typed("recv")
		d.shows("Palette", "Receive", "4")
		d.press("enter")
		d.shows("[4 Receive]")
		d.press(":")
		d.typed("send carol 5 DCT")
		d.press("enter")
		d.shows("Send › To", "✓ carol 1.2.57", "12,475.49810000")
		d.press("esc :")
		d.typed("history dir:in")
		d.press("enter")
		d.shows("Filter / dir:in")
	})
}

func TestPaletteNeverSigns(t *testing.T) {
	core := sample()
	driven(t, 100, 30, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.send(keyMsg("ctrl+k"))
		d.typed(">sign and")
		d.press("enter")
		d.shows("Review", "Press S")
		if core.sent != 0 {
			t.Error("the palette signed")
		}
	})
}

func TestReviewThatOpensAgainIsDeafAgain(t *testing.T) {
	core := sample()
	driven(t, 100, 30, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.send(keyMsg("ctrl+k"))
		d.typed("home")
		d.press("enter 3 S")
		if core.sent != 0 {
			t.Fatal("S was heard at once")
		}
		d.wait(time.Second)
		if d.press("S"); core.sent != 1 {
			t.Error("S was not heard after a second")
		}
	})
}
