package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"billfold/ledger"
	"billfold/ledger/usertext"
	"billfold/osfile"
	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// Owner holds what a wallet knows about its journal.
type Owner struct {
	ID    string         // the journal's identity; "" if none was ever claimed
	Chain ledger.ChainID // zero if unknown
}

// Restored is the result of Restore.
type Restored struct {
	Aside string // folder with what was there before; "" if there was nothing
	Lost  error  // what still keeps the wallet from spending; nil unless restored with older
}

// Restore replaces the journal at path, which nobody may have open, with a copy. The copy is read together with the log
// beside it (from-wal), in a separate folder, and must be the owner's, undamaged, and as far as the mark says; with
// older it may lack changes. What was there is kept, and nothing changes before the copy has been found good. All
// changes are on disk on return.
func Restore(ctx context.Context, path, from string, owner Owner, older bool) (done Restored, err error) {
	if sameFile(path, from) {
		return done, fmt.Errorf("%s is the journal in use; name a copy of it", from)
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+".restoring-")
	if err != nil {
		return done, fmt.Errorf("the copy cannot be checked beside the journal: %w; make the wallet's folder writable",
			database.Explain(path, err))
	}
	defer os.RemoveAll(folder) //nolint:errcheck // nothing uses what may be left of it //nolint:errcheck
	c := journalCopy{from: from, path: filepath.Join(folder, filepath.Base(path)), owner: owner}
	if err := c.fetch(filepath.Join(filepath.Dir(path), MarkName)); err != nil {
		return done, err
	}
	commits, err := c.check(ctx)
	lost, isLost := errors.AsType[*store.LostError](err)
	switch {
	case isLost && (!older || lost.Kind != store.Older && lost.Kind != store.NoMark && lost.Kind != store.Unowned):
		return done, c.refusal(lost)
	case isLost:
		done.Lost = lost
	case err != nil:
		return done, err
	}
	release := func() {}
	for same := false; !same; { // until nobody has written to what is replaced since it was looked at
		before := positionAt(path)
		if at := ownCommits(ctx, path, owner); at > commits {
			return done, fmt.Errorf("the journal in use is the wallet's own and has %d changes, the copy %s has %d; leave it where it is",
				at, from, commits)
		}
		if release, same, err = holdToReplace(path, before); err != nil {
			return done, err
		}
		if !same {
			release()
		}
	}
	done.Aside, err = putAside(path)
	release() // who has waited finds no file at the path, and writes nothing
	if err != nil {
		return done, fmt.Errorf("the present journal cannot be moved aside: %w; nothing was put in its place, "+
			"do it again once the folder is writable", err)
	}
	if err := errors.Join(osfile.Rename(c.path, path), osfile.SyncFolder(filepath.Dir(path))); err != nil {
		return done, fmt.Errorf("the copy cannot be put in place: %w; what was there is in %s", err, done.Aside)
	}
	return done, nil
}

// Adopt makes the file at path, which came out of a backup of that time and which nobody has open, the journal of its folder. It must be
// a whole journal. A wallet spends nothing with it before the ledger was read from then on, see Renew: others of its payments may have been
// made since. Errors name the backup, and are sentences.
func Adopt(ctx context.Context, path, backup string, made time.Time, owner Owner) error {
	c := journalCopy{from: path, path: path, shown: backup, owner: owner}
	_, err := c.check(ctx)
	if _, lost := errors.AsType[*store.LostError](err); err != nil && !lost { // whose it is shows when it is used
		return err
	}
	mark := filepath.Join(filepath.Dir(path), MarkName)
	text := fmt.Sprintf("%s%s\n", restoredMark, made.UTC().Format(time.RFC3339))
	// Its time is taken for that of the last change, see payment.JournalState.
	return errors.Join(osfile.Replace(mark, []byte(text)), os.Chtimes(mark, made, made))
}

