// Package printable makes text that somebody else wrote safe for a terminal: names,
// memos, symbols and answers of daemons. Characters that control, hide or reorder
// those around them are replaced by their numbers. Only this package decides which
// characters those are; nothing is sent or stored in this form.
package printable

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxMarks is the maximum number of combining marks on a letter.
const maxMarks = 4

// Text returns one line that is safe to show. Control characters become \x1b,
// direction and invisible characters \u202e, other non-printing ones \u{e0001}. A line
// end becomes ⏎, a tab ⇥, and marks beyond the fourth on one letter become an ellipsis.
// Cleaning the result again changes nothing.
func Text(text string) string { return clean(text, maxMarks) }

// Whole is Text for a file that programs read: nothing is cut.
func Whole(text string) string { return clean(text, math.MaxInt) }

// clean returns text that is safe to show, with at most most marks on a letter.
func clean(text string, most int) string {
	if plain(text) {
		return text
	}
	var out strings.Builder
	marks := 0
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		if unicode.Is(unicode.M, r) && !Invisible(r) {
			marks++
		} else {
			marks = 0
		}
		if marks-1 == most {
			out.WriteString("…")
		}
		if marks <= most {
			out.WriteString(safe(r, text[:n]))
		}
		text = text[n:]
	}
	return out.String()
}

// plain reports whether the text consists of printable ASCII characters, as most does.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func safe(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == '\t':
		return "⇥"
	case r == '\n':
		return "⏎"
	case unicode.IsControl(r):
		return fmt.Sprintf(`\x%02x`, r)
	case !Invisible(r) && unicode.IsPrint(r):
		return raw
	case r == '\u00a0', r == '\u3000':
		return " "
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\u{%x}`, r)
}

// Invisible reports whether r is invisible or changes the characters around it, some of
// which unicode.IsPrint accepts: variation selectors, joiners, fillers, tags, and the
// private use areas, which terminals may fill with icons.
func Invisible(r rune) bool {
	switch {
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef, r >= 0xe0000 && r <= 0xe007f:
		return true
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0, r == 0x2800:
		return true
	case r >= 0x180b && r <= 0x180f:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
}

// Lines is Text for text of several lines: it keeps line ends and tabs.
func Lines(text string) string { return lines(text, Text) }

// WholeLines is Whole for text of several lines: it keeps line ends and tabs.
func WholeLines(text string) string { return lines(text, Whole) }

func lines(text string, one func(string) string) string {
	if plain(text) {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		end := strings.IndexAny(text, "\n\t")
		if end < 0 {
			out.WriteString(one(text))
			break
		}
		out.WriteString(one(text[:end]))
		out.WriteByte(text[end])
		text = text[end+1:]
	}
	return out.String()
}

// Short is Text with spaces for line ends, cut to at most limit bytes and an ellipsis.
// Shortening the result again changes nothing.
func Short(text string, limit int) string {
	text = Text(strings.Join(strings.Fields(text), " "))
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return strings.TrimRight(strings.TrimSuffix(text[:limit], "…"), " ") + "…"
}

// Quote returns text that somebody else wrote as one line in quotes, with \" and \\ for what could end the quotes or pass
// for an escape. Characters beyond most are left out; their number follows the closing quote, where nobody else can write.
func Quote(text string, most int) string {
	rest := 0
	if letters := []rune(text); len(letters) > most {
		text, rest = string(letters[:most]), len(letters)-most
	}
	text = `"` + Text(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)) + `"`
	if rest > 0 {
		text += " and " + Many(rest, "more character")
	}
	return text
}

// longestWord is the length in bytes up to which a word needs no quotes.
const longestWord = 128

// Word is Quote for text that is usually a single word, such as an address: a plain word gets no quotes.
func Word(text string) string {
	if text == "" || len(text) > longestWord || strings.ContainsAny(text, " \"\\") || !plain(text) {
		return Quote(text, longestWord)
	}
	return text
}

// JSON returns the same JSON value with escapes for what is not safe to show. Bytes
// that are not UTF-8 become U+FFFD.
func JSON(value []byte) []byte {
	if plain(string(value)) {
		return value
	}
	out := make([]byte, 0, len(value)+len(value)/8)
	for i := 0; i < len(value); {
		r, n := utf8.DecodeRune(value[i:])
		switch {
		case r == '\n' || r == '\t' || r == '\r': // between values; strings hold none
			out = append(out, value[i])
		case r == utf8.RuneError && n == 1, Invisible(r), !unicode.IsPrint(r):
			out = appendEscape(out, r)
		default:
			out = append(out, value[i:i+n]...)
		}
		i += n
	}
	return out
}

func appendEscape(out []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}

// Writer cleans what is written to W, line by line. Each Write must contain only
// whole characters, as those of package fmt do.
type Writer struct{ W io.Writer }

func (w Writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.W, Lines(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Clip shortens text that somebody else wrote, for an error that quotes it.
func Clip(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// Many returns a count with its noun, which takes an s in the plural: "1 row", "2 rows".
func Many[N int | int64 | uint8 | uint16 | uint32 | uint64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Were is Many with the verb of what was done to them: "1 payment was", "2 payments were".
func Were(n int, what string) string { return Many(n, what) + was(n == 1) }

// PartWere is Were for a part of a whole: "1 of 2 payments was", "2 of 2 payments were".
func PartWere(part, whole int, what string) string {
	return fmt.Sprintf("%d of %s%s", part, Many(whole, what), was(part == 1 || whole == 1))
}

// LinesWere returns the lines of a file, such as "line 2" or "lines 2 to 5, line 9", with a verb.
func LinesWere(lines string) string {
	return lines + was(strings.HasPrefix(lines, "line ") && !strings.Contains(lines, ","))
}

func was(one bool) string {
	if one {
		return " was"
	}
	return " were"
}

// Size returns a number of bytes for people, in the megabytes of the ledger, rounded down.
func Size(bytes uint64) string {
	if bytes < 1<<20 {
		return Many(bytes, "byte")
	}
	return fmt.Sprintf("%d.%d MB", bytes>>20, bytes&(1<<20-1)*10>>20)
}

// SizeUp is Size, rounded up: so much must there be.
func SizeUp(bytes uint64) string {
	const tenth = 1 << 20 / 10
	if bytes < 1<<20 {
		return Size(bytes)
	}
	return Size(bytes + tenth)
}
