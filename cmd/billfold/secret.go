package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"billfold/tui/terminal"
	"billfold/walletcore/vault/strength"
)

// secrets asks for passwords and keys: on a terminal without echo, else one
// line of standard input each. They are never flags or arguments.
type secrets struct {
	ctx    context.Context // ends what is asked
	in     io.Reader
	lines  *bufio.Reader
	taken  int // of the lines
	prompt io.Writer
}

func newSecrets(cmd *cobra.Command) *secrets {
	return &secrets{ctx: cmd.Context(), in: cmd.InOrStdin(), lines: bufio.NewReader(cmd.InOrStdin()), prompt: cmd.ErrOrStderr()}
}

// Ask asks for one secret.
func (s *secrets) Ask(what string) (string, error) { return s.ask(what) }

// AskNew asks for one that is set: twice on a terminal, where it cannot be seen.
func (s *secrets) AskNew(what string) (string, error) {
	if f, ok := s.in.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return s.ask(what)
	}
	return s.askAgain(what)
}

func (s *secrets) ask(what string) (string, error) {
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		text, err := terminal.Secret(s.ctx, f, func() { fmt.Fprintf(s.prompt, "%s (not shown): ", what) })
		fmt.Fprintln(s.prompt)
		if s.ctx.Err() != nil {
			return "", fmt.Errorf("stopped while %s was asked for; nothing was done", strings.ToLower(what))
		}
		return text, err
	}
	line, _, err := s.line()
	if err != nil {
		return "", fmt.Errorf("%s is missing: standard input has ended; give it as a line there", strings.ToLower(what))
	}
	return line, nil
}

// fresh drops what was typed or pasted at the terminal and not read yet: what is agreed to is typed after it was read.
func (s *secrets) fresh(ctx context.Context) error {
	file, is := s.in.(*os.File)
	if !is {
		return nil
	}
	_, _ = s.lines.Discard(s.lines.Buffered())
	_, err := terminal.Drain(ctx, file)
	return err
}

// heard is the next line, unless ctx ends before it is typed.
func (s *secrets) heard(ctx context.Context) (string, error) {
	type typed struct {
		line string
		err  error
	}
	done := make(chan typed, 1)
	go func() { // ends with the line, or with the process
		line, _, err := s.line()
		done <- typed{line, err}
	}()
	select {
	case got := <-done:
		return got.line, got.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// line reads the next line and its number, whatever it is for.
func (s *secrets) line() (string, int, error) {
	line, err := s.lines.ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	s.taken++
	return strings.TrimRight(line, "\r\n"), s.taken, err
}

// askTwice asks for a new password and again, to catch a slip of the finger, and
// says when it is weak.
func (s *secrets) askTwice(what string, judge func(password string) strength.Verdict) (string, error) {
	text, err := s.askAgain(what)
	if err == nil {
		s.warnOfWeak(judge(text))
	}
	return text, err
}

func (s *secrets) askAgain(what string) (string, error) {
	first, err := s.ask(what)
	if err != nil {
		return "", err
	}
	again, err := s.ask(what + ", again")
	if err != nil {
		return "", err
	}
	if first != again {
		return "", errors.New("the two passwords differ; nothing was changed")
	}
	return first, nil
}

// warnOfFormer warns where key files under a former password are left.
func (s *secrets) warnOfFormer(keys string) {
	if left, err := filepath.Glob(keys + ".[0-9]*"); err == nil && len(left) > 0 {
		fmt.Fprintf(s.prompt, "the former password still opens the copies beside the key file (%s.1 and so on), which are kept against "+
			"its loss; remove them if somebody else knows that password\n", keys)
	}
}

// warnOfWeak prints how long a weak password resists.
func (s *secrets) warnOfWeak(v strength.Verdict) {
	if v.Weak {
		fmt.Fprintf(s.prompt, "careful: the password is %s\n", v.Text)
	}
}
