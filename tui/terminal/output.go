package terminal

import (
	"bytes"
	"os"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// Output is a terminal that frames and copied text are written to, one after the other, whoever writes them; its cursor, which is not
// shown, then goes back to the caret. It is safe for concurrent use.
type Output struct {
	*os.File
	mu    sync.Mutex
	caret *Caret
}

// Standard returns the terminal on standard output.
func Standard() *Output { return &Output{File: os.Stdout} }

// Write writes p without anything in between. What leaves the screen of the UI has no caret any more.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if bytes.Contains(p, []byte(ansi.ResetMode(ansi.ModeAltScreenSaveCursor))) {
		o.caret = nil
	}
	if o.caret == nil {
		return o.File.Write(p)
	}
	n, err := o.File.Write(append(bytes.Clone(p), ansi.CursorPosition(o.caret.X+1, o.caret.Y+1)...))
	return min(n, len(p)), err
}

// place sets the caret and reports whether it is another one.
func (o *Output) place(caret *Caret) (moved bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	moved = caret != nil && (o.caret == nil || *o.caret != *caret)
	o.caret = caret
	return moved
}

// Copy asks the terminal to put text on the clipboard (OSC 52); empty text clears it. Terminals do not report whether they did.
func (o *Output) Copy(text string) error {
	_, err := o.Write([]byte(ansi.SetSystemClipboard(text)))
	return err
}

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
