package linear

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// inWords puts words in place of the signs that the pages draw.
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

// words is a line of a page in words.
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

// aside is where the signs of text by others stand while the words of this program around it are put in order.
const aside = 0xf0000

// others is text by others as the pages draw it, between typographic quotes, each inner one behind a backslash. Its own quotes
// are plain ones here, and what is inside can neither end them nor be taken for a sign of this program.
func plainQuotes(text string) string {
	if text == theme.SignGutter {
		return ""
	}
	var out strings.Builder
	escaped := false
	text, short := strings.CutSuffix(text, theme.SignCut+"”")
	for _, r := range text {
		switch quote := r == '“' || r == '”'; {
		case escaped && quote: // no quote of ours
			escaped = false
			out.WriteRune(aside + r)
		case escaped: // a backslash behind a backslash, or a sign that is written so
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

// apart puts a sign aside; letters and digits stay.
func setAside(r rune) rune {
	switch {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return r
	case r <= 0xffff:
		return aside + r
	case r >= aside: // it cannot be told from one that was put aside
		return unicode.ReplacementChar
	}
	return r
}

// back brings what was put aside back.
func restore(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= aside && r <= aside+0xffff {
			return r - aside
		}
		return r
	}, text)
}

// inAll is a text of this program, with text by others in it, in words.
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

// ascii writes letters that are not ASCII as their numbers.
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
