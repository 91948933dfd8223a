package postgres

import (
	"fmt"
	"sync/atomic"
	"time"

	"billfold/walletcore/store/commits"

	"github.com/jackc/pgx/v5"
)

// core is what the writer, the lease and the readers share.
type core struct {
	opt    Options
	config *pgx.ConnConfig
	queue  *commits.Queue
	mark   markFile
	health health
	hints  *hints

	suspect   atomic.Bool // the database may be another one than when the writer's connection was opened
	reentered atomic.Bool // this server got a new epoch since it last looked for payments to follow
}

// Path returns the store's name, without secrets.
func (f *core) Path() string { return displayName(f.config) }

// MarkPath returns the path of this server's mark.
func (f *core) MarkPath() string { return f.mark.path }

// Server returns the id of this server.
func (f *core) Server() string { return f.health.lastCommit().Server }

// advance records a commit, made at the given time by the database's clock.
func (f *core) advance(m mark, at time.Time) {
	f.health.recordCommit(m, at)
	if err := f.mark.advance(m); err != nil {
		f.opt.Logger.Warn("store: the mark of this server cannot be written", "error", err)
	}
}

func (f *core) unwritable(err error) error {
	err = blocked(err)
	return fmt.Errorf("the payment journal cannot be written: %w", err)
}

// Fault returns why nothing can be written now; nil if everything is well.
func (f *core) Fault() error { return f.health.fault(f.Path()) }
