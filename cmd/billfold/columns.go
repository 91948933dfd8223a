package main

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"billfold/tui/widget/canvas"
)

// The columns of a description: two spaces, a label, and what it says.
const (
	besideLabel = 15
	fewest      = 40 // columns, below which nothing is gained by breaking lines
)

// writeColumns writes a description. At a terminal what goes on in the next line stands under what it goes on from: at the left edge it
// could be taken for a line of this program, and others choose where it breaks.
func writeColumns(out io.Writer, text string) error {
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width >= fewest {
		text = inColumns(text, width)
	}
	_, err := io.WriteString(out, text)
	return err
}

// inColumns breaks the lines of a description at words, so that none is wider than w.
func inColumns(text string, w int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		said := strings.TrimLeft(strings.TrimSuffix(line, "\n"), " ")
		for before := len(line) - len(strings.TrimLeft(line, " ")); ; before = besideLabel + 2 {
			head := canvas.Text(said).Wrap(w - before)[0].String()
			out.WriteString(strings.Repeat(" ", before) + head + "\n")
			if said = strings.TrimLeft(strings.TrimPrefix(said, head), " "); said == "" {
				break
			}
		}
	}
	return out.String()
}
