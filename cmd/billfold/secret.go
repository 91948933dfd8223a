package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/usertext"
	"billfold/tui/terminal"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault/strength"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// secrets asks for passwords and keys: at a terminal without echo, otherwise as one
// line of standard input each. They are never flags or arguments.
type secrets struct {
	ctx       context.Context // ends the questions
	in        io.Reader
	lines     *bufio.Reader
	linesRead int      // how many lines were read
	ahead     []string // lines that were read as part of another
	prompt    io.Writer
}

func newSecrets(cmd *cobra.Command) *secrets {
	return &secrets{ctx: cmd.Context(), in: cmd.InOrStdin(), lines: bufio.NewReader(cmd.InOrStdin()), prompt: cmd.ErrOrStderr()}
}

// Ask asks for one secret.
func (s *secrets) Ask(what string) (string, error) { return s.ask(what) }

// AskNew asks for a new secret: twice at a terminal, where it cannot be seen.
func (s *secrets) AskNew(what string) (string, error) {
	if f, ok := s.in.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return s.ask(what)
	}
	return s.askTwice(what)
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
	line, number, err := shell.Lines(s.rawLine).Until(s.ctx)
	switch {
	case s.ctx.Err() != nil:
		return "", fmt.Errorf("stopped while %s was asked for; nothing was done", strings.ToLower(what))
	case err != nil:
		return "", &missingError{what: strings.ToLower(what)}
	case strings.TrimPrefix(line, usertext.Mark) == "":
		return "", &missingError{strings.ToLower(what), number}
	}
	return line, nil
}

// missingError means that standard input ended before the line with a secret, or has an empty line in its place.
type missingError struct {
	what string
	line int // that is empty; 0 = the input ended
}

// Error returns what is missing, and how it is given.
func (e *missingError) Error() string {
	if e.line > 0 {
		return fmt.Sprintf("the %s is missing: line %d of standard input is empty; write it there", e.what, e.line)
	}
	return "the " + e.what + " is missing: standard input has ended; give it as a line there, or run this at a terminal, which asks for it"
}

// discardInput drops input that was typed or pasted at the terminal before the next question, so that an approval is typed after
// the question was shown.
func (s *secrets) discardInput(ctx context.Context) error {
	file, is := s.in.(*os.File)
	if !is {
		return nil
	}
	_, _ = s.lines.Discard(s.lines.Buffered())
	s.ahead = nil
	_, err := terminal.Drain(ctx, file)
	return err
}

// answer asks a question and returns the line that was typed after it was shown. Once ctx ends, no answer counts: the error is fault.Denied.
func (s *secrets) answer(ctx context.Context, out io.Writer, question string) (string, error) {
	if err := s.discardInput(ctx); err != nil && ctx.Err() == nil {
		return "", err
	}
	fmt.Fprint(out, question)
	line, err := s.lineUntil(ctx)
	if ctx.Err() != nil {
		fmt.Fprintln(out)
		return "", &fault.Error{Code: fault.Denied, Message: "stopped before the question was answered", Hint: "nothing was done", Err: ctx.Err()}
	}
	return line, err
}

// lineUntil returns the next line, or an error if ctx ends before it is typed.
func (s *secrets) lineUntil(ctx context.Context) (string, error) {
	line, _, err := shell.Lines(s.line).Until(ctx)
	return line, err
}

// line reads the next line of text and returns it with its number. Marks where texts were joined and signs of their end do not count.
func (s *secrets) line() (string, int, error) {
	line, number, err := s.rawLine()
	if number == 1 && err == nil {
		line, err = s.decodeFirst(line)
	}
	return strings.TrimRight(strings.TrimLeft(line, "\x1a"+usertext.Mark), "\x1a"), number, err
}

// decodeFirst decodes the first line. What a file is may be seen only in the lines behind it, as far as they were read already.
func (s *secrets) decodeFirst(line string) (string, error) {
	behind, _ := s.lines.Peek(s.lines.Buffered())
	start := strings.Join(append([]string{line}, s.ahead...), "\n")
	if len(behind) > 0 {
		start += "\n" + string(behind)
	}
	if other := usertext.Format([]byte(start)); other != nil {
		return "", other
	}
	return usertext.DecodeLine(line)
}

// rawLine reads the next line with all its bytes but those that end it: a password may have been set with a mark in front of it. A
// carriage return alone ends a line, too, whether it holds an operation or a secret.
func (s *secrets) rawLine() (string, int, error) {
	if len(s.ahead) == 0 {
		text, err := s.lines.ReadString('\n')
		if text == "" && err != nil {
			return "", s.linesRead + 1, err
		}
		s.ahead = slices.Collect(usertext.Lines(text))
	}
	line := s.ahead[0]
	s.ahead, s.linesRead = s.ahead[1:], s.linesRead+1
	return line, s.linesRead, nil
}

// askTwice asks for a new password twice, to catch typing errors.
func (s *secrets) askTwice(what string) (string, error) {
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

// warnOfFormer warns if copies of the key file are left that the former password opens.
func (s *secrets) warnOfFormer(keys string) {
	if left, err := filepath.Glob(keys + ".[0-9]*"); err == nil && len(left) > 0 {
		fmt.Fprintf(s.prompt, "the former password still opens the copies beside the key file (%s.1 and so on), which are kept against "+
			"its loss; remove them if somebody else knows that password\n", keys)
	}
}

// warnOfWeak warns if a password is weak. It is called once the password is in use: a refusal for another reason comes without its strength.
func (s *secrets) warnOfWeak(v strength.Verdict) {
	if v.Weak {
		fmt.Fprintf(s.prompt, "careful: the password is %s\n", v.Text)
	}
}
