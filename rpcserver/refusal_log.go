package rpcserver

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"
)

// logEvery is the least time between two log lines for refusals of one kind.
const logEvery = 10 * time.Second

// maxKinds is the maximum number of kinds kept apart, more than the tokens of a wallet come to in ten seconds; further ones share a kind.
const maxKinds = 1000

// refusalLog logs refusals at a limited rate: the first of a kind at once, those
// of the next ten seconds as a count. A client that keeps asking must not fill the
// disk.
type refusalLog struct {
	log *slog.Logger

	mu    sync.Mutex
	kinds map[string]*refusedKind
}

type refusedKind struct {
	until   time.Time // refusals before this time are only counted
	counted int       // how many were only counted since the last line
}

func newRefusalLog(log *slog.Logger) *refusalLog {
	return &refusalLog{log: log, kinds: map[string]*refusedKind{}}
}

// record logs a refusal, or counts it if a line of its kind was logged recently. A kind is never a client's text.
func (l *refusalLog) record(level slog.Level, kind, message string, args ...any) {
	if !l.log.Enabled(context.Background(), level) {
		return
	}
	more, now := l.count(kind, time.Now())
	if !now {
		return
	}
	if more > 0 {
		args = append(args, "more_before", more)
	}
	l.log.Log(context.Background(), level, message, args...)
}

// count reports whether a line is due, and returns how many refusals were only counted since the last one.
func (l *refusalLog) count(kind string, now time.Time) (more int, due bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.kinds[kind]
	if k == nil && len(l.kinds) >= maxKinds {
		maps.DeleteFunc(l.kinds, func(_ string, old *refusedKind) bool { return old.counted == 0 && !now.Before(old.until) })
		if len(l.kinds) >= maxKinds {
			kind = "others"
			k = l.kinds[kind]
		}
	}
	if k == nil {
		k = &refusedKind{}
		l.kinds[kind] = k
	}
	if now.Before(k.until) {
		k.counted++
		return 0, false
	}
	more, k.counted, k.until = k.counted, 0, now.Add(logEvery)
	return more, true
}

// flush logs the counts that are left when the server ends.
func (l *refusalLog) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for kind, k := range l.kinds {
		if k.counted > 0 {
			l.log.Warn("rpc: refusals that were not listed one by one", "kind", kind, "count", k.counted)
			k.counted = 0
		}
	}
}
