package field

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func keys(f *Field, all ...tea.KeyMsg) {
	for _, k := range all {
		f.Key(k)
	}
}

func k(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func TestEditing(t *testing.T) {
	f := New("one two three")
	keys(&f, k(tea.KeyCtrlW), k(tea.KeyCtrlA), runes("zero "), k(tea.KeyRight), k(tea.KeyDelete), k(tea.KeyCtrlE), k(tea.KeyBackspace), runes("!"))
	if got := f.Value(); got != "zero oe two!" {
		t.Errorf("the text is %q", got)
	}
	keys(&f, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("b"), Alt: true}, k(tea.KeyCtrlU))
	if got := f.Value(); got != "two!" {
		t.Errorf("after ctrl+u it is %q", got)
	}
}

func TestGraphemesStayWhole(t *testing.T) {
	f := New("cafe\u0301 👩‍👩‍👧")
	keys(&f, k(tea.KeyBackspace), k(tea.KeyBackspace), k(tea.KeyBackspace))
	if got := f.Value(); got != "caf" {
		t.Errorf("three backspaces leave %q", got)
	}
}

func TestPasteIsTextWithoutControlCharacters(t *testing.T) {
	f := New("")
	f.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\x1b[31m\r\nb\tc\x00"), Paste: true})
	if got := f.Value(); got != "a[31m b c" {
		t.Errorf("pasted %q", got)
	}
	f.Set("secret\r\n")
	if got := f.Value(); got != "secret" {
		t.Errorf("a line end at the end stays: %q", got)
	}
	m := Field{Multiline: true}
	m.Insert("two\rlines")
	m.Key(k(tea.KeyCtrlJ))
	if got := m.Value(); got != "two\nlines\n" {
		t.Errorf("a memo keeps its lines: %q", got)
	}
}

func TestSecretShowsDots(t *testing.T) {
	f := Field{Secret: true}
	f.Insert("hunter")
	if got := f.Line(20, true).String(); strings.TrimSpace(got) != "••••••" {
		t.Errorf("shown as %q", got)
	}
}

func TestCursorIsAlwaysInView(t *testing.T) {
	f := New(strings.Repeat("漢字abc", 20))
	for range 120 {
		f.Key(k(tea.KeyLeft))
		l := f.Line(11, true)
		cursor := false
		for _, s := range l {
			cursor = cursor || s.Style.Attr != 0
		}
		if l.Width() > 11 || !cursor {
			t.Fatalf("at %d the field shows %q", f.pos, l.String())
		}
	}
}

func FuzzField(f *testing.F) {
	f.Add("abc\u0301", 5, 2)
	f.Add("\u202e\xff漢", 3, 1)
	f.Fuzz(func(t *testing.T, text string, w, moves int) {
		e := New(text)
		for range moves & 15 {
			e.Key(k(tea.KeyLeft))
		}
		e.Key(runes("x"))
		e.Key(k(tea.KeyBackspace))
		if l := e.Line(w&63, true); l.Width() > w&63 {
			t.Fatalf("%q in %d cells is %d wide", text, w&63, l.Width())
		}
	})
}
