package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// Name is the name of the file in the wallet's folder. It is that of the payment journal, which the file used to be:
// backups know it by that name.
const Name = "payments.db"

// file is the open file. It is safe for concurrent use.
type file struct {
	path     string
	db       atomic.Pointer[sql.DB] // for readers; nil until there is a file
	queue    *commits.Queue
	linger   time.Duration
	between  database.Between
	failing  atomic.Bool   // the latest commit failed
	quit     chan struct{} // closed by Close
	closing  sync.Once
	done     chan struct{} // closed when the writer has ended
	hold     holdCache
	archives sync.Map // names of archives by their numbers
	seized   bool     // it is opened in order to move it, see Seized

	// Used by the writer only.
	writer    *connection // nil before the first change, and after a fault
	state     fileState
	mark      markFile
	uncertain []*commits.Change // changes of failed commits that the file may hold
}

// defaultLinger is the time for which a change that nobody waits for waits to join another commit. A
// program that is killed loses no more than that.
const defaultLinger = 10 * time.Millisecond

// fileState holds what the writer knows about the files that it writes to.
type fileState struct {
	file   os.FileInfo // the open file
	log    os.FileInfo // the writer's log; it stays while the writer is open
	last   store.Mark  // latest commit that this program made or found
	schema int         // SQLite's count of changes of the tables, after that; 0 = not known yet

	marked      int64      // number of the commit that the mark was last advanced to, or would have been
	markWritten store.Mark // mark that this program last wrote
	hasMark     bool       // the file has the commit of the mark, see file.hasMark

	// The file alone, without its log. It advances when the log is copied into it, and never goes back.
	size    int64
	changed time.Time
	floor   store.Mark
}

// Reader returns the database for readers; nil while there is no file.
func (f *file) Reader() *sql.DB { return f.db.Load() }

// Explain turns an error of the file into a sentence.
func (f *file) Explain(err error) error { return explain(f.path, err) }

// Commits returns the counts of the writer's commits.
func (f *file) Commits() store.Commits { return f.queue.Commits() }

// Path returns the path of the file, existing or not.
func (f *file) Path() string { return f.path }

// MarkPath returns the path of its mark.
func (f *file) MarkPath() string { return f.mark.path }

// Close writes what is waiting and closes the file, which brings the log into it. If it is not the file any more that was open, what this
// program wrote stays in the log, and the next start finds that the two do not belong together.
func (f *file) Close() error {
	f.closing.Do(func() { close(f.quit) })
	<-f.done
	if db := f.db.Load(); db != nil {
		return db.Close()
	}
	return nil
}

var _ store.File = (*file)(nil)

// DamagedError means that the file of a journal, or a part of it, cannot be read. It is left as it is, and no payment is
// made that has to be written to it.
type DamagedError struct {
	Path string
	Err  error // error of the database
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the payment journal %s is damaged (%v); end the wallet and restore a copy of it: billfold journal restore FILE. "+
		"Without a copy, move it and its -wal file to another folder, keep them, "+
		"and go on with billfold journal accept --from-block N; billfold journal status names the block", e.Path, e.Err)
}

// Unwrap returns the error of the database.
func (e *DamagedError) Unwrap() error { return e.Err }

func isDamaged(err error) bool {
	_, is := errors.AsType[*DamagedError](err)
	return is
}

// explain turns an error of the file at path into a sentence, if there is one for it.
func explain(path string, err error) error {
	if database.Damaged(err) && !isDamaged(err) {
		return &DamagedError{Path: path, Err: err}
	}
	if database.Held(err) {
		return fmt.Errorf("another program keeps %s locked; wait for it or end it, and try again (%w)", path, err)
	}
	return database.Explain(path, err)
}
