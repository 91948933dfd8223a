package tui_test

import (
	"strings"
	"testing"

	"billfold/tui/action"
	"billfold/tui/overlay/dialog"
	"billfold/tui/overlay/palette"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"

	tea "github.com/charmbracelet/bubbletea"
)

// paletteOf returns a palette over pages, in which a text was typed.
func paletteOf(text string, pages ...frame.Page) *palette.Model {
	m := palette.New(palette.Sources{Pages: pages, Place: "home", Off: func(action.ID) string { return "" }})
	m.Update(screen.Env{}, screen.Text{Key: tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)}})
	return m
}

// entered returns what enter does; nil if there is no row.
func entered(m *palette.Model) tea.Msg {
	cmd := m.Update(screen.Env{}, screen.Command{ID: "enter"})
	if cmd == nil {
		return nil
	}
	closed, _ := cmd().(dialog.Closed)
	return closed.Then
}

// found returns what a palette shows.
func found(m *palette.Model) string {
	c := canvas.New(m.Size(screen.Env{}))
	m.Draw(screen.Env{}, c.All())
	return c.Plain()
}

func TestFewLettersFindAPage(t *testing.T) {
	pages := []frame.Page{
		{ID: screen.Home, Key: "1", Name: "Home"},
		{ID: screen.Receive, Key: "4", Name: "Receive"},
		{ID: screen.RPC, Key: "-", Name: "RPC"},
	}
	for text, want := range map[string]screen.ID{"recv": screen.Receive, "rpc": screen.RPC, "hm": screen.Home} {
		m := paletteOf(text, pages...)
		if got := entered(m); got != (screen.Navigate{To: want}) {
			t.Errorf("%q finds %+v first:\n%s", text, got, found(m))
		}
	}
	m := paletteOf(">recv", pages...)
	if got := entered(m); got != nil || !strings.Contains(found(m), " 0 of 3 ") {
		t.Errorf("> does not narrow to actions:\n%s", found(m))
	}
}

func TestSentencesFillInAPage(t *testing.T) {
	for text, want := range map[string]screen.Navigate{
		"send carol 5 DCT":          {To: screen.Send, With: screen.Typed{To: "carol", Amount: "5", Asset: "DCT"}},
		"history with:carol dir:in": {To: screen.History, With: screen.Filter("with:carol dir:in")},
	} {
		m := paletteOf(text)
		if got := entered(m); got != want || !strings.Contains(found(m), " SENTENCE ") {
			t.Errorf("%q: %+v\n%s", text, got, found(m))
		}
	}
	for _, text := range []string{"", "send", "receive 5", "history"} {
		if m := paletteOf(text); strings.Contains(found(m), " SENTENCE ") {
			t.Errorf("%q is a sentence: %+v\n%s", text, entered(m), found(m))
		}
	}
}

// enter runs the row in focus, and a full sentence is a row as well.
func TestASentenceIsARow(t *testing.T) {
	m := paletteOf("send carol 5,000 DCT")
	want := screen.Navigate{To: screen.Send, With: screen.Typed{To: "carol", Amount: "5,000", Asset: "DCT"}}
	if got := entered(m); got != want {
		t.Errorf("it finds %+v first:\n%s", got, found(m))
	}
	m.Update(screen.Env{}, screen.Command{ID: "down"})
	if got := entered(m); got == nil || got == want {
		t.Errorf("after the sentence it finds %+v:\n%s", got, found(m))
	}
	m = paletteOf("recv carol")
	if all := found(m); !strings.Contains(all, " 1 of ") || !strings.Contains(all, " FIND ") {
		t.Errorf("without a sentence it finds\n%s", all)
	}
}
