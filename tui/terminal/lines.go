package terminal

import (
	"bufio"
	"context"
	"errors"
	"os"

	"golang.org/x/term"
)

// longestLine is more than anybody types, in bytes.
const longestLine = 1 << 16

// Lines reads what a person types, line by line, without taking the terminal: only while a secret is typed it
// shows nothing. From a pipe secrets are lines.
type Lines struct {
	file *os.File
	read *bufio.Reader
}

// StandardLines are those of standard input.
func StandardLines() *Lines {
	return &Lines{os.Stdin, bufio.NewReaderSize(os.Stdin, longestLine)}
}

// IsTerminal reports whether a person types, and sees what is typed.
func (l *Lines) IsTerminal() bool { return term.IsTerminal(int(l.file.Fd())) }

// Line reads a line. It ends with ctx.
func (l *Lines) Line(ctx context.Context) (string, error) { return await(ctx, l.line) }

func (l *Lines) line() (string, error) {
	line, more, err := l.read.ReadLine()
	if more {
		for more && err == nil { // its rest is no line of its own
			_, more, err = l.read.ReadLine()
		}
		return "", errors.Join(bufio.ErrTooLong, err)
	}
	return string(line), err
}

// Fresh drops what a person typed or pasted and nobody read, and reports whether there was any: what is asked next is
// answered by what is typed from now on. From a pipe every line counts.
func (l *Lines) Fresh(ctx context.Context) (dropped bool, err error) {
	if !l.IsTerminal() {
		return false, nil
	}
	read, _ := l.read.Discard(l.read.Buffered())
	more, err := Drain(ctx, l.file)
	return read > 0 || more, err
}

// Ahead reports whether a line waits that was typed before now, and shown where it was typed.
func (l *Lines) Ahead() bool { return l.IsTerminal() && (l.read.Buffered() > 0 || waits(l.file)) }

// Secret reads a line that is not shown. ask is called when nothing is shown any more: whoever is faster than
// that would be seen typing.
func (l *Lines) Secret(ctx context.Context, ask func()) (string, error) {
	if !l.IsTerminal() {
		ask()
		return l.Line(ctx)
	}
	return Secret(ctx, l.file, ask)
}

// Secret reads a line from a terminal that shows nothing of it. ask is called when nothing is shown any more. Where ctx ends
// first, what was typed of the secret is dropped: a shell would take it for a command, and keep it.
func Secret(ctx context.Context, file *os.File, ask func()) (string, error) {
	restore, err := quiet(int(file.Fd()))
	if err != nil {
		return "", err
	}
	ask()
	text, err := await(ctx, func() (string, error) { return unseen(file, longestLine) })
	restore(ctx.Err() != nil)
	return text, err
}

// await ends with ctx; what is being read then ends with the process.
func await(ctx context.Context, read func() (string, error)) (string, error) {
	type typed struct {
		line string
		err  error
	}
	done := make(chan typed, 1)
	go func() {
		line, err := read()
		done <- typed{line, err}
	}()
	select {
	case got := <-done:
		return got.line, got.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// IsDumb reports whether the terminal says of itself that it shows lines alone.
func IsDumb() bool { return os.Getenv("TERM") == "dumb" }
