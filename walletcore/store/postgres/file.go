package postgres

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

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
