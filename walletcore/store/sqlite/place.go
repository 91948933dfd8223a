package sqlite

import (
	"context"
	"os"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// checkInPlace checks that the files that are open are those that the next run will find. It costs two
// looks at the folder, unless the file was written to by somebody else since the last commit.
func (f *file) checkInPlace() error {
	now, err := os.Stat(f.path)
	if err != nil || !os.SameFile(now, f.state.file) {
		return store.ErrReplaced
	}
	if f.writer == nil {
		return nil
	}
	log, err := os.Stat(f.path + "-wal")
	if err != nil || !os.SameFile(log, f.state.log) {
		return store.ErrReplaced
	}
	return f.recheckFile(now, f.writer)
}

// How often a file is read that a program which shares the journal is bringing its log into: one that reads as an older
// one or as none, and one whose pages do not fit together.
const (
	rereadTries = 5
	tornRereads = 150
	rereadPause = 20 * time.Millisecond
)

// recheckFile reads the file without its log when it is not as it was. A log that was brought into
// it makes it newer; one that is older, or of another journal, was put there by somebody. While somebody reads, SQLite
// brings only those pages into the file that nobody writes meanwhile, so that it cannot be read without its
// log until the rest is there as well: the writer brings it.
func (f *file) recheckFile(now os.FileInfo, writer *connection) error {
	for torn, older := 0, 0; torn < tornRereads && older < rereadTries; time.Sleep(rereadPause) {
		if now.Size() == f.state.size && now.ModTime().Equal(f.state.changed) {
			return nil
		}
		floor, same, err := markWithoutLog(f.path, f.state.floor)
		switch {
		case err == nil && same:
			f.state.size, f.state.changed, f.state.floor = now.Size(), now.ModTime(), floor
			return nil
		case database.Torn(err):
			torn++
			writer.checkpoint()
		default:
			older++
		}
		if now, err = os.Stat(f.path); err != nil {
			return store.ErrReplaced
		}
	}
	return store.ErrReplaced
}

// markWithoutLog reads the mark that the file has without its log, and whether that comes after before.
func markWithoutLog(path string, before store.Mark) (m store.Mark, after bool, err error) {
	db, err := database.OpenFrozen(path)
	if err != nil {
		return m, false, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	return follows(db, before)
}

// follows reads the latest commit, and whether the commit before is in the same journal.
func follows(from rows, before store.Mark) (m store.Mark, after bool, err error) {
	id, err := identity(from)
	if err != nil {
		return m, false, err
	}
	if m, err = position(from, id); err != nil {
		return m, false, err
	}
	if before.ID != "" && m.ID != before.ID || m.Commit < before.Commit {
		return m, false, nil
	}
	same, err := hasCommit(from, before)
	return m, same, err
}

// initState notes what the writer stands on, once it is open. What this program saw last must be there.
func (f *file) initState(writer *connection) error {
	last, same, err := follows(writer, f.state.last)
	switch {
	case err != nil:
		return err
	case !same:
		return store.ErrReplaced
	}
	// The file has everything, so that an older one in its place is distinguished from it.
	if _, err := writer.conn.ExecContext(context.Background(), `PRAGMA wal_checkpoint(PASSIVE)`); err != nil {
		return err
	}
	at := fileState{file: f.state.file, last: last, marked: last.Commit, hasMark: f.hasMark(writer, last)}
	if at.log, err = os.Stat(f.path + "-wal"); err != nil {
		return store.ErrReplaced
	}
	now, err := os.Stat(f.path)
	if err != nil {
		return store.ErrReplaced
	}
	f.state = at
	return f.recheckFile(now, writer)
}

// mostUnmarked is how many commits the mark may lag while the next one is about to be made.
const mostUnmarked = 16

// hasMark reports whether the mark beside the file is that of a commit that the file has; at is its latest one. A lost
// journal is known by its mark alone: one that is advanced over a mark that is missing, damaged or of a commit
// that the file does not have would be taken for whole at the next start.
func (f *file) hasMark(from rows, at store.Mark) bool {
	mark, err := readMark(f.mark.path)
	if err != nil || mark.ID != at.ID || mark.Commit > at.Commit {
		return false
	}
	if mark == f.state.markWritten {
		return true
	}
	same, err := hasCommit(from, mark)
	return err == nil && same
}

// recordCommit notes a commit of this program's own, and advances the mark, which may lag: nobody waits for it. While
// the next commit is about to be made, the mark is left to that one. The mark of a lost journal stays as it is.
// When the commit brought the log into the file, that is newer.
func (f *file) recordCommit(m store.Mark) {
	f.state.last = m
	patience, waiting := f.queue.Patience(f.linger)
	soon := waiting && patience <= f.linger
	if m.ID != "" && (!soon || m.Commit >= f.state.marked+mostUnmarked) {
		if f.state.hasMark = f.hasMark(f.writer, m); f.state.hasMark && f.mark.advance(m) == nil {
			f.state.markWritten = m
		}
		f.state.marked = m.Commit
	}
	if now, err := os.Stat(f.path); err == nil {
		_ = f.recheckFile(now, f.writer) // what is wrong with it stops the next commit
	}
}
