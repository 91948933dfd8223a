package sqlite

import (
	"context"
	"fmt"
	"os"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// checkInPlace checks that the open files are those that the next run will find. It costs two stat calls, unless
// somebody else has written to the file since the last commit.
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
	return f.recheckWritten(now)
}

// recheckWritten is recheckFile for a file into which others may have copied the log as well.
func (f *file) recheckWritten(now os.FileInfo) error {
	if now.Size() != f.state.size || !now.ModTime().Equal(f.state.changed) {
		if err := f.checkMixture(); err != nil {
			return err
		}
	}
	return f.recheckFile(now, f.writer)
}

// checkMixture refuses a file that was written to, if its payments are not all found by their ids: one that was put there and got the log of
// the other since has the newest row of all. A new connection reads it, which has kept no page of before.
func (f *file) checkMixture() error {
	c, err := connect(f.path)
	if err != nil {
		return nil // what that means is found out otherwise
	}
	defer c.close() //nolint:errcheck // it was only read
	if err := checkIndex(c, f.path); isDamaged(err) || database.Damaged(err) {
		return fmt.Errorf("%w (%s)", store.ErrReplaced, err)
	}
	return nil
}

// isInPlace reports whether the open file is the one that the next run will find, and its log its own.
func (f *file) isInPlace() bool {
	if f.writer != nil {
		return f.checkInPlace() == nil
	}
	now, err := os.Stat(f.path)
	return err == nil && (f.state.file == nil || os.SameFile(now, f.state.file)) && checkLog(f.path) == nil
}

// How often a file is read again while a program that shares the journal copies its log into it: one that seems to be another, and one
// that was made a moment ago, into which nothing may have been copied yet.
const (
	rereadTries = 5
	newRereads  = 150
	rereadPause = 20 * time.Millisecond
)

// recheckFile reads the file without its log if it has changed. Copying a log into it makes it newer; an older file, or
// one of another journal, was put there by somebody.
//
// It must not open the index of the log itself: a process that closes a file gives up all its locks on it, SQLite's too.
func (f *file) recheckFile(now os.FileInfo, writer *connection) error {
	var why error
	for tries, isNew := 0, false; tries < rereadTries || isNew && tries < newRereads; tries++ {
		if now.Size() == f.state.size && now.ModTime().Equal(f.state.changed) {
			return nil
		}
		var head store.Mark
		if head, why = f.headInPlace(writer); why == nil {
			f.state.size, f.state.changed, f.state.floor = now.Size(), now.ModTime(), head
			return nil
		}
		if isNew = head.ID == "" && f.state.floor.ID == ""; isNew {
			if free, whole := writer.checkpoint(); free && !whole { // somebody reads; once more is copied, it is read again
				f.state.size, f.state.changed = now.Size(), now.ModTime()
				return nil
			}
		}
		time.Sleep(rereadPause)
		var err error
		if now, err = os.Stat(f.path); err != nil {
			return store.ErrReplaced
		}
	}
	return fmt.Errorf("%w (%s)", store.ErrReplaced, why)
}

// headInPlace returns the latest commit that the file has without its log. It is an error if it is not one of this journal, or older
// than the one that was there before.
func (f *file) headInPlace(writer *connection) (head store.Mark, err error) {
	head, schema, _, err := headWithoutLog(f.path)
	if err != nil {
		return head, err
	}
	last, follow, err := follows(writer, f.state.last)
	if err != nil {
		return head, err
	}
	if err := f.checkSchema(schema, head, last); err != nil {
		return head, err
	}
	kept, made, err := hasCommit(writer, head)
	same := made && (kept || head.ID == last.ID || head == store.Mark{} && f.state.floor == store.Mark{})
	switch {
	case err != nil:
		return head, err
	case !follow || !same || head.Commit < f.state.floor.Commit || head.Commit > last.Commit:
		return head, fmt.Errorf("without its log it ends with change %d of %s, and had change %d of %s before", head.Commit, head.ID,
			f.state.floor.Commit, f.state.floor.ID)
	}
	return head, nil
}

