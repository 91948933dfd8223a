package show

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks one base may carry.
const maxMarks = 4

// Clean makes text that somebody else wrote safe for a terminal: control
// characters become \x1b, direction and invisible characters \u202e, other
// non-printing ones \u{e0001}; a line end or tab becomes a sign, and what
// piles more than four marks on one letter is cut with a sign. The result has
// no character that moves, hides or reorders anything. It is stable: cleaning
// twice gives the same.
func Clean(text string) string {
	var out strings.Builder
	marks := 0
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		if unicode.Is(unicode.M, r) && !Invisible(r) {
			marks++
		} else {
			marks = 0
		}
		if marks == maxMarks+1 {
			out.WriteString("…")
		}
		if marks <= maxMarks {
			out.WriteString(cleanRune(r, text[:n]))
		}
		text = text[n:]
	}
	return out.String()
}

func cleanRune(r rune, raw string) string {
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

// Invisible finds what IsPrint lets through or what changes the characters
// around it: variation selectors, joiners, fillers, tags, and the private use
// areas, which terminals may fill with icons.
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
