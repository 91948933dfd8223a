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
		if l.Info("alone"); len(out) != 1 {
			t.Errorf("a line that is alone is not written at once: %q", out)
		}
		time.Sleep(time.Second)
		for n := range 1000 {
			l.Info("one of many", "n", n)
			time.Sleep(gatherTime / 50)
		}
		time.Sleep(gatherTime)
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
			before := len(out)
			l.Info("second")
			if write(); !strings.Contains(strings.Join(out[before:], ""), "second") || slices.Contains(out[:before], "second") {
				t.Errorf("%s does not have what waits written: %q", name, out[before-1:])
			}
			time.Sleep(time.Second)
		}
		before := len(out)
		l.Info(strings.Repeat("x", maxLines))
		l.Info(strings.Repeat("y", maxLines))
		if len(out) != before+2 {
			t.Errorf("more than %d bytes wait", maxLines)
		}
	})
}
