package format

import (
	"regexp"
	"strings"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// amountPattern finds amounts in a sentence or a command: digits before a symbol or an asset's id. Digits after a colon are a time.
var amountPattern = regexp.MustCompile(`(?:^|[^0-9:.,])([0-9][0-9,]*(?:\.[0-9]+)?)(?: |", ?")(?:[A-Z][A-Z0-9.]{2}|1\.3\.[0-9])`)

// Masked shows a sentence that was written earlier, such as a notice: while amounts are hidden, those in it are too.
func (m Money) Masked(l canvas.Line) canvas.Line {
	if !m.Hidden {
		return l
	}
	var out canvas.Line
	found, from := amountPattern.FindAllStringSubmatchIndex(l.String(), -1), 0
	for _, s := range l {
		var text strings.Builder
		for i := range len(s.Text) {
			switch at := from + i; {
			case len(found) > 0 && at == found[0][2]:
				text.WriteString(strings.Repeat(theme.SignDots, hiddenDigits))
			case len(found) == 0 || at < found[0][2]:
				text.WriteByte(s.Text[i])
			}
			if len(found) > 0 && from+i+1 == found[0][3] {
				found = found[1:]
			}
		}
		from += len(s.Text)
		out = append(out, canvas.Span{Text: text.String(), Style: s.Style})
	}
	return out
}
