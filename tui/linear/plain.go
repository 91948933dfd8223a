package linear

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// signWords replaces the symbols that the pages draw with words.
var signWords = strings.NewReplacer(
	"▲ ", "warning: ", "▲", "warning", "✓ ", "", "✗ ", "", "● ", "", "○ ", "", "◐ ", "", "▒ ", "", " ▒", "", "▏", "",
	" → ", " to ", "→", "to", " ← ", " from ", "←", "from", "›", ">", "…", "...", " · ", ", ", "·", ",", "–", "-", "−", "-",
	"•", "*", "↵", "enter", "⏎", `\n`, "✓", "yes", "✗", "no", "●", "on", "○", "off", "◐", "working", "“", `"`, "”", `"`,
)

var (
	columnGap     = regexp.MustCompile(`\s*,?\s{2,},?\s*`)
	groupedNumber = regexp.MustCompile(`\d{1,3}(,\d{3})+\b`)
	approximate   = regexp.MustCompile(`~(\d)`)
	blockSign     = regexp.MustCompile(`\x23(\d)`)
	hiddenDots    = regexp.MustCompile(`\*{14,}`)
)

// lineText returns a line of a page as plain text, with words in place of symbols.
func lineText(l canvas.Line, utf8 bool) string {
	var out strings.Builder
	for _, s := range l {
		t := s.Text
		if s.Style.Fg == theme.Untrusted {
			t = plainQuotes(t)
		}
		out.WriteString(t)
	}
	return plainText(out.String(), utf8)
}

// aside is the offset at which the symbols in text by others are kept while those of this program are replaced.
const aside = 0xf0000

// plainQuotes takes text by others as the pages draw it, between typographic quotes and with inner ones escaped, and
// puts plain quotes around it. What is inside can neither end the quotes nor be mistaken for a symbol of this
// program.
func plainQuotes(text string) string {
	if text == theme.SignGutter {
		return ""
	}
	var out strings.Builder
	escaped := false
	text, short := strings.CutSuffix(text, theme.SignCut+"”")
	for _, r := range text {
		switch quote := r == '“' || r == '”'; {
		case escaped && quote: // an escaped quote belongs to the text
			escaped = false
			out.WriteRune(aside + r)
		case escaped: // an escaped backslash, or an escaped symbol
			escaped = false
			out.WriteString(string(rune(aside+'\\')) + string(setAside(r)))
		case r == '\\':
			escaped = true
		case quote:
			out.WriteRune(aside + '"')
		case r == '"':
			out.WriteString(string(rune(aside+'\\')) + string(rune(aside+'"')))
		default:
			out.WriteRune(setAside(r))
		}
	}
	if short {
		out.WriteString(`..."`)
	}
	return out.String()
}

// setAside moves a symbol out of the reach of signWords; letters and digits stay.
func setAside(r rune) rune {
	switch {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return r
	case r <= 0xffff:
		return aside + r
	case r >= aside: // restore could not tell it from a moved one
		return unicode.ReplacementChar
	}
	return r
}

// restore moves back what setAside moved.
func restore(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= aside && r <= aside+0xffff {
			return r - aside
		}
		return r
	}, text)
}

// plainText returns text of this program, which may contain quoted text by others, with words in place of symbols.
func plainText(text string, utf8 bool) string {
	text = signWords.Replace(text)
	text = columnGap.ReplaceAllString(strings.Trim(text, " "), ", ")
	text = groupedNumber.ReplaceAllStringFunc(text, func(n string) string { return strings.ReplaceAll(n, ",", "") })
	text = approximate.ReplaceAllString(text, "about $1")
	text = blockSign.ReplaceAllString(text, "$1")
	text = hiddenDots.ReplaceAllString(text, "hidden")
	text = restore(text)
	if utf8 {
		return text
	}
	return ascii(text)
}

// ascii escapes letters that are not ASCII by their code point.
func ascii(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r >= ' ' && r <= '~':
			out.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			fmt.Fprintf(&out, `\u{%x}`, r)
		}
	}
	return out.String()
}
