package historyindex

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"billfold/walletcore/database"
)

// errVersion says that the file's tables are not those of this program.
var errVersion = errors.New("the history index is of another version")

// damaged reports that the file itself is broken.
func damaged(err error) bool { return database.Damaged(err) }

// unusable reports that a file that was just opened is broken, or has other tables.
func unusable(err error) bool {
	var e *sqlite.Error
	return damaged(err) || errors.Is(err, errVersion) || errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_ERROR
}

// fault sets a broken file aside; the error stays, for the caller to go without.
func (x *Index) fault(s *store, err error) error {
	if err == nil || !damaged(err) {
		return database.Explain(x.path, err)
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	if x.current() != s { // somebody else was faster
		return err
	}
	return errors.Join(err, x.setAside(s, "damaged", "it was damaged"))
}

// setAside closes the file, renames it and notes why. Only the latest of each
// kind is kept. The caller holds writing.
func (x *Index) setAside(s *store, kind, why string) error {
	aside := x.path + "." + kind
	x.mu.Lock()
	x.store = nil
	x.notice = fmt.Sprintf("the history index is built anew: %s; the old file is kept as %s", why, aside)
	x.mu.Unlock()
	if s != nil {
		_ = s.close() // it is of no use any more, whatever closing says
	}
	for _, part := range []string{"-wal", "-shm", ""} {
		err := os.Rename(x.path+part, aside+part)
		if errors.Is(err, fs.ErrNotExist) {
			err = os.Remove(aside + part) // one of an older file
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the history index %s is %s, and it cannot be renamed: %w; remove it", x.path, kind, err)
		}
	}
	return nil
}
