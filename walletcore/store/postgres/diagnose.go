package postgres

import (
	"context"
	"time"
)

const (
	diagnoseEvery = time.Second
	diagnoseTime  = 2 * time.Second // limit for an answer
)

// diagnose finds out, while the store confirms nothing, why that is, until ctx ends.
func (f *file) diagnose(ctx context.Context) {
	tick := time.NewTicker(diagnoseEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		because := ""
		if f.health.isSlow() {
			because = f.findSlowCause(ctx)
		}
		f.health.recordCause(because)
	}
}

// findSlowCause returns why commits take long, in the words of store.CauseOf; "" if unknown.
func (f *file) findSlowCause(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, diagnoseTime)
	defer cancel()
	var waits, streams int
	err := f.db.QueryRowContext(ctx, `SELECT
			(SELECT COUNT(*) FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'),
			(SELECT COUNT(*) FROM pg_stat_replication)`).Scan(&waits, &streams)
	switch {
	case err != nil || waits == 0:
		return ""
	case streams == 0:
		return "has no synchronous standby connected, so it confirms nothing"
	}
	return "has a synchronous standby that does not answer, so it confirms nothing"
}
