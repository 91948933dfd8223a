package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/peterh/liner"
	"golang.org/x/term"

	"billfold/cmd/billfold/shell"
	"billfold/tui/screen"
	"billfold/tui/terminal"
)

// prompt is the line editor of the console: what is typed at a terminal.
type prompt struct {
	ctx      context.Context
	editor   *liner.State
	complete func(line string) []string
	out      io.Writer
	env      func() screen.Env // what is known to who reviews; nil where another process has the wallet
}

// newPrompt takes the terminal; close gives it back.
func newPrompt(ctx context.Context, out io.Writer, history []string, complete func(line string) []string) *prompt {
	p := &prompt{ctx: ctx, complete: complete, out: out}
	p.take()
	for _, line := range history {
		p.editor.AppendHistory(line)
	}
	return p
}

// take takes the terminal with an editor that has read nothing yet.
func (p *prompt) take() {
	p.editor = liner.NewLiner()
	p.editor.SetCtrlCAborts(true)
	p.editor.SetTabCompletionStyle(liner.TabPrints)
	p.editor.SetCompleter(p.complete)
}

// fresh drops what was typed or pasted and not answered yet, also what the editor has read of it, and says so.
func (p *prompt) fresh() error {
	return p.apart(func() ([]byte, error) { return terminal.Drain(p.ctx, os.Stdin) })
}

// apart does something at the terminal as it was before the editor took it. What the editor has read and not returned is lost, and
// so is what do dropped: both are said.
func (p *prompt) apart(do func() (dropped []byte, err error)) error {
	var past bytes.Buffer
	if _, err := p.editor.WriteHistory(&past); err != nil {
		return err
	}
	lost := readAhead(p.editor)
	p.close()
	dropped, err := do()
	p.take()
	if _, failed := p.editor.ReadHistory(&past); err == nil {
		err = failed
	}
	sayLost(p.out, append(lost, dropped...))
	return err
}

func (p *prompt) close() { _ = p.editor.Close() }

// await ends with the program, also while a line is being typed.
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

// line reads one line; io.EOF at the end of what is typed.
func (p *prompt) line(label string) (string, error) { return p.await(p.editor.Prompt, label) }

// Ask implements shell.Secrets.
func (p *prompt) Ask(what string) (text string, err error) {
	label := what + " (not shown): "
	if editable() {
		return p.await(p.editor.PasswordPrompt, label)
	}
	err = p.apart(func() (_ []byte, err error) {
		text, err = terminal.Secret(p.ctx, os.Stdin, func() { fmt.Fprint(p.out, label) })
		fmt.Fprintln(p.out)
		return nil, err
	})
	return text, err
}

// editable reports whether the editor can hide what is typed: it cannot at a terminal that has no size, or that cannot move its cursor.
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

// isAbort reports that a line was given up with ctrl+c.
func isAbort(err error) bool { return errors.Is(err, liner.ErrPromptAborted) }

var (
	_ shell.Secrets = (*prompt)(nil)
	_ shell.Person  = (*prompt)(nil)
)
