package journal

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"time"

	"billfold/walletcore/database"
)

// ErrReplaced says that the file that is open is not what is at its path any more: the
// next run would not find what is written.
var ErrReplaced = errors.New("its file was moved, removed, replaced or written over while this program used it; end the program and put the file back")

// footing is what the writer knows of the files that it writes to.
type footing struct {
	file os.FileInfo // the file that is open
	log  os.FileInfo // the writer's log; it stays while the writer is open
	last Mark        // the latest commit that this program made or found

	// The file alone, without its log. It moves on when the log is brought into it, and never back.
	size    int64
	changed time.Time
	floor   Mark
}

// inPlace checks that the files that are open are those that the next run will find. It costs two
// looks at the folder, unless the file was written to by somebody else since the last commit.
func (j *Journal) inPlace() error {
	now, err := os.Stat(j.path)
	if err != nil || !os.SameFile(now, j.at.file) {
		return ErrReplaced
	}
	if j.writer == nil {
		return nil
	}
	log, err := os.Stat(j.path + "-wal")
	if err != nil || !os.SameFile(log, j.at.log) {
		return ErrReplaced
	}
	return j.lookAgain(now)
}

// lookTries and lookPause are for a program that shares the journal and is bringing its log into the file just now.
const (
	lookTries = 5
	lookPause = 20 * time.Millisecond
)

// lookAgain reads the file without its log when it is not as it was. A log that was brought into
// it makes it newer; one that is older, or of another journal, was put there by somebody.
func (j *Journal) lookAgain(now os.FileInfo) error {
	for i := range lookTries {
		if now.Size() == j.at.size && now.ModTime().Equal(j.at.changed) {
			return nil
		}
		if i > 0 {
			time.Sleep(lookPause)
		}
		floor, same, err := floorOf(j.path, j.at.floor)
		if err == nil && same {
			j.at.size, j.at.changed, j.at.floor = now.Size(), now.ModTime(), floor
			return nil
		}
		if now, err = os.Stat(j.path); err != nil {
			return ErrReplaced
		}
	}
	return ErrReplaced
}

// floorOf reads the mark that the file has without its log, and whether that comes after before.
func floorOf(path string, before Mark) (m Mark, after bool, err error) {
	db, err := database.OpenFrozen(path)
	if err != nil {
		return m, false, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	return follows(context.Background(), db, before)
}

// follows reads the latest commit, and whether the commit before is in the same journal.
func follows(ctx context.Context, from *sql.DB, before Mark) (m Mark, after bool, err error) {
	id, err := identity(ctx, from)
	if err != nil {
		return m, false, err
	}
	if m, err = position(ctx, from, id); err != nil {
		return m, false, err
	}
	if before.ID != "" && m.ID != before.ID || m.Commit < before.Commit {
		return m, false, nil
	}
	same, err := madeIn(ctx, from, before)
	return m, same, err
}

// stand notes what the writer stands on, once it is open. What this program saw last must be there.
func (j *Journal) stand(writer *sql.DB) error {
	ctx := context.Background()
	last, same, err := follows(ctx, writer, j.at.last)
	switch {
	case err != nil:
		return err
	case !same:
		return ErrReplaced
	}
	// The file has everything, so that an older one in its place is told from it.
	if _, err := writer.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`); err != nil {
		return err
	}
	at := footing{file: j.at.file, last: last}
	if at.log, err = os.Stat(j.path + "-wal"); err != nil {
		return ErrReplaced
	}
	now, err := os.Stat(j.path)
	if err != nil {
		return ErrReplaced
	}
	j.at = at
	return j.lookAgain(now)
}

// stepped notes a commit of this program's own. When it brought the log into the file, that is newer.
func (j *Journal) stepped(m Mark) {
	j.at.last = m
	if now, err := os.Stat(j.path); err == nil {
		_ = j.lookAgain(now) // what is wrong with it stops the next commit
	}
}
