package terminal

import (
	"bytes"
	"os"
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
