package main

import (
	"context"
	"errors"
	"os"

	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/walletcore/fault"

	"golang.org/x/term"
)

func isTerminal() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
}

// sentence returns the text of an error for a person: what happened, and a hint what to do next.
func sentence(err error) string {
	if stopped, ok := errors.AsType[*shell.StoppedError](err); ok {
		return stopped.Error()
	}
	if _, hidden := errors.AsType[*setting.HiddenError](err); hidden { // not the error in it, which repeats a secret
		return err.Error()
	}
	var e *fault.Error
	if errors.As(err, &e) {
		if meant := fault.MeantBy(err); meant != "" {
			return e.Message + "; did you mean " + meant + "?"
		}
		if e.Hint == "" {
			return e.Message
		}
		return e.Message + "\nhint: " + e.Hint
	}
	if err.Error() == context.Canceled.Error() { // a signal, and no error describes what it ended
		return "stopped before it was done"
	}
	return err.Error()
}
