package terminal

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Painter writes frames to a terminal at once, but only the lines that differ from the frame before. It does no harm if something
// else later writes the same frames there. A nil Painter paints nothing.
type Painter struct {
	out   *Output
	lines []string // of the frame on the screen; nil: not known
}

// NewPainter returns a Painter on out; nil if out is nil.
func NewPainter(out *Output) *Painter {
	if out == nil {
		return nil
	}
	return &Painter{out: out}
}

// Forget has the next frame painted in full.
func (p *Painter) Forget() {
	if p != nil {
		p.lines = nil
	}
}

// Paint paints a frame: lines as wide as the terminal, with newlines between them. Errors are ignored: bubbletea sees them too, when
// it writes.
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
