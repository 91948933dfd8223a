package sqlite

import (
	"context"
	"encoding/binary"
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
	return f.recheckFile(f.writer)
}

// How often a file is read again that does not follow what it held before: while a program copies its log into it, and
// else.
const (
	copyingRereads = 150
	rereadTries    = 5
	rereadPause    = 20 * time.Millisecond
)

// recheckFile reads the file without its log if it has changed. Copying a log into it makes it newer; an older file, or
// one of another journal, was put there by somebody. SQLite copies only pages that no reader needs: for as long as
// somebody reads, the file may be unreadable without its log, or hold pages of several commits. So one that does not
// follow is another one only if SQLite copied nothing into it since the last check, or has now copied the whole log.
func (f *file) recheckFile(writer *connection) error {
	why := ""
	for copying, other := 0, 0; copying < copyingRereads && other < rereadTries; time.Sleep(rereadPause) {
		copied := readCopied(f.path) // before the file, so that it never counts what the file did not have
		now, err := os.Stat(f.path)
		if err != nil {
			return store.ErrReplaced
		}
		if now.Size() == f.state.size && now.ModTime().Equal(f.state.changed) {
			f.state.copied = copied // a log that begins anew changes it too
			return nil
		}
		untouched := copied == f.state.copied && !f.state.changed.IsZero()
		floor, same, unread := markWithoutLog(f.path, f.state.floor)
		if unread == nil && same && (f.state.fits || !untouched) {
			f.state.size, f.state.changed, f.state.copied = now.Size(), now.ModTime(), copied
			f.state.floor, f.state.fits = floor, true
			return nil
		}
		why = fmt.Sprintf("without its log it ends with change %d of %s, and had change %d of %s before", floor.Commit, floor.ID,
			f.state.floor.Commit, f.state.floor.ID)
		if unread != nil {
			why = unread.Error()
		}
		whole := untouched && !copied.underWay()
		if !untouched {
			var free bool
			if free, whole = writer.checkpoint(); free && !whole { // somebody reads; the next copying tells
				f.state.copied, f.state.fits = readCopied(f.path), false
				if now, err = os.Stat(f.path); err != nil {
					return store.ErrReplaced
				}
				f.state.size, f.state.changed = now.Size(), now.ModTime()
				return nil
			}
		}
		if copying++; whole {
			other++
		}
	}
	return fmt.Errorf("%w (%s)", store.ErrReplaced, why)
}

// copied is how much of its log SQLite has copied into a file: equal values mean that it has copied nothing in between.
type copied struct {
	salts          [8]byte // of the log, which begins anew once it was copied whole
	done, intended uint32  // frames
}

// underWay reports whether copying was begun and has not ended. After a crash it may report it where nobody copies.
func (c copied) underWay() bool { return c.done != c.intended }

// readCopied reads it from the index of the log, whose shape SQLite documents ("WAL-mode File Format", section 2); zero
// if there is none.
func readCopied(path string) (c copied) {
	index, err := os.Open(path + "-shm")
	if err != nil {
		return c
	}
	defer index.Close() //nolint:errcheck // it was only read
	var head [48]byte
	var done, intended [4]byte // apart, because bytes between them are locked
	for at, part := range map[int64][]byte{0: head[:], 96: done[:], 128: intended[:]} {
		if _, err := index.ReadAt(part, at); err != nil {
			return copied{}
		}
	}
	copy(c.salts[:], head[32:40])
	c.done, c.intended = binary.NativeEndian.Uint32(done[:]), binary.NativeEndian.Uint32(intended[:])
	return c
}

// markWithoutLog reads the mark that the file has without its log, and reports whether it follows before.
func markWithoutLog(path string, before store.Mark) (m store.Mark, after bool, err error) {
	db, err := database.OpenFrozen(path)
	if err != nil {
		return m, false, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	return follows(db, before)
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
	same, err := hasCommit(from, before)
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
	// The file gets everything, so that an older one in its place can be told from it.
	if _, err := writer.conn.ExecContext(context.Background(), `PRAGMA wal_checkpoint(PASSIVE)`); err != nil {
		return err
	}
	at := fileState{file: f.state.file, last: last, marked: last.Commit, hasMark: f.hasMark(writer, last)}
	if at.log, err = os.Stat(f.path + "-wal"); err != nil {
		return store.ErrReplaced
	}
	f.state = at
	return f.recheckFile(writer)
}

// mostUnmarked is how many commits the mark may lag while another one is about to be made.
const mostUnmarked = 16

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
	same, err := hasCommit(from, mark)
	return err == nil && same
}

// recordCommit records a commit of this program and advances the mark. The mark may lag, because nobody waits for it: if
// another commit is about to be made, that one advances it. The mark of a lost journal stays as it is. If the commit
// copied the log into the file, the file's state is updated.
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
	_ = f.recheckFile(f.writer) // what is wrong with it stops the next commit
}
