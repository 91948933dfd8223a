package format

import (
	"strings"

	"billfold/ledger/printable"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// Clean makes text that somebody else wrote safe for one row of the screen: nothing in it moves, hides or reorders anything.
func Clean(text string) string { return printable.Text(text) }

// Caller names the program that asked something over RPC: by its token, or as one without.
func Caller(who string) string {
	if who == "anybody" {
		return "a program without a token"
	}
	return Clean(who)
}

// Quote shows text by others in one row of at most w cells: “rent nov…”. It may be shortened, because one key always shows the whole
// text.
func Quote(text string, w int) canvas.Line {
	return canvas.In(theme.Untrusted, "“"+canvas.Cut(Clean(escape(text)), max(w-2, 1))+"”")
}

// escape writes a backslash before characters with which text by others could end its quotes or fake an escape; a tab becomes \t.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, "“", `\“`, "”", `\”`, "\t", `\t`).Replace(text)
}

// Gutter shows text by others in full, in rows of at most w cells, each after the
// gutter: ▏“first row
//
//	▏second row”
//
// Line breaks in the text are shown as line breaks.
func Gutter(text string, w int) []canvas.Line {
	var rows []canvas.Line
	parts := strings.Split(escape(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
	for i, p := range parts {
		p = Clean(p)
		if i == 0 {
			p = "“" + p
		}
		if i == len(parts)-1 {
			p += "”"
		}
		for _, l := range canvas.In(theme.Untrusted, p).Wrap(max(w-1, 2)) {
			rows = append(rows, canvas.Join(canvas.In(theme.Untrusted, theme.SignGutter), l))
		}
	}
	return rows
}
