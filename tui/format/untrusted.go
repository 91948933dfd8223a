package format

import (
	"strings"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// Quote shows text by others in one row of at most w cells: “rent nov…”. It
// may be shortened, because the whole text is always one key away.
func Quote(text string, w int) canvas.Line {
	return canvas.In(theme.Untrusted, "“"+canvas.Cut(Clean(escaped(text)), max(w-2, 1))+"”")
}

// escaped writes what text by others could end its quotes with, or pass off as an escape, with a backslash before it;
// a tab is \t.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, "“", `\“`, "”", `\”`, "\t", `\t`).Replace(text)
}

// Gutter shows text by others whole, in rows of at most w cells, each behind the
// gutter: ▏“first row
//
//	▏second row”
//
// Line ends in the text are real ones here.
func Gutter(text string, w int) []canvas.Line {
	var rows []canvas.Line
	parts := strings.Split(escaped(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
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
