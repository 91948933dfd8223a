// Package field is the line editor: the one place where typed letters become text. It keeps whole graphemes and everything that is
// typed or pasted: what no field accepts is shown as a mark, and Fault names it; nothing is dropped or replaced except the line
// breaks at the end of a paste. What the text means is the form's business.
package field

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/rivo/uniseg"
)

// Field is an editable line. The zero value is empty and ready.
type Field struct {
	Secret    bool // shown as dots
	Open      bool // a secret that is shown as typed for now; a private key never is
	Multiline bool // alt+enter and ctrl+j make a new line
	Rows      bool // of a Multiline field: it is shown by RowLines, and home, end and ctrl+u stay in the row
	Words     bool // words separated by blanks: a line break or a tab of a paste becomes a blank
	Limit     int  // in graphemes; 0: maxGraphemes
	Dotted    int  // how many of the last graphemes are shown as dots
	text      []string
	pos       int
	refused   string // why the last key or paste was not accepted
	selected  bool   // the next typed text replaces all of it
	held      string // the secret that the text holds; "" = none: see ledger.SecretIn
	cleared   string // the text that Clear removed
	veiling   bool   // what is typed at the end is shown as dots
	veil      int    // how many of the last graphemes are
}

// maxGraphemes is the limit of a field that has none of its own.
const maxGraphemes = 20000

// New returns a field with a text, the cursor at its end.
func New(text string) Field {
	var f Field
	f.Set(text)
	return f
}

// Value returns the text.
func (f *Field) Value() string { return strings.Join(f.text, "") }

// Empty reports whether nothing was typed.
func (f *Field) Empty() bool { return len(f.text) == 0 }

// Set replaces the text.
func (f *Field) Set(text string) {
	f.text, f.pos, f.selected, f.veil = nil, 0, false, 0
	f.Insert(text)
}

// Clear empties the field; Restore brings the text back, unless it is a secret.
func (f *Field) Clear() {
	if f.cleared = ""; !f.Secret && f.held == "" {
		f.cleared = f.Value()
	}
	f.Set("")
}

// Restore brings back what Clear removed, unless something was typed since.
func (f *Field) Restore() {
	if f.Empty() {
		f.Set(f.cleared)
	}
}

// Insert puts text at the cursor unchanged, except that in a field of one line, line breaks at the end of a paste are dropped. If
// the text would be longer than the limit, nothing is inserted, and Fault says so.
func (f *Field) Insert(text string) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	switch {
	case f.Words:
		text = strings.NewReplacer("\n", " ", "\t", " ").Replace(text)
	case !f.Multiline:
		text = strings.TrimRight(text, "\n")
	}
	before, after := strings.Join(f.text[:f.pos], "")+text, strings.Join(f.text[f.pos:], "")
	limit := cmp.Or(f.Limit, maxGraphemes)
	all := graphemes(before + after)
	if f.refused = ""; len(all) > limit {
		f.refused = fmt.Sprintf("not accepted: the field holds at most %d characters", limit)
		return
	}
	f.text = all
	f.pos = min(len(graphemes(before)), len(f.text))
	f.held = ledger.SecretIn(before + after)
}

// Fault returns in one sentence what was not accepted, or which character does not belong in readable text: a line break, a tab, a
// control character, or one that is invisible and may hide or reorder others. Empty means that nothing is wrong. It reveals nothing
// of a secret.
func (f *Field) Fault() string {
	switch {
	case f.refused != "":
		return f.refused
	case f.HoldsSecret():
		return "this text contains " + f.held + ", which nobody else may see; take that out of the field"
	}
	for i, g := range f.text {
		why := f.invalid(g)
		switch {
		case why == "":
		case f.Secret:
			return "it contains an invisible character, such as a line break; type it again"
		default:
			return fmt.Sprintf("character %d is %s; delete it, or type the text again", i+1, why)
		}
	}
	return ""
}

// invalid names what is wrong with a grapheme; empty if nothing is. Joiners and selectors are part of some scripts and of emoji, so
// a text of several lines may hold them inside a visible grapheme.
func (f *Field) invalid(g string) string {
	first, n := utf8.DecodeRuneInString(g)
	for _, r := range g {
		inside := f.Multiline && n < len(g) && unicode.IsPrint(first) &&
			(unicode.Is(unicode.Join_Control, r) || unicode.Is(unicode.Variation_Selector, r))
		switch {
		case r == ' ', inside, f.Multiline && (r == '\n' || r == '\t'):
		case r == '\n':
			return "a line break"
		case r == '\t':
			return "a tab"
		case unicode.IsControl(r):
			return fmt.Sprintf("the control character U+%04X", r)
		case !unicode.IsPrint(r), printable.Invisible(r):
			return fmt.Sprintf("the invisible character U+%04X", r)
		}
	}
	return ""
}

