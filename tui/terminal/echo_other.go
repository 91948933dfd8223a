//go:build !unix

package terminal

import (
	"os"

	"golang.org/x/term"
)

// disableEcho does nothing here: readHidden hides what is typed.
func disableEcho(int) (restore func(drop bool), again func(), err error) {
	return func(bool) {}, func() {}, nil
}

// readHidden reads a line without echo.
func readHidden(file *os.File, _ int) (string, error) {
	text, err := term.ReadPassword(int(file.Fd()))
	defer clear(text)
	return string(text), err
}
