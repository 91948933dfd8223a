package terminal

import (
	"os"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// Output is a terminal that frames and copied text are written to, one after the other. It is safe for concurrent use.
type Output struct {
	*os.File
	mu sync.Mutex
}

// Standard returns the terminal on standard output.
func Standard() *Output { return &Output{File: os.Stdout} }

// Write writes p without anything in between.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.File.Write(p)
}

// Copy asks the terminal to put text on the clipboard (OSC 52); empty text clears it. Terminals do not report whether they did.
func (o *Output) Copy(text string) error {
	_, err := o.Write([]byte(ansi.SetSystemClipboard(text)))
	return err
}
