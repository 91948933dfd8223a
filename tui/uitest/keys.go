package uitest

import (
	"strings"
	"time"

	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// keyPause is longer than the time for which no other key may follow one that signs, approves or deletes.
const keyPause = 50 * time.Millisecond

// Press sends keys by name, separated by spaces. After S, A and X it waits until they have taken effect.
func (d *Driver) Press(keys string) {
	for _, k := range strings.Fields(keys) {
		if d.Send(Key(k)); k == "S" || k == "A" || k == "X" {
			time.Sleep(keyPause)
			d.Pump()
		}
	}
}

// Sure sends keys after the pause without typing that a key needs to sign, approve or delete.
func (d *Driver) Sure(key string) {
	d.Wait(screen.Quiet)
	d.Press(key)
}

// Type sends text letter by letter.
func (d *Driver) Type(text string) {
	for _, r := range text {
		if r == ' ' {
			d.Send(Key("space"))
			continue
		}
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// Paste sends text the way a terminal sends a paste.
func (d *Driver) Paste(text string) {
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// ClickAt presses the left button on a cell.
func (d *Driver) ClickAt(x, y int) {
	d.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
}

// Click presses the left button on a text of the screen.
func (d *Driver) Click(text string) {
	d.T.Helper()
	for y, l := range strings.Split(d.Screen(), "\n") {
		if i := strings.Index(l, text); i >= 0 {
			d.ClickAt(ansi.StringWidth(l[:i]), y)
			return
		}
	}
	d.T.Fatalf("there is no %q to click:\n%s", text, d.Screen())
}

// Key returns the message of a key, given by its name or the letter that it types.
func Key(name string) tea.KeyMsg {
	named := map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace,
		"ctrl+s": tea.KeyCtrlS, "ctrl+l": tea.KeyCtrlL, "ctrl+c": tea.KeyCtrlC, "ctrl+g": tea.KeyCtrlG, "ctrl+t": tea.KeyCtrlT,
		"ctrl+x": tea.KeyCtrlX, "ctrl+u": tea.KeyCtrlU, "ctrl+k": tea.KeyCtrlK, "ctrl+r": tea.KeyCtrlR, "f1": tea.KeyF1, "f2": tea.KeyF2,
		"ctrl+j": tea.KeyCtrlJ, "ctrl+o": tea.KeyCtrlO, "ctrl+y": tea.KeyCtrlY, "ctrl+a": tea.KeyCtrlA, "ctrl+d": tea.KeyCtrlD,
		"ctrl+e": tea.KeyCtrlE, "ctrl+n": tea.KeyCtrlN, "ctrl+p": tea.KeyCtrlP, "ctrl+w": tea.KeyCtrlW, "ctrl+z": tea.KeyCtrlZ,
		"home": tea.KeyHome, "end": tea.KeyEnd, "delete": tea.KeyDelete, "pgup": tea.KeyPgUp,
		"pgdown": tea.KeyPgDown, "space": tea.KeySpace}
	if t, ok := named[name]; ok {
		if t == tea.KeySpace {
			return tea.KeyMsg{Type: t, Runes: []rune{' '}}
		}
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// FillPayment fills the form with a payment of 250 to carol, in the asset that is chosen there.
func (d *Driver) FillPayment() { d.FillForm("carol", "250") }

// FillForm fills the payment form and leaves the cursor in the amount.
func (d *Driver) FillForm(to, amount string) {
	d.Press("3")
	d.Type(to)
	d.Press("tab")
	d.Type(amount)
}

// ToReview fills the form with a payment to carol and opens its review.
func (d *Driver) ToReview() {
	d.FillPayment()
	d.Press("ctrl+s")
}

// Find types a filter of the history and waits for its rows.
func (d *Driver) Find(words string) {
	d.Press("/")
	d.Type(words)
	d.Wait(FilterPause)
}

// FilterPause is longer than the history waits for more to be typed before it filters.
const FilterPause = 200_000_000 // ns
