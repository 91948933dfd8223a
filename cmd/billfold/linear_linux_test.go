package main

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// ctrl+C or a hang-up at a secret ends Billfold and says so. The terminal shows again what is typed, and never showed the secret.
func TestASecretIsLeftInOrder(t *testing.T) {
	t.Parallel()
	const half = "half-of-a-secret"
	// A signal has no order with what is typed, so nothing is typed before one.
	for name, leave := range map[string]func(w *typist){
		"ctrl+C":  func(w *typist) { w.types(half + "\x03") },
		"hang-up": func(w *typist) { must(t, w.cmd.Process.Signal(syscall.SIGHUP)) },
		"ended":   func(w *typist) { must(t, w.cmd.Process.Signal(syscall.SIGTERM)) },
		"ctrl+D":  func(w *typist) { w.types(half + "\x15\x04"); w.sees(`Choose 1 to 6 > $`); w.types("\x04") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := inLines(t, "--daemon-url=ws://127.0.0.1:1")
			w.sees(`Choose 1 to 6 > $`)
			w.says("1", `New password \(not shown\): $`)
			if echoes(t, w.terminal) {
				t.Error("a secret would be shown")
			}
			leave(w)
			<-w.ended
			if !echoes(t, w.terminal) {
				t.Error("the terminal shows nothing any more")
			}
			said := w.leaves()
			if strings.Contains(said, half) || name != "ctrl+D" && !strings.Contains(said, "Error: Stopped.\r\nMoney: nothing was sent.") {
				t.Errorf("it said %q", said)
			}
		})
	}
}

// echoes reports whether a terminal shows what is typed.
func echoes(t *testing.T, terminal *os.File) bool {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	must(t, err)
	return state.Lflag&unix.ECHO != 0
}
