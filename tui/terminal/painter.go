package terminal

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Painter writes frames to a terminal at once, as far as they differ from the one before. Whoever else writes the same frames
// there, later, does no harm. A nil Painter paints nothing.
type Painter struct {
	out   *Output
	lines []string // of the frame that is on the screen; nil = it is not known what is
}

// NewPainter paints on out; nil where that is none.
func NewPainter(out *Output) *Painter {
	if out == nil {
		return nil
	}
	return &Painter{out: out}
}

// Forget has the next frame painted whole.
func (p *Painter) Forget() {
	if p != nil {
		p.lines = nil
	}
}

// Paint paints a frame, lines as wide as the terminal with a newline between them. A terminal that cannot be written to shows
// itself to bubbletea as well.
func (p *Painter) Paint(frame string) {
	if p == nil {
		return
	}
	lines := strings.Split(frame, "\n")
	var buf bytes.Buffer
	for i, line := range lines {
		if i >= len(p.lines) || p.lines[i] != line {
			buf.WriteString(ansi.CursorPosition(1, i+1))
			buf.WriteString(line)
		}
	}
	if p.lines = lines; buf.Len() > 0 {
		_, _ = p.out.Write(buf.Bytes())
	}
}
