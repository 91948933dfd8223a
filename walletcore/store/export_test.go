package store

import (
	"context"
	"time"
)

// ForgetReady has the next question whether the journal takes payments make an attempt.
func (j *Journal) ForgetReady() {
	j.ready.mu.Lock()
	defer j.ready.mu.Unlock()
	j.ready.at = time.Time{}
}

// Prune removes old spends as the servers of a shared store do.
func (l *Limits) Prune(ctx context.Context) error {
	return l.engine.Write(ctx, Change{Apply: func(tx Tx) (refusal, failure error) { return nil, PruneSpends(tx) }})
}
