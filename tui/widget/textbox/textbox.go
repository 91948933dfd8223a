// Package textbox is the editor for text of several lines: the textarea of bubbles, drawn on the canvas. It accepts whatever is
// typed and pasted; Fault names a secret and characters that do not belong in readable text. What the text means is the form's
// business.
package textbox

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// maxRows is the maximum number of rows that the editor lays out; the box scrolls over them.
const maxRows = 500

// Box is the editor.
type Box struct {
	area  textarea.Model
	limit int // bytes
	top   int // the first row on screen

}

// New returns an empty box for at most limit bytes.
func New(limit int) *Box {
	t := textarea.New()
	t.Prompt, t.ShowLineNumbers, t.EndOfBufferCharacter = "", false, ' '
	t.CharLimit, t.MaxHeight, t.MaxWidth = 0, 0, 0
	t.FocusedStyle, t.BlurredStyle = textarea.Style{}, textarea.Style{}
	t.KeyMap.InsertNewline = key.NewBinding(key.WithKeys("alt+enter", "ctrl+j"))
	t.KeyMap.Paste.SetEnabled(false) // pastes come from the terminal
	t.Cursor.SetMode(cursor.CursorStatic)
	t.Cursor.Style = t.Cursor.Style.Transform(func(text string) string { return cursorMark + text + "\x1b[27m" })
	t.SetHeight(maxRows)
	t.Focus()
	return &Box{area: t, limit: limit}
}

// cursorMark stands before the cursor; no text can hold it, because the editor accepts no control characters.
const cursorMark = "\x1b[7m"

// Value returns the text.
func (b *Box) Value() string { return b.area.Value() }

// Empty reports whether nothing but blanks was typed.
func (b *Box) Empty() bool { return strings.TrimSpace(b.Value()) == "" }

// Set replaces the text.
func (b *Box) Set(text string) { b.area.SetValue(text) }

// Key edits the text.
func (b *Box) Key(k tea.KeyMsg) {
	switch {
	case k.Type == tea.KeySpace && !k.Alt:
		b.area.InsertString(" ")
	case k.Type == tea.KeyRunes && !k.Alt: // the editor would take a typed word such as end for a key
		b.area.InsertString(string(k.Runes))
	default:
		b.area, _ = b.area.Update(k)
	}
}

// Fault returns in one sentence why the text cannot be used; empty if nothing is wrong.
func (b *Box) Fault() string {
	text := b.Value()
	if secret := ledger.SecretIn(text); secret != "" {
		return "this text contains " + secret + ", which nobody else may see; take that out of the text"
	}
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || printable.Invisible(r)) && !unicode.Is(unicode.Join_Control, r) {
			return fmt.Sprintf("it contains the invisible character U+%04X; delete that character", r)
		}
	}
	if n := len(text); n > b.limit {
		return fmt.Sprintf("it has %s bytes, and %s fit", format.Count(n), format.Count(b.limit))
	}
	return ""
}

// Draw draws the text, scrolled so that the cursor is visible; live shows the cursor.
func (b *Box) Draw(a canvas.Area, live bool) {
	if a.W < 3 || a.H < 1 {
		return
	}
	rows, at := b.rows(a.W - 1) // the last column is the scroll bar's
	b.top = max(min(b.top, at, len(rows)-1), at-a.H+1, 0)
	for y := 0; y < a.H && b.top+y < len(rows); y++ {
		before, after, here := strings.Cut(rows[b.top+y], cursorMark)
		x := a.Put(0, y, text(before))
		if !here {
			continue
		}
		under := firstRune(after)
		style := theme.Style{}
		if live {
			style = style.With(theme.Reverse)
		}
		x = a.Put(x, y, canvas.Line{{Text: format.Clean(under), Style: style}})
		a.Put(x, y, text(after[len(under):]))
	}
	a.Scroll(b.top, min(a.H, len(rows)), len(rows))
}

// Height returns how many rows the text takes, w cells wide.
func (b *Box) Height(w int) int {
	rows, _ := b.rows(w)
	return len(rows)
}

// rows lays the text out w cells wide, and returns the row that has the cursor. A secret is shown as dots.
func (b *Box) rows(w int) (rows []string, at int) {
	area := b.area
	area.SetWidth(w)
	if ledger.SecretIn(b.Value()) != "" {
		return []string{strings.Repeat(theme.SignDots, min(w-1, 12)) + cursorMark + " "}, 0
	}
	area.SetHeight(min(maxRowsOf(b.Value(), w), maxRows)) // the view has as many rows as the height, even empty ones
	view := area.View()
	b.area.SetHeight(maxRows) // the copy shares its viewport with the editor, which must not scroll
	for i, row := range strings.Split(view, "\n") {
		before, after, here := strings.Cut(row, cursorMark)
		row = strings.TrimRight(ansi.Strip(before), " ")
		if here {
			row, at = ansi.Strip(before)+cursorMark+strings.TrimRight(ansi.Strip(after), " ")+" ", i
		}
		rows = append(rows, row)
	}
	used := at + 1
	for i, row := range rows {
		if row != "" {
			used = max(used, i+1)
		}
	}
	return rows[:used], at
}

// maxRowsOf returns an upper bound of the rows that a text takes, w cells wide: any two neighbouring rows of a line fill one, and no
// character is wider than two cells.
func maxRowsOf(text string, w int) int {
	return 4*utf8.RuneCountInString(text)/max(w, 1) + 2*strings.Count(text, "\n") + 2
}

// text returns what was typed, made safe to show.
func text(s string) canvas.Line { return canvas.Text(format.Clean(s)) }

// firstRune returns the first character.
func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}
