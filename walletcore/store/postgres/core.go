package postgres

import (
	"billfold/walletcore/store/commits"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// core is what the writer, the lease and the readers have together.
type core struct {
	opt    Options
	config *pgx.ConnConfig
	queue  *commits.Queue
	mark   markFile
	health health
	hints  *hints

	suspect   atomic.Bool // the database may be another one than when the writer's connection was opened
	reentered atomic.Bool // this server has another epoch since it looked for payments to follow
}

// Path names the store, without a secret.
func (f *core) Path() string { return displayName(f.config) }

// MarkPath is where the mark of this server is.
func (f *core) MarkPath() string { return f.mark.path }

// Server is the id of this server.
func (f *core) Server() string { return f.health.lastCommit().Server }

// advance notes a commit, and when it was made by the database's clock.
func (f *core) advance(m mark, at time.Time) {
	f.health.recordCommit(m, at)
	if err := f.mark.advance(m); err != nil {
		f.opt.Logger.Warn("store: the mark of this server is not written", "error", err)
	}
}

func (f *core) unwritable(err error) error {
	err = blocked(err)
	return fmt.Errorf("the payment journal cannot be written: %w", err)
}

// Fault returns why nothing can be written now; nil when all is well.
func (f *core) Fault() error { return f.health.fault(f.Path()) }
