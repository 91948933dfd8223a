package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// writes collects what is written, each write by itself.
type writes []string

func (w *writes) Write(text []byte) (int, error) {
	*w = append(*w, string(text))
	return len(text), nil
}

// The line of a server that has little to do is written at once. Many lines are one write, in their order, and a warning waits for nothing.
func TestLinesOfABusyServerAreWrittenTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out writes
		s := newSettings()
		l := s.newServerLog(&out)
		l.Info("alone")
		if synctest.Wait(); len(out) != 1 {
			t.Errorf("a line that is alone is not written at once: %q", out)
		}
		time.Sleep(time.Second)
		for n := range 1000 {
			l.Info("one of many", "n", n)
			time.Sleep(gatherTime / 50)
		}
		time.Sleep(gatherTime)
		synctest.Wait()
		all := strings.Join(out, "")
		if len(out) > 1+1000/50+2 || strings.Count(all, "\n") != 1001 {
			t.Errorf("%d lines were written in %d writes", strings.Count(all, "\n"), len(out))
		}
		at := 0
		for n := range 1000 {
			next := strings.Index(all, fmt.Sprintf("n=%d\n", n))
			if next < at {
				t.Fatalf("line %d is not in its place", n)
			}
			at = next
		}
		for name, write := range map[string]func(){
			"a warning": func() { l.With("of", "a part").Warn("careful") },
			"a text":    func() { _, _ = l.lines().Write([]byte("for whoever starts it\n")) },
			"the end":   l.flush,
		} {
			l.Info("first")
			synctest.Wait()
			before := len(out)
			l.Info("second")
			if write(); !strings.Contains(strings.Join(out[before:], ""), "second") || slices.Contains(out[:before], "second") {
				t.Errorf("%s does not have what waits written: %q", name, out[before-1:])
			}
			time.Sleep(time.Second)
			synctest.Wait()
		}
	})
}

// stuck is a reader who does not read.
type stuck struct {
	writes
	read chan struct{} // closed once it reads
}

func (s *stuck) Write(text []byte) (int, error) {
	<-s.read
	return s.writes.Write(text)
}

// Nobody waits for a reader of the log who does not read. What does not fit is lost, and said once it is read again.
func TestALogThatNobodyReadsStopsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &stuck{read: make(chan struct{})}
		s := newSettings()
		l := s.newServerLog(out)
		started := time.Now()
		l.Info("first")
		for range 40 {
			l.Warn(strings.Repeat("x", maxWaiting/32))
		}
		l.flush()
		if waited := time.Since(started); waited > 3*flushTime {
			t.Errorf("whoever logs waits %s", waited)
		}
		close(out.read)
		synctest.Wait()
		l.Info("last")
		l.flush()
		all := strings.Join(out.writes, "")
		kept, said := strings.Count(all, "msg=xxx"), strings.Contains(all, "lines were lost")
		if !strings.Contains(all, "msg=first") || !strings.Contains(all, "msg=last") || kept < 20 || kept >= 40 || !said || !strings.Contains(all, fmt.Sprintf("lines=%d", 40-kept)) {
			t.Errorf("%d lines were kept, the loss is said: %v, and %d bytes were written", kept, said, len(all))
		}
	})
}