// checkSchema checks SQLite's count of changes of the tables, as the file has it without its log. A copy that SQLite made has a higher one,
// and its pages in another order, which the log does not fit. A lower count is of before a change that is still in the log. Where somebody
// has changed the tables, the file has everything.
func (f *file) checkSchema(schema int, head, last store.Mark) error {
	if schema <= f.state.schema || f.state.schema == 0 || head.Commit == last.Commit {
		return nil
	}
	return fmt.Errorf("without its log it has schema %d, not %d", schema, f.state.schema)
}

// noteSchema records the count of changes of the tables, which only a commit of others raises.
func (f *file) noteSchema(from rows) error {
	return from.QueryRow(`PRAGMA schema_version`).Scan(&f.state.schema)
}

// follows reads the latest commit, and reports whether the same journal also made the commit before.
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
	_, same, err := hasCommit(from, before)
	return m, same, err
}

// initState records the state of the files once the writer is open. The commit that this program saw last must be there.
func (f *file) initState(writer *connection) error {
	last, same, err := follows(writer, f.state.last)
	switch {
	case err != nil:
		return err
	case !same:
		return store.ErrReplaced
	}
	if before, err := os.Stat(f.path); err != nil || before.Size() != f.state.size || !before.ModTime().Equal(f.state.changed) {
		if head, schema, _, err := headWithoutLog(f.path); err == nil && f.checkSchema(schema, head, last) != nil {
			return store.ErrReplaced // into which nothing must be copied
		}
	}
	// The file gets everything, so that an older one in its place can be told from it.
	if _, err := writer.conn.ExecContext(context.Background(), `PRAGMA wal_checkpoint(PASSIVE)`); err != nil {
		return err
	}
	at := fileState{file: f.state.file, last: last, marked: last.Commit, hasMark: f.hasMark(writer, last), schema: f.state.schema}
	if at.log, err = os.Stat(f.path + "-wal"); err != nil {
		return store.ErrReplaced
	}
	now, err := os.Stat(f.path)
	if err != nil {
		return store.ErrReplaced
	}
	f.state = at
	if err := f.recheckFile(now, writer); err != nil {
		return err
	}
	return f.noteSchema(writer)
}

// maxUnmarked is the maximum number of commits by which the mark lags while another one is about to be made.
const maxUnmarked = 16

// hasMark reports whether the mark beside the file is that of a commit that the file has; at is its latest one. Only the
// mark reveals a lost journal: if it were advanced although it is missing, damaged or of a commit that the file does not
// have, the next start would take the journal as complete.
func (f *file) hasMark(from rows, at store.Mark) bool {
	mark, err := readMark(f.mark.path)
	if err != nil || mark.ID != at.ID || mark.Commit > at.Commit {
		return false
	}
	if mark == f.state.markWritten {
		return true
	}
	_, same, err := hasCommit(from, mark)
	return err == nil && same
}

// recordCommit records a commit of this program and advances the mark. The mark may lag, because nobody waits for it: if
// another commit is about to be made, that one advances it. The mark of a lost journal stays as it is. If the commit
// copied the log into the file, the file's state is updated.
func (f *file) recordCommit(m store.Mark) {
	f.state.last = m
	patience, waiting := f.queue.Patience(f.linger)
	soon := waiting && patience <= f.linger
	if m.ID != "" && (!soon || m.Commit >= f.state.marked+maxUnmarked) {
		if f.state.hasMark = f.hasMark(f.writer, m); f.state.hasMark && f.mark.advance(m) == nil {
			f.state.markWritten = m
		}
		f.state.marked = m.Commit
	}
	if now, err := os.Stat(f.path); err == nil {
		_ = f.recheckWritten(now) // what is wrong with it stops the next commit
	}
}
