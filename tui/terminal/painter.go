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

// Caret is the cell in which what is typed next appears, from 0,0; nil: nothing is being typed.
type Caret struct{ X, Y int }

// Paint paints a frame: lines as wide as the terminal, with newlines between them. It leaves the terminal's own cursor at the caret, for
// whatever follows that cursor: input methods, magnifiers. Errors are ignored: bubbletea sees them too, when it writes.
func (p *Painter) Paint(frame string, caret *Caret) {
	if p == nil {
		return
	}
	moved := p.out.place(caret)
	lines := strings.Split(frame, "\n")
	var buf bytes.Buffer
	for i, line := range lines {
		if i >= len(p.lines) || p.lines[i] != line {
			buf.WriteString(ansi.CursorPosition(1, i+1))
			buf.WriteString(line)
		}
	}
	if p.lines = lines; buf.Len() > 0 || moved {
		_, _ = p.out.Write(buf.Bytes())
	}
}
