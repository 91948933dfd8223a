package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"billfold/osfile"
	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// Backup copies the journal at path into the new file to, as of one moment and with everything that its log holds, while
// programs use it. It returns how many changes the copy has. The copy is on disk on return, and no existing file is written over.
func Backup(ctx context.Context, path, to string) (changes int64, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("there is no payment journal %s to copy; name the wallet's folder with --data-dir, "+
			"or, if its store was moved (billfold store init), back up the database that it is in now", path)
	} else if err != nil {
		return 0, fmt.Errorf("the payment journal cannot be read: %w", err)
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s exists already; name a new file", to)
	}
	f, err := openFile(path, Options{}) // which knows whether it may be used
	if moved, is := errors.AsType[*store.MovedError](err); is && moved.Done {
		return 0, fmt.Errorf("nothing was copied: %w; back up that database instead", err)
	}
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	folder, err := os.MkdirTemp(filepath.Dir(to), filepath.Base(to)+".copying-")
	if err != nil {
		return 0, fmt.Errorf("the copy cannot be made: %w; name a file in a folder that can be written to", database.Explain(to, err))
	}
	defer os.RemoveAll(folder) //nolint:errcheck // nothing uses what may be left of it
	made := filepath.Join(folder, filepath.Base(to))
	if _, err = f.db.Load().ExecContext(ctx, `VACUUM INTO ?`, made); err == nil {
		changes, err = checkBackup(made)
	}
	if err != nil {
		return 0, fmt.Errorf("the copy cannot be made: %w", database.Explain(to, err))
	}
	err = os.Link(made, to) // neither way writes over a file that is there by now
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = copyTo(to, made) // the disk knows no links
	}
	if err != nil {
		return 0, fmt.Errorf("%s cannot be written: %w", to, err)
	}
	return changes, osfile.SyncFolder(filepath.Dir(to))
}

// checkBackup waits until a copy is on disk, for its owner alone, and returns how many changes it has.
func checkBackup(path string) (changes int64, err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(file.Chmod(0o600), file.Sync(), file.Close()); err != nil {
		return 0, err
	}
	db, err := database.OpenFrozen(path)
	if err != nil {
		return 0, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	at, err := position(db, "")
	return at.Commit, err
}
