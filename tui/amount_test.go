package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// toAmount opens the form for carol with the cursor in the amount.
func toAmount(d *drive) {
	d.press("3")
	d.typed("carol")
	d.press("tab")
}

func TestAmountIsShownAsItWillBePaid(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		toAmount(d)
		for _, step := range []struct{ typed, shows, hides string }{
			{"1.5", "= 1.50000000 DCT", "▲ Amount"},
			{"1,5", "▲ Amount: a comma can mean a point or thousands; write 1.5", "┃            = "},
			{"1.000,50", "write 1000.50", "┃            = "},
			{"1 000", "it has a blank; write 1000", "┃            = "},
			{"1.123456789", "write at most 8", "┃            = "},
			{"+5", "it has a sign", "┃            = "},
			{"12.5 DCT", "= 12.50000000 DCT", "▲ Amount"},
			{"12.5 usdx", "= 12.50 USDX", "▲ Amount"},
			{"12.555", "write at most 2", "┃            = "},
			{"12.5 NONE", "an amount of another asset; write an amount of", "┃            = "},
			{"300", "more than there is: 250.00 USDX", "leaves"},
		} {
			d.press("ctrl+u")
			d.typed(step.typed)
			d.shows(step.typed, step.shows)
			d.hides(step.hides)
		}
		if d.press("ctrl+s"); len(core.built) != 0 {
			t.Errorf("built %+v", core.built)
		}
	})
}

// A paste of several lines, or with what cannot be seen, stays in the field and is
// named there; nothing of it is sent.
func TestPasteIsNotMended(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		for _, c := range []struct{ field, text, shows string }{
			{"To", "ca\u200brol", "To: character 3 is the invisible character U+200B"},
			{"To", "car\nol", "To: character 4 is a line end"},
			{"To", "Carol", "To: names are written in small letters; write carol"},
			{"Amount", "1\n5", "Amount: it holds a line end or a tab"},
			{"Amount", "1\u202e5", "Amount: it holds the invisible character U+202E"},
			{"Memo", "hi\u202ethere", "character 3 is the invisible character U+202E"},
			{"Memo", "hi\x1b[2Jthere", "character 3 is the control character U+001B"},
		} {
			d.press("3 ctrl+x")
			d.typed("carol")
			d.press("tab")
			d.typed("250")
			for d.press("tab tab tab"); !strings.Contains(d.screen(), "Send › "+c.field); {
				d.press("tab")
			}
			d.press("ctrl+u")
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(c.text), Paste: true})
			d.shows(c.shows, "1 warning")
			d.press("ctrl+s")
			d.wait(time.Second)
			d.shows("Send › "+c.field, c.shows)
			d.press("esc esc")
		}
		if len(core.built) != 0 {
			t.Errorf("built %+v", core.built)
		}
	})
}

func TestBlanksAroundAMemoAreTold(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		toAmount(d)
		d.typed("5")
		d.press("tab tab")
		d.typed("12345 ")
		d.shows("it begins or ends in a blank, which is sent as well", "live check: all good")
		d.press("ctrl+s")
		if core.built[0].Memo != "12345 " {
			t.Errorf("the memo is %q", core.built[0].Memo)
		}
		d.press("esc backspace")
		d.hides("in a blank")
	})
}

func TestLiveCheckIsGoodOnlyWhenAllIsKnown(t *testing.T) {
	driven(t, 100, 30, sample(), func(d *drive) {
		d.press("3")
		d.shows("live check: To is empty")
		d.typed("nobody")
		d.press("tab")
		d.shows("live check: Amount is empty")
		d.typed("5")
		d.shows("live check: no such recipient")
		d.press("shift+tab ctrl+u")
		d.typed("carol")
		d.shows("live check: all good")
		d.press("ctrl+u")
		d.typed("1.2.99")
		d.shows("live check: the review shows the recipient")
		d.press("ctrl+u")
		d.typed("alice")
		d.shows("live check: From and To are the same")
	})
}

func TestPaletteHidesNothingOfASentence(t *testing.T) {
	for text, shows := range map[string]string{"send carol 5 USDX": "= 5.00 USDX", "send carol 1,5 DCT": "write 1.5", "send carol 5 DCT 7": "Amount: it holds more than digits and a point",
		"send carol 5 DCT rent": "Asset: there is no such asset"} {
		driven(t, 80, 24, sample(), func(d *drive) {
			d.press(":")
			d.typed(text)
			d.press("enter")
			d.shows("Send", shows)
		})
	}
}
