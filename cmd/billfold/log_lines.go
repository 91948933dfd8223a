package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	gatherTime = 10 * time.Millisecond // how long lines may wait for others
	maxLines   = 64 << 10              // bytes that may wait
)

// lineGatherer writes lines to out: at once, or, less than gatherTime after the latest write, together with those that come
// until then. A busy server has thousands of lines a second, and each write wakes whoever reads them.
type lineGatherer struct {
	out io.Writer

	mu      sync.Mutex
	last    time.Time // of the latest write
	waiting []byte
	due     *time.Timer // writes what is waiting; nil until something was
}

// Write implements io.Writer. An error of lines that waited is not reported.
func (g *lineGatherer) Write(lines []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	passed := time.Since(g.last)
	if len(g.waiting) == 0 && passed >= gatherTime {
		defer func() { g.last = time.Now() }()
		return g.out.Write(lines)
	}
	switch g.waiting = append(g.waiting, lines...); {
	case len(g.waiting) >= maxLines:
		g.flushLocked()
	case g.due == nil:
		g.due = time.AfterFunc(gatherTime-passed, g.flush)
	case len(g.waiting) == len(lines):
		g.due.Reset(gatherTime - passed)
	}
	return len(lines), nil
}

// flush writes what is waiting.
func (g *lineGatherer) flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.flushLocked()
}

func (g *lineGatherer) flushLocked() {
	if len(g.waiting) == 0 {
		return
	}
	_, _ = g.out.Write(g.waiting) // as lost as a line that slog cannot write
	g.last = time.Now()
	if g.waiting = g.waiting[:0]; cap(g.waiting) > maxLines {
		g.waiting = nil
	}
}

// directLines writes text at once, after the lines that wait.
type directLines struct{ *lineGatherer }

func (d directLines) Write(text []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.flushLocked()
	return d.out.Write(text)
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
