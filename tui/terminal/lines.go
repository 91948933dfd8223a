package terminal

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"billfold/ledger/usertext"

	"golang.org/x/term"
)

// maxLine is the longest line that is read, in bytes: more than anybody types.
const maxLine = 1 << 16

// Lines reads what a person types, line by line, without taking over the terminal: echo is off only while a secret is typed. From a
// pipe, secrets are ordinary lines.
type Lines struct {
	file     *os.File
	read     *bufio.Reader
	ahead    []string // lines that were read as part of another
	begun    bool     // a line was read
	onResume func()   // called when the program resumes after ctrl+z at a prompt
	reprompt func()   // called after that at the prompt of a line that is shown
}

// OnResume sets what is called when the program resumes after ctrl+z at a prompt: resumed, and then reprompt, which prints the
// prompt again, unless the prompt is for a secret.
func (l *Lines) OnResume(resumed, reprompt func()) { l.onResume, l.reprompt = resumed, reprompt }

// StandardLines returns the Lines of standard input.
func StandardLines() *Lines {
	return &Lines{file: os.Stdin, read: bufio.NewReaderSize(os.Stdin, maxLine), onResume: func() {}, reprompt: func() {}}
}

// IsTerminal reports whether a person types, and sees what is typed.
func (l *Lines) IsTerminal() bool { return term.IsTerminal(int(l.file.Fd())) }

// Line reads a line. It returns early when ctx ends.
func (l *Lines) Line(ctx context.Context) (string, error) {
	return awaitLine(ctx, l.line, func() { l.onResume(); l.reprompt() })
}

func (l *Lines) line() (string, error) {
	if len(l.ahead) > 0 {
		line := l.ahead[0]
		l.ahead = l.ahead[1:]
		return line, nil
	}
	line, more, err := l.read.ReadLine()
	if more {
		for more && err == nil { // the rest of a line that is too long is not another line
			_, more, err = l.read.ReadLine()
		}
		return "", errors.Join(bufio.ErrTooLong, err)
	}
	first := !l.begun
	l.begun = true
	if first && !l.IsTerminal() {
		if _, wrong := usertext.DecodeLine(string(line)); wrong != nil {
			return "", fmt.Errorf("standard input: %w", wrong)
		}
	}
	if parts := slices.Collect(usertext.Lines(string(line))); len(parts) > 1 { // a carriage return alone ends a line, too
		l.ahead = parts[1:]
		return parts[0], err
	}
	return string(bytes.TrimRight(line, "\r")), err
}

// DropTyped drops what was typed or pasted and not read yet, and reports whether there was any: only what is typed from now on
// answers the next question. From a pipe every line counts.
func (l *Lines) DropTyped(ctx context.Context) (dropped bool, err error) {
	if !l.IsTerminal() {
		return false, nil
	}
	read, _ := l.read.Discard(l.read.Buffered())
	l.ahead = nil
	more, err := Drain(ctx, l.file)
	return read > 0 || len(more) > 0, err
}

// TypedAhead reports whether there is input that was typed, and shown on the terminal, before now.
func (l *Lines) TypedAhead() bool {
	return l.IsTerminal() && (l.read.Buffered() > 0 || hasInput(l.file))
}

// NoEcho has the terminal show nothing of what is typed until restore is called, which drops it. From a pipe every line counts.
func (l *Lines) NoEcho() (restore func()) {
	if !l.IsTerminal() {
		return func() {}
	}
	undo, _, err := disableEcho(int(l.file.Fd()))
	if err != nil {
		return func() {}
	}
	return func() { undo(true) }
}

// Secret reads a line that is not shown. ask is called once echo is off: what was typed before that would be seen.
func (l *Lines) Secret(ctx context.Context, ask func()) (string, error) {
	if !l.IsTerminal() {
		ask()
		return l.Line(ctx)
	}
	return secret(ctx, l.file, ask, l.onResume)
}

// Secret reads a line from a terminal that shows nothing of it. ask is called once echo is off, and again after ctrl+z. If ctx ends
// first, what was typed of the secret is dropped: otherwise a shell would take it for a command and keep it.
func Secret(ctx context.Context, file *os.File, ask func()) (string, error) {
	return secret(ctx, file, ask, func() {})
}

func secret(ctx context.Context, file *os.File, ask, resumed func()) (string, error) {
	restore, again, err := disableEcho(int(file.Fd()))
	if err != nil {
		return "", err
	}
	ask()
	read := func() (string, error) { return readHidden(file, maxLine) }
	text, err := awaitLine(ctx, read, func() { again(); resumed(); ask() })
	restore(ctx.Err() != nil)
	return text, err
}

// awaitLine waits for read, or until ctx ends; the goroutine that reads then stays until the process ends. resumed is called when
// the program resumes after ctrl+z.
func awaitLine(ctx context.Context, read func() (string, error), resumed func()) (string, error) {
	type typed struct {
		line string
		err  error
	}
	done := make(chan typed, 1)
	go func() {
		line, err := read()
		done <- typed{line, err}
	}()
	continued := make(chan os.Signal, 1)
	notifyResumed(continued)
	defer signal.Stop(continued)
	for {
		select {
		case got := <-done:
			return got.line, got.err
		case <-ctx.Done():
			return "", ctx.Err()
		case <-continued:
			resumed()
		}
	}
}

// IsDumb reports whether the terminal says that it can only show lines.
func IsDumb() bool { return os.Getenv("TERM") == "dumb" }