func graphemes(s string) []string {
	var out []string
	for g := uniseg.NewGraphemes(s); g.Next(); {
		out = append(out, g.Str())
	}
	return out
}

// HoldsSecret reports whether the text holds a private key or a phrase, which must not go anywhere.
func (f *Field) HoldsSecret() bool { return f.Held() != "" }

// Held returns which secret that is, as the noun of a sentence; "" if there is none.
func (f *Field) Held() string {
	if f.Secret || f.Open && f.held == ledger.PhraseHeld {
		return ""
	}
	return f.held
}

// Select selects the whole text: what is typed next replaces it, a key that deletes deletes all of it, and a key that moves ends the
// selection.
func (f *Field) Select() { f.selected = len(f.text) > 0 }

// isText reports whether a key is text.
func isText(k tea.KeyMsg) bool { return k.Type == tea.KeyRunes && !k.Alt || k.Type == tea.KeySpace }

// Veil shows what is typed at the end from now on as dots, until a key edits the text: it may be meant for a later field, by a person who
// does not look at the screen. Unveil shows it.
func (f *Field) Veil() { f.veiling, f.pos = true, len(f.text) }

// Unveil shows what Veil hides.
func (f *Field) Unveil() { f.veiling, f.veil = false, 0 }

// Veiled reports whether a part of the text is shown as dots because of Veil.
func (f *Field) Veiled() bool { return f.veil > 0 }

// Key edits the text and reports whether it changed.
func (f *Field) Key(k tea.KeyMsg) (changed bool) {
	n := len(f.text)
	inVeil := f.pos > n-f.veil || f.veiling && f.pos == n
	f.veiling = f.veiling && isText(k)
	changed = f.edit(k)
	if more := len(f.text) - n; inVeil && (f.veiling || f.veil > 0) {
		f.veil = max(f.veil+more, 0)
	}
	f.veil = min(f.veil, len(f.text))
	return changed
}

// edit is Key without the dots.
func (f *Field) edit(k tea.KeyMsg) (changed bool) {
	if f.selected {
		f.selected = false
		switch k.String() {
		case "left", "right", "home", "end", "ctrl+a", "ctrl+e", "ctrl+b", "alt+b", "alt+f":
		case "backspace", "delete", "ctrl+d", "ctrl+u", "ctrl+w":
			f.Set("")
			return true
		default:
			if isText(k) {
				f.Set("")
			}
		}
	}
	if isText(k) {
		f.Insert(string(k.Runes))
		return true
	}
	n := len(f.text)
	switch k.String() {
	case "left", "ctrl+b":
		f.pos = max(f.pos-1, 0)
	case "right":
		f.pos = min(f.pos+1, n)
	case "home", "ctrl+a":
		f.pos, _ = f.line()
	case "end", "ctrl+e":
		_, f.pos = f.line()
	case "alt+b":
		f.pos = f.wordLeft()
	case "alt+f":
		f.pos = f.wordRight()
	case "backspace":
		f.cut(f.pos-1, f.pos)
	case "delete", "ctrl+d":
		f.cut(f.pos, f.pos+1)
	case "ctrl+u":
		begin, _ := f.line()
		f.cut(begin, f.pos)
	case "ctrl+w":
		f.cut(f.wordLeft(), f.pos)
	case "alt+enter", "ctrl+j":
		if f.Multiline {
			f.Insert("\n")
			return true
		}
	}
	return len(f.text) != n
}

// line returns where the line of the cursor begins and ends: the whole text, unless it is shown as rows.
func (f *Field) line() (begin, end int) {
	if !f.Rows {
		return 0, len(f.text)
	}
	return f.row()
}

// row returns where the row of the cursor begins and ends.
func (f *Field) row() (begin, end int) {
	begins, at := f.rowBounds()
	if at+1 < len(begins) {
		return begins[at], begins[at+1] - 1
	}
	return begins[at], len(f.text)
}

func (f *Field) cut(from, to int) {
	from, to = max(from, 0), min(to, len(f.text))
	if from < to {
		f.text = append(append([]string(nil), f.text[:from]...), f.text[to:]...)
		f.pos, f.held = from, ledger.SecretIn(f.Value())
	}
}

