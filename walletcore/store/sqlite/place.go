package sqlite

import (
	"context"
	"os"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// inPlace checks that the files that are open are those that the next run will find. It costs two
// looks at the folder, unless the file was written to by somebody else since the last commit.
func (f *file) inPlace() error {
	now, err := os.Stat(f.path)
	if err != nil || !os.SameFile(now, f.at.file) {
		return store.ErrReplaced
	}
	if f.writer == nil {
		return nil
	}
	log, err := os.Stat(f.path + "-wal")
	if err != nil || !os.SameFile(log, f.at.log) {
		return store.ErrReplaced
	}
	return f.lookAgain(now, f.writer)
}

// How often a file is read that a program which shares the journal is bringing its log into: one that reads as an older
// one or as none, and one whose pages do not fit together.
const (
	lookTries = 5
	tornTries = 150
	lookPause = 20 * time.Millisecond
)

// lookAgain reads the file without its log when it is not as it was. A log that was brought into
// it makes it newer; one that is older, or of another journal, was put there by somebody. While somebody reads, SQLite
// brings only those pages into the file that nobody writes meanwhile, so that it cannot be read without its
// log until the rest is there as well: the writer brings it.
func (f *file) lookAgain(now os.FileInfo, writer *connection) error {
	for torn, older := 0, 0; torn < tornTries && older < lookTries; time.Sleep(lookPause) {
		if now.Size() == f.at.size && now.ModTime().Equal(f.at.changed) {
			return nil
		}
		floor, same, err := floorOf(f.path, f.at.floor)
		switch {
		case err == nil && same:
			f.at.size, f.at.changed, f.at.floor = now.Size(), now.ModTime(), floor
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

// floorOf reads the mark that the file has without its log, and whether that comes after before.
func floorOf(path string, before store.Mark) (m store.Mark, after bool, err error) {
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
	same, err := madeIn(from, before)
	return m, same, err
}

// stand notes what the writer stands on, once it is open. What this program saw last must be there.
func (f *file) stand(writer *connection) error {
	last, same, err := follows(writer, f.at.last)
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
	at := footing{file: f.at.file, last: last, marked: last.Commit, hasMark: f.hasMark(writer, last)}
	if at.log, err = os.Stat(f.path + "-wal"); err != nil {
		return store.ErrReplaced
	}
	now, err := os.Stat(f.path)
	if err != nil {
		return store.ErrReplaced
	}
	f.at = at
	return f.lookAgain(now, writer)
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
	if mark == f.at.wrote {
		return true
	}
	same, err := madeIn(from, mark)
	return err == nil && same
}

// stepped notes a commit of this program's own, and advances the mark, which may lag: nobody waits for it. While
// the next commit is about to be made, the mark is left to that one. The mark of a lost journal stays as it is.
// When the commit brought the log into the file, that is newer.
func (f *file) stepped(m store.Mark) {
	f.at.last = m
	patience, waiting := f.queue.Patience(f.linger)
	soon := waiting && patience <= f.linger
	if m.ID != "" && (!soon || m.Commit >= f.at.marked+mostUnmarked) {
		if f.at.hasMark = f.hasMark(f.writer, m); f.at.hasMark && f.mark.advance(m) == nil {
			f.at.wrote = m
		}
		f.at.marked = m.Commit
	}
	if now, err := os.Stat(f.path); err == nil {
		_ = f.lookAgain(now, f.writer) // what is wrong with it stops the next commit
	}
}