func sameFile(path, other string) bool {
	a, err := os.Stat(path)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// journalCopy is a journal copied to where it can be opened without touching the original.
type journalCopy struct {
	from, path string
	shown      string // what errors call it; "" = from
	owner      Owner
}

func (c journalCopy) name() string { return cmp.Or(c.shown, c.from) }

// start returns the first bytes of the copy, by which other files are known.
func (c journalCopy) start() []byte {
	file, err := os.Open(c.path)
	if err != nil {
		return nil
	}
	defer file.Close() //nolint:errcheck // it is only read
	start := make([]byte, usertext.StartOfWallet)
	n, _ := io.ReadFull(file, start)
	return start[:n]
}

// fetch copies the file, its log, if any, and the wallet's mark.
func (c journalCopy) fetch(mark string) error {
	if err := copyTo(c.path, c.from); err != nil {
		if full, is := errors.AsType[*database.FullError](database.Explain(c.path, err)); is { // it was read; where it goes has no room
			return fmt.Errorf("nothing was restored, and the journal is as it was: %w", full)
		}
		return fmt.Errorf("the copy cannot be read: %w; name the file of a journal, such as payments.db of a backup",
			database.Explain(c.path, err))
	}
	if err := copyTo(c.path+"-wal", c.from+"-wal"); err != nil && !isMissing(err) {
		return fmt.Errorf("the log of the copy cannot be read: %w; without it the copy is not whole", database.Explain(c.path, err))
	}
	if err := copyTo(filepath.Join(filepath.Dir(c.path), MarkName), mark); err != nil && !isMissing(err) {
		return fmt.Errorf("the mark of the journal cannot be read: %w", database.Explain(c.path, err))
	}
	return nil
}

func copyTo(to, from string) error {
	switch info, err := os.Stat(from); { // opening a pipe would wait for its writer
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", from)
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // it was only read
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, source)
	return errors.Join(err, file.Sync(), file.Close())
}

// check reads the copy, migrates it to this version and copies its log into it. Errors: *store.LostError, and sentences.
func (c journalCopy) check(ctx context.Context) (commits int64, err error) {
	if err := c.isJournal(ctx); err != nil {
		return 0, err
	}
	j, err := openFile(c.path, Options{})
	if err != nil {
		return 0, fmt.Errorf("the copy %s cannot be used: %w; name another one", c.name(), err)
	}
	at, err := j.Position(ctx)
	if err == nil {
		err = c.ofChain(ctx, j.db.Load())
	}
	lost := j.Check(ctx, c.owner.ID)
	if err == nil {
		err = c.checkpoint(ctx, j.db.Load())
	}
	if err := errors.Join(err, j.Close()); err != nil {
		return at.Commit, err
	}
	return at.Commit, lost
}

// isJournal refuses anything but the complete file of a journal, before anything is written to it.
func (c journalCopy) isJournal(ctx context.Context) error {
	db, err := database.Open(c.path, database.Durable)
	if err != nil {
		return fmt.Errorf("the copy %s cannot be used: %w", c.name(), database.Explain(c.path, err))
	}
	defer db.Close() //nolint:errcheck // it is opened again
	var tables int
	err = db.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master
		WHERE type = 'table' AND name IN ('payments', 'journal_version')`).Scan(&tables)
	if err != nil || tables != 2 {
		if own := usertext.OfWallet(c.start()); own != nil {
			return fmt.Errorf("%s is not a payment journal: %w", c.name(), own)
		}
		return fmt.Errorf("%s is not a payment journal, or it is damaged; name another copy of payments.db", c.name())
	}
	if !isWhole(ctx, db) {
		return fmt.Errorf("the copy %s is damaged; name another one", c.name())
	}
	return nil
}

// isWhole reports whether every page of a database can be read.
func isWhole(ctx context.Context, db *sql.DB) bool {
	var said string
	err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&said)
	return err == nil && said == "ok"
}

// ofChain refuses payments that were signed for another chain than the wallet's.
func (c journalCopy) ofChain(ctx context.Context, db *sql.DB) error {
	if c.owner.Chain == (ledger.ChainID{}) {
		return nil
	}
	var others int
	err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM payments WHERE chain NOT IN ('', ?)`, c.owner.Chain.String()).Scan(&others)
	if err == nil && others > 0 {
		err = fmt.Errorf("the copy %s has payments of another chain than this wallet's; name a copy of this wallet's journal", c.name())
	}
	return err
}

