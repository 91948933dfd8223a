// Package sqlite keeps the store in one SQLite file.
//
//	many callers ──► queue ──► one writer: everything that waits goes into one commit
//	                             │           (one fsync), then all callers go on
//	                             ▼
//	                           SQLite file ──► readers
//
// Promises: when Write returns nil the change survives power loss; changes are made in the
// order in which they were asked for. Owns: the file, its migrations, its log, its mark and the
// files that were taken over into it. It knows no tables but those in which it numbers its commits.
//
// Refuses: a file of a newer version, and one that was taken away or written over while it is open.
package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// Name is the name of the file in the wallet's folder. It is that of the payment journal, which the
// file was first: backups know it by that name.
const Name = "payments.db"

// file is the open file. Its methods may be used by many goroutines.
type file struct {
	path    string
	db      atomic.Pointer[sql.DB] // what readers use; nil until there is a file
	queue   queue
	linger  time.Duration
	failing atomic.Bool   // the latest commit was not made
	quit    chan struct{} // closed by Close
	closing sync.Once
	done    chan struct{} // closed when the writer has ended

	// what the writer alone uses
	writer *connection // nil before the first change, and after a fault
	at     footing
	mark   markFile
	open   []*change // those of failed commits that the file may hold
}

// defaultLinger is how long a change that nobody waits for waits for another commit to go along
// with. A program that is killed loses no more than that.
const defaultLinger = 10 * time.Millisecond

// Options say how a store is kept.
type Options struct {
	Linger time.Duration // how long changes wait that nobody waits for; 0 for the default
}

// Open opens the store at path, and takes over what an earlier version kept in files of its own
// beside it. A missing file is made with the first thing that is written, with mode 0600;
// until then the store is empty.
func Open(path string) (*store.Store, error) { return Options{}.Open(path) }

// Open is the function Open with options.
func (o Options) Open(path string) (*store.Store, error) {
	f, err := openFile(path, o)
	if err != nil {
		return nil, err
	}
	return store.New(f), nil
}

func openFile(path string, o Options) (*file, error) {
	f := &file{
		path: path, mark: markFile{path: filepath.Join(filepath.Dir(path), MarkName)}, linger: o.Linger,
		queue: newQueue(), quit: make(chan struct{}), done: make(chan struct{}),
	}
	if f.linger == 0 {
		f.linger = defaultLinger
	}
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist) && !f.takeover().waits():
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the payment journal %s cannot be opened: %w", path, err)
	default:
		if err := f.start(); err != nil {
			return nil, err
		}
	}
	go f.write()
	return f, nil
}

// start opens the file, making it when it is missing.
func (f *file) start() error {
	db, err := database.Open(f.path, database.Durable)
	if err != nil {
		return fmt.Errorf("the payment journal %s cannot be opened: %w; without it no payment can be made safely, "+
			"so do not move it away: make it and its folder readable and writable", f.path, database.Explain(f.path, err))
	}
	if err = migrate(db, f.takeover()); err == nil {
		err = f.takeover().run()
	}
	if err == nil {
		f.at.file, err = os.Stat(f.path)
	}
	if err == nil {
		f.at.last, _, err = follows(db, store.Mark{})
	}
	if err != nil {
		_ = db.Close() // the fault that counts is the one before
		return fmt.Errorf("the payment journal %s cannot be used: %w", f.path, database.Explain(f.path, err))
	}
	db.SetMaxOpenConns(mostConnections)
	f.db.Store(db)
	return nil
}

// mostConnections bounds the memory that readers use; the writer has one of its own.
const mostConnections = 8

// Reader is the readers' way to the file; nil while there is none.
func (f *file) Reader() *sql.DB { return f.db.Load() }

// Explain makes a sentence of an error of the file.
func (f *file) Explain(err error) error { return database.Explain(f.path, err) }

// Path is where the file is, or would be.
func (f *file) Path() string { return f.path }

// MarkPath is where its mark is.
func (f *file) MarkPath() string { return f.mark.path }

// Close writes what waits and closes the file.
func (f *file) Close() error {
	f.closing.Do(func() { close(f.quit) })
	<-f.done
	if db := f.db.Load(); db != nil {
		return db.Close()
	}
	return nil
}

var _ store.File = (*file)(nil)
