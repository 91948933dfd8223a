package main

import (
	"log/slog"
	"strings"
	"time"
)

// readinessLog logs when something begins to stand in the way of payments and when that is over, once for each part.
type readinessLog struct {
	log   *slog.Logger
	since map[string]time.Time // the parts that stand in the way now
	told  map[string]string    // why, without the numbers that change while it lasts
	ready bool                 // nothing did the last time
}

func newReadinessLog(log *slog.Logger) *readinessLog {
	return &readinessLog{log: log, since: map[string]time.Time{}, told: map[string]string{}}
}

// note takes what stands in the way now. Both ends of a time without payments are warnings, so that whoever logs the one logs the other.
func (r *readinessLog) note(now []obstacle, at time.Time) {
	still := map[string]bool{}
	for _, o := range now {
		still[o.part] = true
		if r.since[o.part].IsZero() {
			r.since[o.part] = at
		}
		if how := withoutDigits(o.why); how != r.told[o.part] {
			r.told[o.part] = how
			r.log.Warn("readiness: payments are held up", "part", o.part, "why", o.why)
		}
	}
	for _, part := range parts() {
		if began := r.since[part]; !began.IsZero() && !still[part] {
			delete(r.since, part)
			delete(r.told, part)
			r.log.Warn("readiness: payments are held up no longer", "part", part, "lasted", at.Sub(began).Round(time.Second))
		}
	}
	if ready := len(now) == 0; ready != r.ready {
		if r.ready = ready; ready {
			r.log.Info("readiness: payments are made")
		}
	}
}

func withoutDigits(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, text)
}
