package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/textbox"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

func boxDrawn(b *textbox.Box, w, h int) string {
	c := canvas.New(w, h)
	b.Draw(c.All(), true)
	return c.Plain()
}

func typed(b *textbox.Box, text string) {
	for _, r := range text {
		b.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

func TestTextIsWrappedAndScrolled(t *testing.T) {
	b := textbox.New(100)
	if got := b.Height(20); got != 1 {
		t.Errorf("an empty box takes %d rows", got)
	}
	typed(b, "the quick brown fox jumps")
	b.Key(tea.KeyMsg{Type: tea.KeyCtrlJ})
	typed(b, "over 🙂")
	if got, want := boxDrawn(b, 13, 4), "the quick    \nbrown fox    \njumps        \nover 🙂      \n"; got != want {
		t.Errorf("drawn\n%swant\n%s", got, want)
	}
	if got := boxDrawn(b, 13, 2); !strings.HasPrefix(got, "jumps") || !strings.Contains(got, "over 🙂") {
		t.Errorf("the row of the cursor is not in view:\n%s", got)
	}
	for range 3 {
		b.Key(tea.KeyMsg{Type: tea.KeyUp})
	}
	if got := boxDrawn(b, 13, 2); !strings.HasPrefix(got, "the quick") {
		t.Errorf("up three times shows\n%s", got)
	}
	b.Set("")
	if b.Height(12) != 1 || !b.Empty() {
		t.Errorf("an emptied box takes %d rows", b.Height(12))
	}
}

// At any width a box shows all of its text, in no more rows than that takes.
func TestBoxShowsAllOfItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab cd e\né-")), 0, 90, -1).Draw(t, "text")
		w := rapid.IntRange(2, 40).Draw(t, "w")
		b := textbox.New(1000)
		typed(b, text[:len(text)/2])
		b.Set(text)
		h := b.Height(w)
		letters := func(text string) string { return strings.Join(strings.Fields(text), "") }
		if got := boxDrawn(b, w+1, h); letters(got) != letters(text) {
			t.Fatalf("%q, %d cells wide, is drawn in %d rows as\n%s", text, w, h, got)
		}
		for range h {
			b.Key(tea.KeyMsg{Type: tea.KeyUp})
		}
		if got := boxDrawn(b, w+1, h); letters(got) != letters(text) {
			t.Fatalf("%q, %d cells wide, is drawn in %d rows from its beginning as\n%s", text, w, h, got)
		}
	})
}

func BenchmarkTextBox(b *testing.B) {
	box, c := textbox.New(2048), canvas.New(60, 8)
	box.Set("see you at 8, at the place where we met the last time")
	for b.Loop() {
		box.Draw(c.All(), true)
	}
}

// Fast typing arrives as one message; if it is the name of a key, it is still text.
func TestTypedKeyNamesAreText(t *testing.T) {
	b := textbox.New(100)
	for _, word := range []string{"the", " ", "end", " ", "home", " ", "up", " ", "delete", " ", "enter"} {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(word)}
		if word == " " {
			k.Type = tea.KeySpace
		}
		b.Key(k)
	}
	if b.Value() != "the end home up delete enter" {
		t.Errorf("%q was typed", b.Value())
	}
}

func TestCursorIsShown(t *testing.T) {
	b := textbox.New(100)
	typed(b, "ab")
	b.Key(tea.KeyMsg{Type: tea.KeyLeft})
	c := canvas.New(10, 1)
	b.Draw(c.All(), true)
	if c.StyleAt(1, 0) != (theme.Style{}).With(theme.Reverse) || c.StyleAt(0, 0) != (theme.Style{}) {
		t.Error("the cursor is not on b")
	}
}

func TestFaultsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"fine,\nthank you 👩‍👩‍👧":                  "",
		"a\u202eb":                                "U+202E",
		strings.Repeat("x", 101):                  "it has 101 bytes, and 100 fit",
		"key " + ledger.DeriveKey("box", 0).WIF(): "private key",
	} {
		b := textbox.New(100)
		b.Set(text)
		if got := b.Fault(); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	b := textbox.New(100)
	b.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\x1b[7mb"), Paste: true})
	if got := fmt.Sprintf("%q", b.Value()); strings.Contains(got, `\x1b`) {
		t.Errorf("a paste brought %s", got)
	}
}
