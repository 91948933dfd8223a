package send_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"

	tea "github.com/charmbracelet/bubbletea"
)

// toAmount opens the form for carol with the cursor in the amount.
func toAmount(d *uitest.Driver) {
	d.Press("3")
	d.Type("carol")
	d.Press("tab")
}

func TestAmountIsShownAsItWillBePaid(t *testing.T) {
	var h heard
	scene := uitest.Rows()
	scene.Core = h.listen
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		toAmount(d)
		for _, step := range []struct{ typed, shows, hides string }{
			{"1.5", "= 1.50000000 DCT", "▲ Amount"},
			{"1,5", "▲ Amount: a comma can mean a point or thousands; write 1.5", "┃            = "},
			{"1.000,50", "write 1000.50", "┃            = "},
			{"1 000", "it has a space; write 1000", "┃            = "},
			{"1.123456789", "write at most 8", "┃            = "},
			{"+5", "it has a sign", "┃            = "},
			{"12.5 DCT", "= 12.50000000 DCT", "▲ Amount"},
			{"12.5 usdx", "= 12.50 USDX", "▲ Amount"},
			{"12.555", "write at most 2", "┃            = "},
			{"12.5 NONE", "an amount of another asset; write an amount of", "┃            = "},
			{"300", "more than you have: 250.00 USDX", "leaves"},
		} {
			d.Press("ctrl+u")
			d.Type(step.typed)
			d.Shows(step.typed, step.shows)
			d.Hides(step.hides)
		}
		if d.Press("ctrl+s"); len(h.built) != 0 {
			t.Errorf("built %+v", h.built)
		}
	})
}

// Another asset takes the place of the one that stands there.
func TestTypingTheAssetReplacesIt(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		toAmount(d)
		d.Type("5")
		d.Press("tab")
		d.Shows("Asset    ▌DCT ▾")
		d.Type("usdx")
		d.Shows("▌usdx", "= 5.00 USDX")
		d.Hides("DCTusdx", "no such asset")
	})
}

// A paste of several lines, or with what cannot be seen, stays in the field and is
// named there; nothing of it is sent.
func TestPasteIsNotMended(t *testing.T) {
	var h heard
	scene := uitest.Rows()
	scene.Core = h.listen
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		for _, c := range []struct{ field, text, shows string }{
			{"To", "ca\u200brol", "To: character 3 is the invisible character U+200B"},
			{"To", "car\nol", "To: character 4 is a line break"},
			{"To", "Carol", "To: names are lower case; write carol"},
			{"Amount", "1\n5", "Amount: it contains a line break or a tab"},
			{"Amount", "1\u202e5", "Amount: it contains the invisible character U+202E"},
			{"Memo", "hi\u202ethere", "character 3 is the invisible character U+202E"},
			{"Memo", "hi\x1b[2Jthere", "character 3 is the control character U+001B"},
		} {
			d.Press("3 ctrl+x")
			d.Type("carol")
			d.Press("tab")
			d.Type("250")
			for d.Press("tab tab tab"); !strings.Contains(d.Screen(), "Send › "+c.field); {
				d.Press("tab")
			}
			d.Press("ctrl+u")
			d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(c.text), Paste: true})
			d.Shows(c.shows, "1 warning")
			d.Press("ctrl+s")
			d.Wait(time.Second)
			d.Shows("Send › "+c.field, c.shows)
			d.Press("esc esc")
		}
		if len(h.built) != 0 {
			t.Errorf("built %+v", h.built)
		}
	})
}

func TestBlanksAroundAMemoAreTold(t *testing.T) {
	var h heard
	scene := uitest.Rows()
	scene.Core = h.listen
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		toAmount(d)
		d.Type("5")
		d.Press("tab tab")
		d.Type("12345 ")
		d.Shows("it begins or ends with a space, which is sent too", "live check: all good")
		d.Press("ctrl+s")
		if h.built[0].Memo != "12345 " {
			t.Errorf("the memo is %q", h.built[0].Memo)
		}
		d.Press("esc backspace")
		d.Hides("in a blank")
	})
}

func TestLiveCheckIsGoodOnlyWhenAllIsKnown(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Shows("live check: To is empty")
		d.Type("nobody")
		d.Press("tab")
		d.Shows("live check: Amount is empty")
		d.Type("5")
		d.Shows("live check: no such recipient")
		d.Press("shift+tab ctrl+u")
		d.Type("carol")
		d.Shows("live check: all good")
		d.Press("ctrl+u")
		d.Type("1.2.99999")
		d.Shows("live check: no such recipient", "no such account")
		d.Press("ctrl+u")
		d.Type("1.2.57")
		d.Shows("✓ carol 1.2.57", "live check: all good")
		d.Press("ctrl+u")
		d.Type("alice")
		d.Shows("live check: From and To are the same")
	})
}

func TestPaletteHidesNothingOfASentence(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(_ *uitest.Driver, w *uitest.World) {
		for text, shows := range map[string]string{"send carol 5 USDX": "= 5.00 USDX", "send carol 1,5 DCT": "write 1.5",
			"send carol 5 DCT 7":    "Amount: it contains more than digits and a point",
			"send carol 5 DCT rent": "Asset: there is no such asset"} {
			w.Look(80, 24, func(d *uitest.Driver) {
				d.Press(":")
				d.Type(text)
				d.Press("enter")
				d.Shows("Send", shows)
			})
		}
	})
}

// What comes in while the form is typed is available at once, also to ctrl+g.
func TestTheBalanceOfTheFormFollowsTheLedger(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "1")
		d.Until("12,600.50410000 DCT available")
		w.Pay(uitest.Transfer{From: uitest.Carol, To: uitest.Alice, Amount: 300000000})
		d.Wait(6 * time.Second)
		d.Shows("12,603.50410000 DCT available")
		d.Press("ctrl+g")
		d.Shows("12603.5031")
	})
}
