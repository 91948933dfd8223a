package main

import (
	"os"
	"os/signal"
	"syscall"
)

// hangups returns a channel with each SIGHUP from now on, for a server that no terminal belongs to: there it means "read again".
// It returns nil where a terminal's end is to end the program, as run has it, and where the signal is ignored.
func hangups() <-chan os.Signal {
	if signal.Ignored(syscall.SIGHUP) || hasTerminal() {
		return nil
	}
	signal.Ignore(syscall.SIGHUP) // which takes it from those who would end the program, and leaves no moment at which it kills
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGHUP)
	return got
}

// hasTerminal reports whether the process belongs to a terminal, wherever its input and output go.
func hasTerminal() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	_ = terminal.Close()
	return true
}