func (f *Field) wordLeft() int {
	i := f.pos
	for i > 0 && f.text[i-1] == " " {
		i--
	}
	for i > 0 && f.text[i-1] != " " {
		i--
	}
	return i
}

func (f *Field) wordRight() int {
	i := f.pos
	for i < len(f.text) && f.text[i] == " " {
		i++
	}
	for i < len(f.text) && f.text[i] != " " {
		i++
	}
	return i
}

// Line shows the text in w cells, with a steady cursor if live; a long text is scrolled so that the cursor is visible.
func (f *Field) Line(w int, live bool) canvas.Line {
	if w < 2 {
		return nil
	}
	first := f.first(w)
	var out canvas.Line
	used := 0
	for i := first; i <= len(f.text); i++ {
		g, style := " ", theme.Style{}
		if i < len(f.text) {
			g = f.shown(i)
			if f.invalid(f.text[i]) != "" && !f.Secret {
				style = theme.Of(theme.Danger)
			}
		}
		if f.selected && live && i < len(f.text) {
			style = style.On(theme.SelectBg)
		}
		if live && i == f.pos {
			style = style.With(theme.Reverse)
		}
		if used += canvas.Width(g); used > w {
			break
		}
		out = append(out, canvas.Span{Text: g, Style: style})
	}
	return out
}

// first returns the first grapheme to show so that the cursor fits.
func (f *Field) first(w int) int {
	first, used := f.pos, 1
	if f.pos < len(f.text) {
		used = canvas.Width(f.shown(f.pos))
	}
	for first > 0 {
		used += canvas.Width(f.shown(first - 1))
		if used > w {
			break
		}
		first--
	}
	return first
}

// shown returns how one grapheme of the text is shown. Pasted text may hold characters that a terminal acts on; they are shown as a
// mark.
func (f *Field) shown(i int) string {
	g := f.text[i]
	switch {
	case f.Secret, i >= len(f.text)-max(f.Dotted, f.veil), f.HoldsSecret() && f.Dotted == 0: // if the last ones are dotted, the key is in them
		return theme.SignDots
	case g == "\n":
		return "⏎"
	case g == "\t" && f.Multiline:
		return " "
	case canvas.Width(g) < 1 || canvas.Width(g) > 2 || f.invalid(g) != "":
		return "?"
	}
	for _, r := range g {
		if !unicode.IsPrint(r) {
			return "?"
		}
	}
	return g
}

// InvalidCharacter returns which character of a text does not belong in readable text, as a field of several lines would; empty if
// none. It is for text that was not typed into a field.
func InvalidCharacter(text string) string {
	if !utf8.ValidString(text) {
		return "it contains a byte that is not text; type the text again"
	}
	f := Field{Multiline: true}
	f.Set(text)
	return f.Fault()
}

// rowBounds returns the positions at which each row of the text begins, and the row of the cursor.
func (f *Field) rowBounds() (begins []int, at int) {
	begins = []int{0}
	for i, g := range f.text {
		if g == "\n" {
			begins = append(begins, i+1)
		}
	}
	for at = len(begins) - 1; begins[at] > f.pos; at-- {
	}
	return begins, at
}

// Row returns the row of the cursor in a text of several rows, from 0, and how many rows there are.
func (f *Field) Row() (at, rows int) {
	begins, at := f.rowBounds()
	return at, len(begins)
}

// GoToRow moves the cursor into a row, to the column that it has, or to the end of a shorter row.
func (f *Field) GoToRow(row int) {
	begins, at := f.rowBounds()
	row = max(min(row, len(begins)-1), 0)
	column := f.pos - begins[at]
	f.pos, f.selected = begins[row], false
	_, end := f.row()
	f.pos = min(f.pos+column, end)
}

// EndOfRow moves the cursor to the end of a row.
func (f *Field) EndOfRow(row int) {
	f.GoToRow(row)
	_, f.pos = f.row()
}

// RowLines shows the rows from first on, at most n of them, in w cells each; live shows the cursor.
func (f *Field) RowLines(first, n, w int, live bool) (out []canvas.Line) {
	begins, at := f.rowBounds()
	for row := first; row < min(first+n, len(begins)); row++ {
		end := len(f.text)
		if row+1 < len(begins) {
			end = begins[row+1] - 1
		}
		part := *f
		part.text, part.pos = f.text[begins[row]:end], max(min(f.pos, end)-begins[row], 0)
		if row != at {
			part.pos = 0
		}
		out = append(out, part.Line(w, live && row == at))
	}
	return out
}
