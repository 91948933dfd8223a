package shell

import (
	"context"
	"errors"
	"fmt"
	"io"

	"billfold/walletcore/commandline"
	"billfold/walletcore/fault"
)

// ErrQuit means that quit or exit was typed.
var ErrQuit = errors.New("quit")

// Lines returns the next line without its line break, and its number. It returns io.EOF at the end.
type Lines func() (line string, number int, err error)

// Until returns the next line, or the error of ctx if that ends before there is one: then a later line is lost.
func (next Lines) Until(ctx context.Context) (string, int, error) {
	type read struct {
		line   string
		number int
		err    error
	}
	done := make(chan read, 1)
	go func() { // ends with the line, or with the process
		line, number, err := next()
		done <- read{line, number, err}
	}()
	select {
	case got := <-done:
		if ctx.Err() != nil { // which may be why it cannot be read
			return "", got.number, ctx.Err()
		}
		return got.line, got.number, got.err
	case <-ctx.Done():
		return "", 0, ctx.Err()
	}
}

// StoppedError means that one of several commands failed. What was done before it stays done.
type StoppedError struct {
	Where  string // "payout.txt line 17"
	Method string // "" if the line could not be parsed
	Done   int    // how many commands were done before
	Err    error
}

// Error returns where it stopped, why, and how much was done before.
func (e *StoppedError) Error() string {
	what := e.Where
	if e.Method != "" {
		what += ", " + e.Method
	}
	done := "nothing was done before it"
	switch {
	case e.Done == 1:
		done = "the command before it was done"
	case e.Done > 1:
		done = fmt.Sprintf("the %d commands before it were done", e.Done)
	}
	if ExitCode(e.Err) == Unknown {
		done = "what came of it is not known, " + done
	}
	return fmt.Sprintf("%s: %v\n%s; nothing after it was tried", what, e.Err, done)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Err }

// RunAll runs every line of a source and shows the results, until one fails with a
// *StoppedError. quit and exit end it.
func (s *Shell) RunAll(ctx context.Context, source string, lines Lines, show func(method string, result []byte) error) error {
	done := 0
	for {
		line, number, err := lines.Until(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && ctx.Err() != nil:
			return &StoppedError{Where: source, Done: done, Err: &fault.Error{Code: fault.Canceled, Op: "console", Message: "interrupted", Err: err}}
		case err != nil:
			return err
		}
		method, err := s.RunLine(ctx, line, show)
		switch {
		case errors.Is(err, ErrQuit):
			return nil
		case err != nil:
			if fault.CodeOf(err) == fault.UnknownMethod { // it may be a password in the wrong place, and is quoted in the error if it is none
				method = ""
			}
			return &StoppedError{Where: fmt.Sprintf("%s line %d", source, number), Method: method, Done: done, Err: err}
		case method != "":
			done++
		}
	}
}

// RunLine runs one line and shows its result. It returns the name of the operation, "" for an
// empty line.
func (s *Shell) RunLine(ctx context.Context, line string, show func(method string, result []byte) error) (string, error) {
	if commandline.IsEmpty(line) {
		return "", nil
	}
	parsed, err := commandline.Parse(line)
	if err != nil {
		return "", Misuse(err)
	}
	c := Command{Method: parsed.Method, Params: parsed.Params}
	switch {
	case (c.Method == "quit" || c.Method == "exit") && len(c.Params) == 0:
		return "", ErrQuit
	case c.Method == "help" && len(c.Params) == 1:
		c.Method = "get_help"
	}
	result, err := s.Run(ctx, c)
	if err != nil {
		return c.Method, err
	}
	return c.Method, show(c.Method, result)
}
