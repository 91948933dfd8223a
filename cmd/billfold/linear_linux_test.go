package main

import (
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"billfold/internal/stories"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// ctrl+C or a hang-up at a secret ends Billfold with a message. The terminal then echoes input again, and has never shown the secret.
func TestInterruptedSecretRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	heedHangUps(t)
	const half = "half-of-a-secret"
	// Signals and input have no order, so nothing is typed before a signal.
	for name, leave := range map[string]func(w *typist){
		"ctrl+C":  func(w *typist) { w.types(half + "\x03") },
		"hang-up": func(w *typist) { must(t, w.cmd.Process.Signal(syscall.SIGHUP)) },
		"ended":   func(w *typist) { must(t, w.cmd.Process.Signal(syscall.SIGTERM)) },
		"ctrl+D":  func(w *typist) { w.types(half + "\x15\x04"); w.sees(`Choose 1 to 7 > $`); w.types("\x04") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := inLines(t, "--daemon-url=ws://127.0.0.1:1")
			w.sees(`Choose 1 to 7 > $`)
			w.says("1", `New password \(not shown\): $`)
			if echoes(t, w.terminal) {
				t.Error("a secret would be shown")
			}
			leave(w)
			select {
			case <-w.ended:
			case <-time.After(patience):
				t.Fatal("Billfold still asks for the secret: it did not end")
			}
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

// While a node is asked about an answer, before a question for a password, the terminal does not echo what is typed, and what is typed
// answers nothing.
func TestASecretTypedWhileANodeIsAskedIsNotShown(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = silent.Close() }()
	w := inLines(t, "--daemon-url=ws://"+silent.Addr().String())
	w.sees(`Choose 1 to 7 > $`)
	w.says("5", `Account > $`)
	w.says("alice", `\r\n$`)
	for range 100 {
		if !echoes(t, w.terminal) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.types("a-secret\n")
	w.sees(`answer once more, back to leave \(not shown\): $`)
	w.says("again", `Account \[alice\] > $`)
	w.lock.Lock()
	defer w.lock.Unlock()
	if said := w.all.String(); strings.Contains(said, "a-secret") {
		t.Errorf("it said %q", said)
	}
}

// If a signal ends Billfold while a secret is being typed, the typed part does not stay in the terminal: the shell would run it, and
// keep it in its history.
func TestHalfASecretIsNotLeftToTheShell(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t *testing.T) *typist{
		"linear": func(t *testing.T) *typist {
			w := inLines(t, "--daemon-url=ws://127.0.0.1:1")
			w.sees(`Choose 1 to 7 > $`)
			noteStops(t, w.terminal)
			w.types("1\n")
			return w
		},
		"call": func(t *testing.T) *typist {
			w := atTerminal(t, 24, 80, []string{"TERM=xterm"}, "call", "--daemon-url=ws://127.0.0.1:1", "--data-dir="+t.TempDir(), "unlock")
			noteStops(t, w.terminal)
			return w
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t)
			line := lineOf(t, w.terminal)
			defer func() { _ = line.Close() }()
			w.sees(`(?i)password \(not shown\): $`)
			w.types("half\x13\x11") // ctrl+S and ctrl+Q do not become part of the line
			w.sees(started)
			must(t, w.cmd.Process.Signal(syscall.SIGTERM))
			w.sees(`(?i)stopped`)
			if n := unread(t, line); n != 0 {
				t.Errorf("%d bytes of the secret are left to the shell", n)
			}
			must(t, line.Close())
			_ = w.end() // the exit code of a command that was not done
		})
	}
}

// started is the byte that a terminal reports when ctrl+Q, and thus all input before it, has reached it.
const started = "\x08"

// noteStops makes a terminal report stops and starts, from the program's next output on.
func noteStops(t *testing.T, terminal *os.File) {
	t.Helper()
	must(t, unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCPKT, 1))
}

// lineOf opens the program's side of a terminal.
func lineOf(t *testing.T, terminal *os.File) *os.File {
	t.Helper()
	number, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	must(t, err)
	line, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	return line
}

// unread returns how many typed bytes have not been read, in complete lines or not.
func unread(t *testing.T, line *os.File) int {
	t.Helper()
	_, err := term.MakeRaw(int(line.Fd()))
	must(t, err)
	n, err := unix.IoctlGetInt(int(line.Fd()), unix.TIOCINQ)
	must(t, err)
	return n
}

// heedHangUps makes the programs of a test start as at a terminal even if this one was started under nohup: a program inherits ignored
// signals, and Billfold would then ignore hang-ups, too.
func heedHangUps(t *testing.T) {
	t.Helper()
	if !signal.Ignored(syscall.SIGHUP) {
		return
	}
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	t.Cleanup(func() { signal.Ignore(syscall.SIGHUP) })
}

// echoes reports whether a terminal echoes input.
func echoes(t *testing.T, terminal *os.File) bool {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	must(t, err)
	return state.Lflag&unix.ECHO != 0
}
