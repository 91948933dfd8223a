package main

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// typist is a person at a terminal in which the program runs.
type typist struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal *os.File
	home     string // the program's working folder and HOME

	lock   sync.Mutex
	seen   strings.Builder // since the last sees
	all    strings.Builder
	ended  chan struct{} // closed when the program writes nothing more
	ending sync.Once
}

// atTerminal starts the program at a terminal of a size. It is interrupted when the test ends, unless it has ended before.
func atTerminal(t *testing.T, rows, columns uint16, env []string, args ...string) *typist {
	t.Helper()
	w := &typist{t: t, cmd: processOf(args), home: t.TempDir(), ended: make(chan struct{})}
	w.cmd.Dir = w.home
	w.cmd.Env = append(append(w.cmd.Env, "HOME="+w.home), env...)
	terminal, err := pty.StartWithSize(w.cmd, &pty.Winsize{Rows: rows, Cols: columns})
	must(t, err)
	w.terminal = terminal
	go w.read()
	t.Cleanup(func() {
		_ = w.cmd.Process.Signal(os.Interrupt)
		_ = w.end()
	})
	return w
}

// read collects the program's output.
func (w *typist) read() {
	defer close(w.ended)
	part := make([]byte, 4096)
	for {
		n, err := w.terminal.Read(part)
		w.lock.Lock()
		w.seen.Write(part[:n])
		w.all.Write(part[:n])
		w.lock.Unlock()
		if err != nil {
			return
		}
	}
}

// end waits until the program has ended.
func (w *typist) end() (err error) {
	w.ending.Do(func() {
		late := time.AfterFunc(patience, func() { _ = w.cmd.Process.Kill() }) // which Wait then reports
		defer late.Stop()
		err = w.cmd.Wait()
		<-w.ended
		_ = w.terminal.Close()
	})
	return err
}

// leaves waits until the program has ended without an error, and returns all that it wrote.
func (w *typist) leaves() string {
	w.t.Helper()
	must(w.t, w.end())
	return w.all.String()
}

// sees waits until the new output matches form, returns the output, and forgets it.
func (w *typist) sees(form string) string {
	w.t.Helper()
	pattern := regexp.MustCompile(form)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		w.lock.Lock()
		text := w.seen.String()
		if pattern.MatchString(text) {
			w.seen.Reset()
			w.lock.Unlock()
			return text
		}
		w.lock.Unlock()
	}
	w.t.Fatalf("%s was never seen; the screen has %q", form, w.seen.String())
	return ""
}

func (w *typist) types(text string) {
	_, err := io.WriteString(w.terminal, text)
	must(w.t, err)
}

// says types a line, and waits for the answer.
func (w *typist) says(line, until string) string {
	w.t.Helper()
	w.types(line + "\n")
	return w.sees(until)
}

// interrupted types ctrl+C, waits until the program has ended, which takes no answer, and returns all that it printed.
func (w *typist) interrupted() string {
	w.t.Helper()
	w.types("\x03")
	late := time.AfterFunc(patience, func() { w.types("yes\n") }) // which ends it, if nothing else does
	_, err := w.cmd.Process.Wait()
	must(w.t, err)
	if !late.Stop() {
		w.t.Error("it waits for an answer after ctrl+C")
	}
	<-w.ended
	return w.all.String()
}
