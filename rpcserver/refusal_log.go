package rpcserver

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// logEvery is how often a refusal of one kind gets a line of the log.
const logEvery = 10 * time.Second

// mostKinds bounds the kinds that are distinguished; those beyond share one.
const mostKinds = 64

// refusalLog records what was refused at a bounded rate: the first of a kind
// at once, those of the next ten seconds together, with their number. A client
// that asks for ever must not fill the disk.
type refusalLog struct {
	log *slog.Logger

	mu    sync.Mutex
	kinds map[string]*refusedKind
}

type refusedKind struct {
	until time.Time // before this, one more is only counted
	more  int
}

func newRefusalLog(log *slog.Logger) *refusalLog {
	return &refusalLog{log: log, kinds: map[string]*refusedKind{}}
}

// note writes a refusal down, or counts it. Kind is one of few: never text of a
// client.
func (l *refusalLog) note(kind, message string, args ...any) {
	if !l.log.Enabled(context.Background(), slog.LevelWarn) {
		return
	}
	more, now := l.count(kind, time.Now())
	if !now {
		return
	}
	if more > 0 {
		args = append(args, "more_before", more)
	}
	l.log.Warn(message, args...)
}

// count reports whether a line is due, and how many were only counted since the last.
func (l *refusalLog) count(kind string, now time.Time) (more int, due bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.kinds[kind]
	if k == nil && len(l.kinds) >= mostKinds {
		kind = "others"
		k = l.kinds[kind]
	}
	if k == nil {
		k = &refusedKind{}
		l.kinds[kind] = k
	}
	if now.Before(k.until) {
		k.more++
		return 0, false
	}
	more, k.more, k.until = k.more, 0, now.Add(logEvery)
	return more, true
}

// flush records what was only counted, when the server ends.
func (l *refusalLog) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for kind, k := range l.kinds {
		if k.more > 0 {
			l.log.Warn("rpc refusals that were not listed one by one", "kind", kind, "count", k.more)
			k.more = 0
		}
	}
}
