package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"billfold/cmd/billfold/shell"
	"billfold/tui/screen"
	"billfold/tui/terminal"

	"github.com/peterh/liner"
	"golang.org/x/term"
)

// prompt is the line editor of the console at a terminal.
type prompt struct {
	ctx       context.Context
	editor    *liner.State
	complete  func(line string) []string
	out       io.Writer
	reviewEnv func() screen.Env // the environment of reviews; nil if another process has the wallet
}

// newPrompt puts the terminal into the editor's mode; close restores it.
func newPrompt(ctx context.Context, out io.Writer, history []string, complete func(line string) []string) *prompt {
	p := &prompt{ctx: ctx, complete: complete, out: out}
	p.open()
	for _, line := range history {
		p.editor.AppendHistory(line)
	}
	return p
}

// open starts a new editor, which has read nothing yet, on the terminal.
func (p *prompt) open() {
	p.editor = liner.NewLiner()
	p.editor.SetCtrlCAborts(true)
	p.editor.SetTabCompletionStyle(liner.TabPrints)
	p.editor.SetCompleter(p.complete)
}

// discardInput drops input that was typed or pasted before the next question, including what the editor has read of it, and reports
// the lines to the person.
func (p *prompt) discardInput() error {
	return p.withoutEditor(func() ([]byte, error) { return terminal.Drain(p.ctx, os.Stdin) })
}

// withoutEditor calls do with the terminal in its normal mode. Input that the editor has read and not returned is lost, and so is
// what do drops; both are reported to the person.
func (p *prompt) withoutEditor(do func() (dropped []byte, err error)) error {
	var past bytes.Buffer
	if _, err := p.editor.WriteHistory(&past); err != nil {
		return err
	}
	lost := readAhead(p.editor)
	p.close()
	dropped, err := do()
	p.open()
	if _, failed := p.editor.ReadHistory(&past); err == nil {
		err = failed
	}
	printLost(p.out, append(lost, dropped...))
	return err
}

func (p *prompt) close() { _ = p.editor.Close() }

// await returns what read returns, or an error as soon as the program is stopped, even while a line is being typed.
func (p *prompt) await(read func(string) (string, error), label string) (string, error) {
	type typed struct {
		line string
		err  error
	}
	done := make(chan typed, 1)
	go func() { // ends with the next key or with the process
		line, err := read(label)
		done <- typed{line, err}
	}()
	select {
	case got := <-done:
		return got.line, got.err
	case <-p.ctx.Done():
		return "", p.ctx.Err()
	}
}

// line reads one line. It returns io.EOF at the end of the input.
func (p *prompt) line(label string) (string, error) { return p.await(p.editor.Prompt, label) }

// Ask implements shell.Secrets.
func (p *prompt) Ask(what string) (text string, err error) {
	label := what + " (not shown): "
	if editable() {
		return p.await(p.editor.PasswordPrompt, label)
	}
	err = p.withoutEditor(func() (_ []byte, err error) {
		text, err = terminal.Secret(p.ctx, os.Stdin, func() { fmt.Fprint(p.out, label) })
		fmt.Fprintln(p.out)
		return nil, err
	})
	return text, err
}

// editable reports whether the editor can hide what is typed. It cannot at a terminal that has no size or cannot move its cursor.
func editable() bool {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	return err == nil && width > 0 && liner.TerminalSupported()
}

// AskNew implements shell.Secrets.
func (p *prompt) AskNew(what string) (string, error) {
	first, err := p.Ask(what)
	if err != nil {
		return "", err
	}
	again, err := p.Ask(what + ", again")
	if err == nil && first != again {
		err = errors.New("the two passwords differ; nothing was changed")
	}
	return first, err
}

// isAbort reports whether a line was abandoned with ctrl+c.
func isAbort(err error) bool { return errors.Is(err, liner.ErrPromptAborted) }

var (
	_ shell.Secrets = (*prompt)(nil)
	_ shell.Person  = (*prompt)(nil)
)
