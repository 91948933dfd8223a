package terminal

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/signal"

	"golang.org/x/term"
)

// longestLine is more than anybody types, in bytes.
const longestLine = 1 << 16

// Lines reads what a person types, line by line, without taking the terminal: only while a secret is typed it
// shows nothing. From a pipe secrets are lines.
type Lines struct {
	file *os.File
	read *bufio.Reader
	away func() // is done once the program goes on after ctrl+z at a prompt
	back func() // is done then at a prompt that is shown
}

// WhenBack has away done once the program goes on after ctrl+z at a prompt, and then back, which puts the prompt again, unless that is
// of a secret.
func (l *Lines) WhenBack(away, back func()) { l.away, l.back = away, back }

// StandardLines are those of standard input.
func StandardLines() *Lines {
	return &Lines{file: os.Stdin, read: bufio.NewReaderSize(os.Stdin, longestLine), away: func() {}, back: func() {}}
}

// IsTerminal reports whether a person types, and sees what is typed.
func (l *Lines) IsTerminal() bool { return term.IsTerminal(int(l.file.Fd())) }

// Line reads a line. It ends with ctx.
func (l *Lines) Line(ctx context.Context) (string, error) {
	return await(ctx, l.line, func() { l.away(); l.back() })
}

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
	return read > 0 || len(more) > 0, err
}

// Ahead reports whether a line waits that was typed before now, and shown where it was typed.
func (l *Lines) Ahead() bool { return l.IsTerminal() && (l.read.Buffered() > 0 || waits(l.file)) }

// Unseen has the terminal show nothing of what is typed until heard is called, which drops it. From a pipe every line counts.
func (l *Lines) Unseen() (heard func()) {
	if !l.IsTerminal() {
		return func() {}
	}
	restore, _, err := quiet(int(l.file.Fd()))
	if err != nil {
		return func() {}
	}
	return func() { restore(true) }
}

// Secret reads a line that is not shown. ask is called when nothing is shown any more: whoever is faster than
// that would be seen typing.
func (l *Lines) Secret(ctx context.Context, ask func()) (string, error) {
	if !l.IsTerminal() {
		ask()
		return l.Line(ctx)
	}
	return secret(ctx, l.file, ask, l.away)
}

// Secret reads a line from a terminal that shows nothing of it. ask is called when nothing is shown any more, and again after
// ctrl+z. Where ctx ends first, what was typed of the secret is dropped: a shell would take it for a command, and keep it.
func Secret(ctx context.Context, file *os.File, ask func()) (string, error) {
	return secret(ctx, file, ask, func() {})
}

func secret(ctx context.Context, file *os.File, ask, away func()) (string, error) {
	restore, again, err := quiet(int(file.Fd()))
	if err != nil {
		return "", err
	}
	ask()
	read := func() (string, error) { return unseen(file, longestLine) }
	text, err := await(ctx, read, func() { again(); away(); ask() })
	restore(ctx.Err() != nil)
	return text, err
}

// await ends with ctx; what is being read then ends with the process. back is done once the program goes on after
// ctrl+z.
func await(ctx context.Context, read func() (string, error), back func()) (string, error) {
	type typed struct {
		line string
		err  error
	}
	done := make(chan typed, 1)
	go func() {
		line, err := read()
		done <- typed{line, err}
	}()
	goesOn := make(chan os.Signal, 1)
	notifyBack(goesOn)
	defer signal.Stop(goesOn)
	for {
		select {
		case got := <-done:
			return got.line, got.err
		case <-ctx.Done():
			return "", ctx.Err()
		case <-goesOn:
			back()
		}
	}
}

// IsDumb reports whether the terminal says of itself that it shows lines alone.
func IsDumb() bool { return os.Getenv("TERM") == "dumb" }