// checkpoint copies the log into the file.
func (c journalCopy) checkpoint(ctx context.Context, db *sql.DB) error {
	var busy, inLog, moved int
	if err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &inLog, &moved); err != nil || busy != 0 {
		return errors.Join(fmt.Errorf("the log of the copy %s cannot be merged into it", c.name()), database.Explain(c.path, err))
	}
	return nil
}

// refusal returns why a copy must not replace the journal, and what to do instead.
func (c journalCopy) refusal(lost *store.LostError) error {
	switch lost.Kind {
	case store.Older:
		return fmt.Errorf("the copy %s is an older one: it has %d of the %d changes that were written; "+
			"look for a later one (with its -wal file), or put it back with --older and go on with billfold journal accept", c.from,
			lost.Have, lost.Want)
	case store.NoMark:
		return fmt.Errorf("how far the journal had come is not known, because %s is missing or damaged, so the copy %s may lack payments; "+
			"if the backup has that file of the same moment, put it beside the journal and restore again; if there is none, restore with --older, "+
			"and billfold journal accept looks for what is missing on the ledger", MarkName, c.from)
	case store.Unowned:
		return fmt.Errorf("the key file is newer than the copy %s and does not know how far it had come, so the copy may lack payments; "+
			"put the key file of the same time back, or restore with --older and go on with billfold journal accept", c.from)
	case store.Missing, store.Foreign, store.Behind, store.Moved:
	}
	return fmt.Errorf("the copy %s is not of this wallet's journal, or was used elsewhere since; name another one, "+
		"or go on with billfold journal accept", c.from)
}

// ownCommits returns how many changes the journal at path has; 0 if it is not the wallet's own, or damaged.
func ownCommits(ctx context.Context, path string, owner Owner) int64 {
	if _, err := os.Stat(path); err != nil {
		return 0
	}
	j, err := openFile(path, Options{})
	if err != nil {
		return 0
	}
	defer j.Close() //nolint:errcheck // it was only read
	if db := j.db.Load(); j.Check(ctx, owner.ID) != nil || db != nil && !isWhole(ctx, db) {
		return 0
	}
	at, err := j.Position(ctx)
	if err != nil {
		return 0
	}
	return at.Commit
}

// putAside moves the journal and its log into a new folder and returns that; "" if there was nothing. The file goes
// first: if the power fails, nobody opens what is left of it.
func putAside(path string) (aside string, err error) {
	var present []string
	for _, end := range []string{"", "-wal", "-shm"} {
		if _, err := os.Lstat(path + end); err == nil {
			present = append(present, path+end)
		}
	}
	if len(present) == 0 {
		return "", nil
	}
	if aside, err = freeFolder(path + ".replaced-" + time.Now().UTC().Format("20060102T150405")); err != nil {
		return "", err
	}
	for _, file := range present {
		if err := osfile.Rename(file, filepath.Join(aside, filepath.Base(file))); err != nil {
			return "", err
		}
	}
	return aside, errors.Join(osfile.SyncFolder(aside), osfile.SyncFolder(filepath.Dir(path)))
}

// freeFolder creates a folder under a name that is not taken yet.
func freeFolder(name string) (string, error) {
	for i := 1; ; i++ {
		path := name
		if i > 1 {
			path = fmt.Sprintf("%s-%d", name, i)
		}
		if err := os.Mkdir(path, 0o700); err == nil || !errors.Is(err, os.ErrExist) {
			return path, err
		}
	}
}
