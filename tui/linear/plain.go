package linear

import (
	"fmt"
	"regexp"
	"strings"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// What text by others keeps as it is, while the words of this program around it are put in order. The text
// itself holds none of these bytes: it was cleaned.
var (
	keep = strings.NewReplacer(" ", "\x01", ",", "\x02", "~", "\x03", "\u0023", "\x04", "*", "\x05", "·", "\x06")
	kept = strings.NewReplacer("\x01", " ", "\x02", ",", "\x03", "~", "\x04", "\u0023", "\x05", "*", "\x06", "·")
)

// inWords puts words in place of the signs that the pages draw.
var inWords = strings.NewReplacer(
	"▲ ", "warning: ", "▲", "warning", "✓ ", "", "✗ ", "", "● ", "", "○ ", "", "◐ ", "", "▒ ", "", " ▒", "", "▏", "",
	" → ", " to ", "→", "to", " ← ", " from ", "←", "from", "›", ">", "…", "...", " · ", ", ", "·", ",", "–", "-", "−", "-",
	"•", "*", "↵", "enter", "⏎", `\n`, "✓", "yes", "✗", "no", "●", "on", "○", "off", "◐", "working", "“", `"`, "”", `"`,
)

var (
	columns = regexp.MustCompile(`\s*,?\s{2,},?\s*`)
	grouped = regexp.MustCompile(`\d{1,3}(,\d{3})+\b`)
	about   = regexp.MustCompile(`~(\d)`)
	block   = regexp.MustCompile(`\x23(\d)`)
	dots    = regexp.MustCompile(`\*{14,}`)
)

// words is a line of a page in words.
func words(l canvas.Line, utf8 bool) string {
	var out strings.Builder
	for _, s := range l {
		t := s.Text
		if s.Style.Fg == theme.Untrusted {
			t = keep.Replace(t)
		}
		out.WriteString(t)
	}
	return inAll(out.String(), utf8)
}

// inAll is a text of this program, with text by others in it, in words.
func inAll(text string, utf8 bool) string {
	text = inWords.Replace(text)
	text = columns.ReplaceAllString(strings.Trim(text, " "), ", ")
	text = grouped.ReplaceAllStringFunc(text, func(n string) string { return strings.ReplaceAll(n, ",", "") })
	text = about.ReplaceAllString(text, "about $1")
	text = block.ReplaceAllString(text, "$1")
	text = dots.ReplaceAllString(text, "hidden")
	text = kept.Replace(text)
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
