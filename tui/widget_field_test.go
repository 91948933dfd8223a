package tui_test

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui/widget/field"

	tea "github.com/charmbracelet/bubbletea"
)

func keys(f *field.Field, all ...tea.KeyMsg) {
	for _, k := range all {
		f.Key(k)
	}
}

func k(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func TestEditing(t *testing.T) {
	f := field.New("one two three")
	keys(
		&f,
		k(tea.KeyCtrlW),
		k(tea.KeyCtrlA),
		runes("zero "),
		k(tea.KeyRight),
		k(tea.KeyDelete),
		k(tea.KeyCtrlE),
		k(tea.KeyBackspace),
		runes("!"),
	)
	if got := f.Value(); got != "zero oe two!" {
		t.Errorf("the text is %q", got)
	}
	keys(&f, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("b"), Alt: true}, k(tea.KeyCtrlU))
	if got := f.Value(); got != "two!" {
		t.Errorf("after ctrl+u it is %q", got)
	}
}

func TestGraphemesStayWhole(t *testing.T) {
	f := field.New("cafe\u0301 👩‍👩‍👧")
	keys(&f, k(tea.KeyBackspace), k(tea.KeyBackspace), k(tea.KeyBackspace))
	if got := f.Value(); got != "caf" {
		t.Errorf("three backspaces leave %q", got)
	}
}

// Nothing that is pasted vanishes: what the field does not accept is shown as a mark and named.
func TestPasteIsKeptWhole(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[31m": "character 2 is the control character U+001B; delete it, or type the text again",
		"a\r\nb":    "character 2 is a line break; delete it, or type the text again",
		"a\tb":      "character 2 is a tab; delete it, or type the text again",
		"ab\u200b":  "character 3 is the invisible character U+200B; delete it, or type the text again",
		"\u202ea":   "character 1 is the invisible character U+202E; delete it, or type the text again",
		"a\u200db":  "character 1 is the invisible character U+200D; delete it, or type the text again",
		"a\u00a0b":  "character 2 is the invisible character U+00A0; delete it, or type the text again",
		"a b":       "", "漢字": "", "cafe\u0301": "", "a\r\n\n": "", "": "",
	} {
		f := field.New("")
		f.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
		kept := strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
		if got := f.Fault(); got != want || f.Value() != kept {
			t.Errorf("%q: the text is %q, fault %q; want %q", text, f.Value(), got, want)
		}
		if l := f.Line(40, false).String(); strings.ContainsAny(l, "\x1b\t\n\u200b\u202e\u200d") {
			t.Errorf("%q is shown raw: %q", text, l)
		}
	}
	m := field.Field{Multiline: true}
	m.Insert("two\rlines 👩\u200d👩\u200d👧\t")
	m.Key(k(tea.KeyCtrlJ))
	if m.Value() != "two\nlines 👩\u200d👩\u200d👧\t\n" || m.Fault() != "" {
		t.Errorf("a memo does not keep its lines and emoji: %q, %q", m.Value(), m.Fault())
	}
	if m.Insert("\u202e"); m.Fault() == "" {
		t.Error("a memo may reorder the text around it")
	}
	s := field.Field{Secret: true}
	if s.Insert("hunter\n2"); s.Fault() == "" || strings.Contains(s.Fault(), "7") {
		t.Errorf("a line end in a password is reported as %q", s.Fault())
	}
}

func TestTextThatIsTooLongIsRefused(t *testing.T) {
	f := field.Field{Limit: 5}
	f.Insert("1234")
	if f.Insert("56"); f.Value() != "1234" || f.Fault() == "" {
		t.Errorf("the text is %q, fault %q", f.Value(), f.Fault())
	}
	if f.Insert("5"); f.Value() != "12345" || f.Fault() != "" {
		t.Errorf("the text is %q, fault %q", f.Value(), f.Fault())
	}
}

func TestSecretShowsDots(t *testing.T) {
	f := field.Field{Secret: true}
	f.Insert("hunter")
	if got := f.Line(20, true).String(); strings.TrimSpace(got) != "••••••" {
		t.Errorf("shown as %q", got)
	}
}

func TestCursorIsAlwaysInView(t *testing.T) {
	f := field.New(strings.Repeat("漢字abc", 20))
	for at := range 120 {
		f.Key(k(tea.KeyLeft))
		l := f.Line(11, true)
		cursor := false
		for _, s := range l {
			cursor = cursor || s.Style.Attr != 0
		}
		if l.Width() > 11 || !cursor {
			t.Fatalf("%d from the end the field shows %q", at+1, l.String())
		}
	}
}

func FuzzField(f *testing.F) {
	f.Add("abc\u0301", 5, 2)
	f.Add("\u202e\xff漢", 3, 1)
	f.Fuzz(func(t *testing.T, text string, w, moves int) {
		e := field.New(text)
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

// A selection is replaced by text, deleted by a key that deletes, and kept by any other key.
func TestSelectionIsReplacedByText(t *testing.T) {
	for _, c := range []struct {
		key  tea.KeyMsg
		want string
	}{
		{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("u")}, "u"},
		{tea.KeyMsg{Type: tea.KeyBackspace}, ""},
		{tea.KeyMsg{Type: tea.KeyLeft}, "DCT"},
		{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q"), Alt: true}, "DCT"},
	} {
		f := field.New("DCT")
		f.Select()
		if f.Key(c.key); f.Value() != c.want {
			t.Errorf("%v leaves %q", c.key, f.Value())
		}
	}
}

// What is wrong with a field's text says what to take out of where: "delete it", behind the label File, could mean the file.
func TestAFieldSaysWhatToTakeOut(t *testing.T) {
	f := field.Field{}
	f.Set(ledger.DeriveKey("typed", 0).WIF())
	if got := f.Fault(); got != "this text contains a private key, which nobody else may see; take that out of the field" {
		t.Error(got)
	}
}
