package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// core holds what the writer, the lease and the readers share.
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

// Commits returns the counts of the writer's commits.
func (f *file) Commits() store.Commits { return f.queue.Commits() }

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

// file is the open store. It is safe for concurrent use.
type file struct {
	*core
	db       *sql.DB // for readers
	lease    *sql.DB
	notifier *sql.DB // sends hints to other servers: a broken connection there costs no reader anything
	w        *writer

	quit      chan struct{} // closed by Close
	closing   sync.Once
	closed    error
	locked    *os.File      // the lock of the folder
	done      chan struct{} // closed when the writer has ended
	leaseDone chan struct{} // closed once the lease is no longer extended

	leaseCtx    context.Context // of the lease's queries
	cancelLease func()          // cancels leaseCtx

	background     sync.WaitGroup // the goroutines that listen for hints, send them and diagnose slowness
	stopBackground func()         // stops them
}

// Reader returns the database for readers.
func (f *file) Reader() *sql.DB { return f.db }

// Explain turns an error of the database into a sentence. A caller's deadline is not such an
// error, unlike that of a connection attempt.
func (f *file) Explain(err error) error {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) && !connecting {
		return err
	}
	return explain(f.config, err)
}
