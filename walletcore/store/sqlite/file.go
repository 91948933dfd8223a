package sqlite

import (
	"database/sql"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// Name is the name of the file in the wallet's folder. It is that of the payment journal, which the
// file was first: backups know it by that name.
const Name = "payments.db"

// file is the open file. Its methods may be used by many goroutines.
type file struct {
	path    string
	db      atomic.Pointer[sql.DB] // what readers use; nil until there is a file
	queue   *commits.Queue
	linger  time.Duration
	failing atomic.Bool   // the latest commit was not made
	quit    chan struct{} // closed by Close
	closing sync.Once
	done    chan struct{} // closed when the writer has ended

	// what the writer alone uses
	writer    *connection // nil before the first change, and after a fault
	state     fileState
	mark      markFile
	uncertain []*commits.Change // those of failed commits that the file may hold
}

// defaultLinger is how long a change that nobody waits for waits for another commit to go along
// with. A program that is killed loses no more than that.
const defaultLinger = 10 * time.Millisecond

// fileState is what the writer knows of the files that it writes to.
type fileState struct {
	file os.FileInfo // the file that is open
	log  os.FileInfo // the writer's log; it stays while the writer is open
	last store.Mark  // the latest commit that this program made or found

	marked      int64      // the commit that the mark was advanced to last, or would have been
	markWritten store.Mark // what this program advanced the mark to last
	hasMark     bool       // the file has the commit of the mark, see file.hasMark

	// The file alone, without its log. It moves on when the log is brought into it, and never back.
	size    int64
	changed time.Time
	floor   store.Mark
}

// Reader is the readers' way to the file; nil while there is none.
func (f *file) Reader() *sql.DB { return f.db.Load() }

// Explain makes a sentence of an error of the file.
func (f *file) Explain(err error) error { return explain(f.path, err) }

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
