package terminal

import (
	"os"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// Output is a terminal that frames and copied text are written to, one after the
// other.
type Output struct {
	*os.File
	mu sync.Mutex
}

// Standard is the terminal on standard output.
func Standard() *Output { return &Output{File: os.Stdout} }

// Write writes a whole piece.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.File.Write(p)
}

// Copy asks the terminal to put text on the clipboard (OSC 52); empty text empties it.
// Terminals do not answer whether they did.
func (o *Output) Copy(text string) error {
	_, err := o.Write([]byte(ansi.SetSystemClipboard(text)))
	return err
}
