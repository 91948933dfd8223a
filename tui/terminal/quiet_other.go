//go:build !unix

package terminal

import (
	"os"

	"golang.org/x/term"
)

// quiet has nothing to prepare here.
func quiet(int) (restore func(drop bool), again func(), err error) {
	return func(bool) {}, func() {}, nil
}

// unseen reads a line of which nothing is shown.
func unseen(file *os.File, _ int) (string, error) {
	text, err := term.ReadPassword(int(file.Fd()))
	defer clear(text)
	return string(text), err
}
