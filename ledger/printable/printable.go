// Package printable makes text that somebody else wrote safe for a terminal: names,
// memos, symbols, and what daemons say. What controls, hides or reorders the
// characters around it is written as its number. It is the only place that decides
// what that is; nothing is sent or stored in this form.
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

// maxMarks is how many combining marks one base may carry.
const maxMarks = 4

// Text returns one line that is safe to show. Control characters become \x1b,
// direction and invisible characters \u202e, other non-printing ones \u{e0001}; a line
// end or tab becomes a sign, and what piles more than four marks on one letter is cut
// with a sign. It is stable: cleaning twice gives the same.
func Text(text string) string { return clean(text, maxMarks) }

// Whole is Text for a file that programs read: nothing is cut.
func Whole(text string) string { return clean(text, math.MaxInt) }

// clean is text that is safe to show, with at most so many marks on a letter.
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

// plain finds text of printing ASCII characters, which is most.
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
	case r == '\n', r == '\t':
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

// Invisible reports what unicode.IsPrint lets through although it is not seen or
// changes the characters around it: variation selectors, joiners, fillers, tags,
// and the private use areas, which terminals may fill with icons.
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

// Lines is Text for text of several lines: line ends and tabs stay.
func Lines(text string) string { return lines(text, Text) }

// WholeLines is Whole for text of several lines: line ends and tabs stay.
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

// Short is Text with spaces for line ends, cut to at most limit bytes and a sign.
// Its result stays as it is when it is shortened again.
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

// Quote returns text that somebody else wrote as one line between quotes, with \" and \\ for what could end them or pass for an escape. Of
// more than most letters the rest is left out, and how many they are stands behind the quotes, where nobody else can write.
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

// longestWord is how many letters a word has at most that stands without quotes.
const longestWord = 128

// Word is Quote for what is usually a single word, such as an address: that stands as it is.
func Word(text string) string {
	if text == "" || len(text) > longestWord || strings.ContainsAny(text, " \"\\") || !plain(text) {
		return Quote(text, longestWord)
	}
	return text
}

// JSON returns the same JSON value with escapes in place of what is not safe to show.
// Text that is not UTF-8 becomes the sign for that.
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

// Writer cleans what is written to W, line by line. Each Write must hold whole
// characters, as those of package fmt do.
type Writer struct{ W io.Writer }

func (w Writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.W, Lines(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Clip shortens text that somebody else wrote and that an error quotes.
func Clip(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// Many is so many of something that has its plural with an s: "1 row", "2 rows".
func Many[N int | int64 | uint8 | uint16 | uint32 | uint64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
