package main

import (
	"io"
	"os"
	"strings"

	"billfold/tui/widget/canvas"

	"golang.org/x/term"
)

// The columns of a description: two spaces, a label, and a text.
const (
	labelWidth = 15
	minWidth   = 40 // terminals with fewer columns get unbroken lines
)

// writeColumns writes a description. At a terminal, continuation lines are indented to the column of the text: at the left edge, a text
// that others chose could look like a line of this program.
func writeColumns(out io.Writer, text string) error {
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width >= minWidth {
		text = wrapColumns(text, width)
	}
	_, err := io.WriteString(out, text)
	return err
}

// wrapColumns wraps the lines of a description at words, so that none is wider than w.
func wrapColumns(text string, w int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(strings.TrimSuffix(line, "\n"), " ")
		for before := len(line) - len(strings.TrimLeft(line, " ")); ; before = labelWidth + 2 {
			head := canvas.Text(rest).Wrap(w - before)[0].String()
			out.WriteString(strings.Repeat(" ", before) + head + "\n")
			if rest = strings.TrimLeft(strings.TrimPrefix(rest, head), " "); rest == "" {
				break
			}
		}
	}
	return out.String()
}
