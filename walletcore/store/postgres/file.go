package postgres

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// file is the open store. Its methods may be used by many goroutines.
type file struct {
	*core
	db       *sql.DB // what readers use
	lease    *sql.DB
	notifier *sql.DB // over which other servers are told: a connection that breaks there costs no reader anything
	w        *writer

	quit      chan struct{} // closed by Close
	closing   sync.Once
	closed    error
	locked    *os.File      // the lock of the folder
	done      chan struct{} // closed when the writer has ended
	leaseDone chan struct{} // closed when the lease is not extended any more

	leaseCtx    context.Context // of looks at the store
	cancelLease func()          // ends it

	background     sync.WaitGroup // who listens to other servers, who tells them, and who finds out why they wait
	stopBackground func()         // ends them
}

// Reader is the readers' way to the database.
func (f *file) Reader() *sql.DB { return f.db }

// Explain makes a sentence of an error of the database. That a caller's time ran out is none, unlike that of an attempt to connect.
func (f *file) Explain(err error) error {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) && !connecting {
		return err
	}
	return explain(f.config, err)
}
