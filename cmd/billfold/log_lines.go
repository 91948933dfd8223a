package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	gatherTime = 10 * time.Millisecond // how long lines wait for others
	flushTime  = time.Second           // how long whoever wants lines written waits for that
	maxWaiting = 1 << 20               // bytes that may wait
)

// lineGatherer writes lines to out: at once, or, less than gatherTime after the latest write, together with those that come until then. A
// busy server has thousands of lines a second, and each write wakes whoever reads them. Nobody waits for a reader who does not read: lines
// for which there is no room are lost, and counted.
type lineGatherer struct {
	out  io.Writer
	lost func(lines int) // is called once lines can be written again of which some were lost

	mu      sync.Mutex
	written sync.Cond // when given or since may have changed
	running bool      // run is
	waiting []byte
	spare   []byte // memory of lines that were written
	missing int    // lines that were lost since the latest write
	hurried bool   // what waits is written without waiting for more
	wake    chan struct{}
	given   int64     // bytes that were accepted
	done    int64     // bytes of them that were written
	since   time.Time // of the write that is under way; zero: none
	last    time.Time // of the latest write
}

func newLineGatherer(out io.Writer) *lineGatherer {
	g := &lineGatherer{out: out, wake: make(chan struct{}, 1), lost: func(int) {}}
	g.written.L = &g.mu
	return g
}

// Write implements io.Writer. It does not wait, and fails never.
func (g *lineGatherer) Write(lines []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting)+len(lines) > maxWaiting {
		g.missing += bytes.Count(lines, []byte{'\n'})
		return len(lines), nil
	}
	g.waiting, g.given = append(g.waiting, lines...), g.given+int64(len(lines))
	if !g.running {
		g.running = true
		go g.run()
	}
	return len(lines), nil
}

// run writes what is waiting, until nothing is.
func (g *lineGatherer) run() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.waiting) > 0 {
		if rest := gatherTime - time.Since(g.last); rest > 0 && !g.hurried {
			g.mu.Unlock()
			select {
			case <-time.After(rest):
			case <-g.wake:
			}
			g.mu.Lock()
		}
		lines, missing := g.waiting, g.missing
		g.waiting, g.missing, g.hurried, g.since = g.spare[:0], 0, false, time.Now()
		g.mu.Unlock()
		_, _ = g.out.Write(lines) // as lost as a line that slog cannot write
		if missing > 0 {
			g.lost(missing)
		}
		g.mu.Lock()
		g.done, g.since, g.last, g.spare = g.done+int64(len(lines)), time.Time{}, time.Now(), lines
		if cap(lines) > maxWaiting/16 {
			g.spare = nil
		}
		g.written.Broadcast()
	}
	g.running = false
}

// flush waits until what was given is written, but no longer than flushTime, and not at all for a reader who did not read for so long.
func (g *lineGatherer) flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	upTo, end := g.given, time.Now().Add(flushTime)
	if g.done >= upTo || !g.since.IsZero() && time.Since(g.since) > flushTime {
		return
	}
	g.hurried = true
	select {
	case g.wake <- struct{}{}:
	default:
	}
	defer time.AfterFunc(flushTime, g.written.Broadcast).Stop()
	for g.done < upTo && time.Now().Before(end) {
		g.written.Wait()
	}
}

// directLines has text written at once, after the lines that wait.
type directLines struct{ *lineGatherer }

func (d directLines) Write(text []byte) (int, error) {
	defer d.flush()
	return d.lineGatherer.Write(text)
}

// promptHandler has warnings and errors written at once: a program that is about to be killed has said why.
type promptHandler struct {
	slog.Handler
	lines *lineGatherer
}

// Handle implements slog.Handler.
func (h promptHandler) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Level > slog.LevelInfo {
		h.lines.flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (h promptHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return promptHandler{h.Handler.WithAttrs(attrs), h.lines}
}

// WithGroup implements slog.Handler.
func (h promptHandler) WithGroup(name string) slog.Handler {
	return promptHandler{h.Handler.WithGroup(name), h.lines}
}
