package sqlite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"billfold/osfile"
	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// An archive is made so that it is whole, and known to be, before anything that it has is taken out of the store:
//
//	rows ─► temporary file ─ sync, read back, compare ─► payments-before-DAY.db ─ sync of the folder
//	                                                       │
//	                     one commit names it: from here on it is a part of the store
//	                                                       │
//	                     commits take out what it has, some hundred rows each ─► done
//
// Whenever that ends, nothing is missing: before the commit that names it the file means nothing, and after it, what is in both is read from
// the archive (records) or from the store (payments). The next archiving takes out what is left.

const (
	archivePrefix = "payments-before-"
	archiveWork   = ".archive-" // begins the names of temporary files
	archiveLock   = "store.archive.lock"
)

// ArchiveName matches the names of archives.
var ArchiveName = regexp.MustCompile(`^` + archivePrefix + `\d{4}-\d{2}-\d{2}(-\d{1,3})?\.db$`)

// Archiver moves finished payments and audit records from before a time out of the store at Path, while programs use it.
type Archiver struct {
	Path   string
	Before time.Time        // a day, UTC
	Keep   int              // how many of the newest payments stay, whatever their age: new ones are compared with them; 0 = KeptPayments
	Now    func() time.Time // nil = time.Now

	between database.Between
	pause   time.Duration // 0 = leastPause
}

// KeptPayments is the number of newest payments that stay in the store.
const KeptPayments = 1000

// archivedAtOnce is the number of rows that one commit takes out of the store. A payment waits for one such commit, seldom for two.
const archivedAtOnce = 200

// leastPause is the minimum time for which the store is left to others between two such commits.
const leastPause = 10 * time.Millisecond

// archiveColumns are the columns of payments in an archive.
const archiveColumns = store.Columns + `, origin`

var archiveSchema = []string{
	`CREATE TABLE archive (store VARCHAR(32) NOT NULL, number BIGINT NOT NULL, before_day BIGINT NOT NULL, made_at BIGINT NOT NULL)`,
	`CREATE TABLE payments (
		id TEXT PRIMARY KEY, request_key TEXT, state TEXT NOT NULL, bytes TEXT NOT NULL, expiration BIGINT NOT NULL, ref_block BIGINT NOT NULL,
		block BIGINT NOT NULL, trx_in_block BIGINT NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL, prepared_at BIGINT NOT NULL,
		sent_at BIGINT NOT NULL, in_block_at BIGINT NOT NULL, chain TEXT NOT NULL, request TEXT NOT NULL, proven SMALLINT NOT NULL,
		sure_block BIGINT NOT NULL, final_at BIGINT NOT NULL, origin SMALLINT NOT NULL)`,
	`CREATE TABLE audit (number INTEGER PRIMARY KEY, entry TEXT NOT NULL, hash VARCHAR(64) NOT NULL)`,
}

var errArchiving = errors.New("another billfold store archive is at work on this store; let it end, and run it again")

// Run archives. It returns the archive, the zero one if there is nothing to archive, and how many that were interrupted it completed. After an
// error, everything is in the store or in an archive that the store names. Errors are sentences.
func (a Archiver) Run(ctx context.Context) (made store.Archive, completed int, err error) {
	if a.Now == nil {
		a.Now = time.Now
	}
	if _, err := os.Stat(a.Path); err != nil {
		return made, 0, fmt.Errorf("there is no payment journal %s to archive from: %w", a.Path, err)
	}
	if !osfile.IsOwn(a.Path) { // the archive would be this user's alone
		return made, 0, fmt.Errorf("%s belongs to another user, who could not read what is archived from it; run this as that user", a.Path)
	}
	folder := filepath.Dir(a.Path)
	release, err := osfile.LockFile(filepath.Join(folder, archiveLock), 0)
	if errors.Is(err, osfile.ErrLocked) {
		return made, 0, errArchiving
	}
	if err != nil {
		return made, 0, fmt.Errorf("the folder of the store cannot be used: %w", err)
	}
	defer release()
	sweepArchives(folder)
	f, err := openFile(a.Path, Options{Between: a.between})
	if err != nil {
		return made, 0, err
	}
	defer f.Close() //nolint:errcheck // everything was committed
	j := &archiving{Archiver: a, f: f}
	if completed, err = j.complete(ctx); err != nil {
		return made, completed, err
	}
	made, err = j.make(ctx)
	return made, completed, explain(a.Path, err)
}

// GiveUp records in the store at path, which programs may use, that the file of the archive of that name is lost, in one commit with the change
// that with, which may be nil, returns. Errors are sentences: there is no such archive, or it is there as it was made.
func GiveUp(ctx context.Context, path, name string, with func(*store.Store) store.Change) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no payment journal %s that could have an archive: %w", path, err)
	}
	release, err := osfile.LockFile(filepath.Join(filepath.Dir(path), archiveLock), 0)
	if errors.Is(err, osfile.ErrLocked) {
		return errArchiving
	}
	if err != nil {
		return fmt.Errorf("the folder of the store cannot be used: %w", err)
	}
	defer release()
	f, err := openFile(path, Options{})
	if err != nil {
		return err
	}
	kept := store.New(f)
	defer kept.Close() //nolint:errcheck // everything was committed
	list, err := kept.Archives(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list, func(a store.Archive) bool { return a.Name == name })
	switch {
	case len(list) == 0:
		return errors.New("the store has no archives")
	case at < 0:
		return fmt.Errorf("the store has no archive %q; its archives are %s", name, archiveNames(list))
	case list[at].GivenUp:
		return fmt.Errorf("the archive %s was given up already", name)
	case CheckArchive(filepath.Dir(path), list[at]) == nil:
		return fmt.Errorf("the archive %s is beside the store, as it was made; there is nothing to give up", name)
	}
	changes := []store.Change{{Apply: list[at].GiveUp}}
	if with != nil {
		changes = append(changes, with(kept))
	}
	if err := f.Write(ctx, changes...); err != nil {
		return fmt.Errorf("the archive was not given up: %w", database.Explain(path, err))
	}
	return nil
}

func archiveNames(list []store.Archive) string {
	var names []string
	for _, a := range list {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

// ArchivesOf returns the archives that a copy of a store at path names, which nobody uses: their names and SHA-256, hexadecimal. Those that were
// given up are left out.
func ArchivesOf(ctx context.Context, path string) (map[string]string, error) {
	db, err := database.OpenFrozen(path)
	if err != nil {
		return nil, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	list, err := store.ReadArchives(ctx, db)
	sums := map[string]string{}
	for _, a := range list {
		if !a.GivenUp {
			sums[a.Name] = a.SHA256
		}
	}
	return sums, err
}

// sweepArchives removes what killed programs left in the folder. The caller holds the lock.
func sweepArchives(folder string) {
	left, _ := filepath.Glob(filepath.Join(folder, archiveWork+"*")) // the pattern is good
	for _, path := range left {
		_ = os.Remove(path) // the next one tries again
	}
}

// archiving is one run of an Archiver.
type archiving struct {
	Archiver
	f *file
}

// complete takes out of the store what is left there of archives that it names already.
func (j *archiving) complete(ctx context.Context) (completed int, err error) {
	list, err := store.ReadArchives(ctx, j.f.db.Load())
	if err != nil {
		return 0, explain(j.Path, err)
	}
	for _, one := range list {
		if one.Done {
			continue
		}
		if err := CheckArchive(filepath.Dir(j.Path), one); err != nil {
			return completed, err
		}
		if err := j.takeOut(ctx, one); err != nil {
			return completed, err
		}
		completed++
	}
	return completed, nil
}

var errAltered = errors.New("it is not as it was made")

// CheckArchive refuses an archive that is not in a folder, or not as it was made. Error: *store.ArchiveError.
func CheckArchive(folder string, a store.Archive) error {
	path := filepath.Join(folder, a.Name)
	sum, size, err := sumOf(path)
	if err == nil && (sum != a.SHA256 || size != a.Size) {
		err = errAltered
	}
	if err != nil {
		away := store.NewArchiveError(path, err)
		away.GivenUp = a.GivenUp
		return away
	}
	return nil
}

// sumOf returns the SHA-256 of a file, and its size.
func sumOf(path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close() //nolint:errcheck // it is only read
	h := sha256.New()
	size, err = io.Copy(h, file)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// make makes an archive, names it in the store, and takes out of the store what is in it.
func (j *archiving) make(ctx context.Context) (made store.Archive, err error) {
	list, err := store.ReadArchives(ctx, j.f.db.Load())
	if err != nil {
		return made, err
	}
	made = store.Archive{Number: 1, Before: j.Before, Made: j.Now().UTC().Truncate(time.Second)}
	if n := len(list); n > 0 {
		made.Number, made.Last = list[n-1].Number+1, list[n-1].Last
	}
	if err := j.checkRoom(ctx, made.Last); err != nil {
		return store.Archive{}, err
	}
	work, err := os.CreateTemp(filepath.Dir(j.Path), archiveWork) // for its owner alone
	if err == nil {
		err = work.Close()
	}
	if err != nil {
		return store.Archive{}, fmt.Errorf("the archive cannot be written: %w", database.Explain(j.Path, err))
	}
	defer os.Remove(work.Name()) //nolint:errcheck // it has its own name by then, or is not needed
	if err = j.fill(ctx, work.Name(), &made); err != nil {
		return store.Archive{}, fmt.Errorf("nothing was archived: %w", database.Explain(j.Path, err))
	}
	if made.Payments == 0 && made.Records == 0 {
		return store.Archive{}, nil
	}
	if made.Name, err = publishArchive(work.Name(), j.Before); err != nil {
		return store.Archive{}, fmt.Errorf("the archive cannot be put in place: %w", database.Explain(j.Path, err))
	}
	err = j.f.Write(ctx, store.Change{Apply: func(tx store.Tx) (refusal, failure error) { return made.Note(tx) }})
	if _, pending := errors.AsType[*store.PendingError](err); pending { // the store may name it
		return store.Archive{}, fmt.Errorf("what is older is still in the store, and in %s as well; the next billfold store archive goes on: %w", made.Name, err)
	}
	if err != nil {
		_ = os.Remove(j.f.archivePath(made.Name)) // it means nothing
		return store.Archive{}, fmt.Errorf("nothing was archived: %w", database.Explain(j.Path, err))
	}
	return made, j.takeOut(ctx, made)
}

// roomKept is the room, in bytes, that an archive leaves on the disk for payments that are made meanwhile.
const roomKept = 32 << 20

// checkRoom refuses to archive on a disk that has no room for the archive and for what the log takes meanwhile.
func (j *archiving) checkRoom(ctx context.Context, last int64) error {
	var rows, records int64
	err := j.f.db.Load().QueryRowContext(ctx, `SELECT (SELECT COALESCE(SUM(LENGTH(bytes) + LENGTH(request) + 500), 0) FROM payments
		WHERE prepared_at < ? AND `+store.Archivable+`), (SELECT COALESCE(SUM(LENGTH(entry) + 100), 0) FROM audit WHERE number > ?)`,
		j.Before.UnixMilli(), last).Scan(&rows, &records)
	if err != nil {
		return err
	}
	folder := filepath.Dir(j.Path)
	free, all, known := osfile.Room(folder)
	needed := uint64(rows+records) + min(roomKept, all/4) //nolint:gosec // sums of lengths
	if known && free < needed {
		return fmt.Errorf("the disk that holds %s has %d MiB left, and archiving needs up to %d for a while; nothing was archived: free some space, or name an earlier day",
			folder, free>>20, needed>>20+1)
	}
	return nil
}

// fill writes what is to be archived into an empty file, reads it back, and describes it in a.
func (j *archiving) fill(ctx context.Context, path string, a *store.Archive) error {
	from, err := j.f.db.Load().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer from.Rollback() //nolint:errcheck // it was only read
	var id string
	if err := from.QueryRowContext(ctx, `SELECT COALESCE((SELECT id FROM journal_identity), '')`).Scan(&id); err != nil {
		return err
	}
	written := sha256.New()
	err = writeNew(ctx, path, func(to *sql.Tx) error {
		for _, statement := range archiveSchema {
			if _, err := to.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		if _, err := to.ExecContext(ctx, `INSERT INTO archive (store, number, before_day, made_at) VALUES (?, ?, ?, ?)`, id, a.Number,
			a.Before.UnixMilli(), a.Made.UnixMilli()); err != nil {
			return err
		}
		var err error
		if a.Payments, err = copyRows(ctx, from, to, written, "payments", archiveColumns, nil, `WHERE prepared_at < ? AND `+store.Archivable+`
			AND rowid < (SELECT MAX(rowid) FROM payments)
			AND id NOT IN (SELECT id FROM payments ORDER BY prepared_at DESC, id LIMIT ?) ORDER BY prepared_at, id`,
			j.Before.UnixMilli(), cmp.Or(j.Keep, KeptPayments)); err != nil {
			return err
		}
		last := a.Last
		a.Records, err = copyRows(ctx, from, to, written, "audit", `number, entry, hash`, func(values []any) (bool, error) {
			older, err := isRecordBefore(values, last+1, j.Before)
			if older {
				last++
			}
			return older, err
		}, `WHERE number > ? AND number < (SELECT MAX(number) FROM audit) ORDER BY number`, last)
		a.Last = last
		return err
	})
	if err != nil {
		return err
	}
	back, err := readBack(ctx, path)
	if err != nil {
		return err
	}
	if hex.EncodeToString(written.Sum(nil)) != back {
		return errors.New("the archive is not read back as it was written; check the disk")
	}
	a.SHA256, a.Size, err = sumOf(path)
	return err
}

// isRecordBefore reports whether a record of the audit log, which must have that number, is from before a time.
func isRecordBefore(values []any, number int64, before time.Time) (bool, error) {
	if values[0] != number {
		return false, fmt.Errorf("the audit log lacks record %d; billfold audit verify says more", number)
	}
	var record struct {
		Time time.Time `json:"time"`
	}
	text, _ := values[1].(string)
	if err := json.Unmarshal([]byte(text), &record); err != nil {
		return false, fmt.Errorf("record %d of the audit log cannot be read; billfold audit verify says more", number)
	}
	return record.Time.Before(before), nil
}

// writeNew has fill write all of an empty file, and syncs it.
func writeNew(ctx context.Context, path string, fill func(*sql.Tx) error) error {
	db, err := database.OpenNew(path)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err == nil {
		if err = fill(tx); err == nil {
			err = tx.Commit()
		} else {
			_ = tx.Rollback() // the file is given up
		}
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// copyRows copies the rows that a condition selects into a table of the same columns, until goes, which may be nil, reports false, and adds them
// to sum.
func copyRows(ctx context.Context, from, to *sql.Tx, sum hash.Hash, table, columns string, goes func(values []any) (bool, error),
	where string, args ...any) (n int64, err error) {
	rows, err := from.QueryContext(ctx, `SELECT `+columns+` FROM `+table+` `+where, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	width := strings.Count(columns, ",") + 1
	insert, err := to.PrepareContext(ctx, `INSERT INTO `+table+` (`+columns+`) VALUES (?`+strings.Repeat(`, ?`, width-1)+`)`)
	if err != nil {
		return 0, err
	}
	defer insert.Close() //nolint:errcheck // it ends with the transaction
	for ; rows.Next(); n++ {
		values, err := scanRow(rows, width)
		if err == nil && goes != nil {
			var more bool
			if more, err = goes(values); err == nil && !more {
				return n, nil
			}
		}
		if err == nil {
			_, err = insert.ExecContext(ctx, values...)
		}
		if err != nil {
			return n, err
		}
		addRow(sum, values)
	}
	return n, rows.Err()
}

func scanRow(rows *sql.Rows, width int) ([]any, error) {
	values, into := make([]any, width), make([]any, width)
	for i := range values {
		into[i] = &values[i]
	}
	return values, rows.Scan(into...)
}

// addRow adds a row to a sum, so that no two rows add the same.
func addRow(sum hash.Hash, values []any) {
	for _, v := range values {
		text := fmt.Sprint(v)
		fmt.Fprintf(sum, "%T %d %s\n", v, len(text), text)
	}
}

// readBack returns the sum of all rows of an archive, which must be whole.
func readBack(ctx context.Context, path string) (string, error) {
	db, err := database.OpenFrozen(path)
	if err != nil {
		return "", err
	}
	defer db.Close() //nolint:errcheck // it was only read
	if !isWhole(ctx, db) {
		return "", errAltered
	}
	sum := sha256.New()
	for _, query := range []string{`SELECT ` + archiveColumns + ` FROM payments ORDER BY rowid`, `SELECT number, entry, hash FROM audit ORDER BY number`} {
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			return "", err
		}
		columns, err := rows.Columns()
		for err == nil && rows.Next() {
			var values []any
			if values, err = scanRow(rows, len(columns)); err == nil {
				addRow(sum, values)
			}
		}
		if err = errors.Join(err, rows.Err(), rows.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// publishArchive links a file under the first name for the day that is free, and returns that name.
func publishArchive(work string, before time.Time) (name string, err error) {
	folder := filepath.Dir(work)
	for n := 1; ; n++ {
		name = archivePrefix + before.UTC().Format(time.DateOnly)
		if n > 1 {
			name += fmt.Sprintf("-%d", n)
		}
		name += ".db"
		path := filepath.Join(folder, name)
		err := os.Link(work, path)
		if err != nil && !errors.Is(err, fs.ErrExist) { // the disk knows no links
			if _, there := os.Lstat(path); errors.Is(there, fs.ErrNotExist) { // nobody else makes one: the lock is held
				err = osfile.Rename(work, path)
			}
		}
		switch {
		case err == nil:
			return name, osfile.SyncFolder(folder)
		case !errors.Is(err, fs.ErrExist) || n > 99:
			return "", err
		}
	}
}

// takeOut takes out of the store what an archive has, in commits that leave room for others, and records that it is done.
func (j *archiving) takeOut(ctx context.Context, a store.Archive) error {
	path := j.f.archivePath(a.Name)
	db, err := database.OpenFrozen(path)
	if err != nil {
		return store.NewArchiveError(path, err)
	}
	defer db.Close() //nolint:errcheck // it was only read
	var last int64
	for {
		some, err := archivedPayments(ctx, db, last)
		if err != nil {
			return store.NewArchiveError(path, err)
		}
		if len(some) == 0 {
			break
		}
		if err := j.change(ctx, func(tx store.Tx) error {
			for _, p := range some {
				if err := p.takeOut(tx, a.Number); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
		last = some[len(some)-1].row
	}
	for first := a.Last - a.Records + 1; first <= a.Last; first += archivedAtOnce {
		if err := j.change(ctx, func(tx store.Tx) error {
			_, err := tx.Exec(`DELETE FROM audit WHERE number BETWEEN ? AND ? AND number < (SELECT MAX(number) FROM audit)`, first,
				min(first+archivedAtOnce-1, a.Last))
			return err
		}); err != nil {
			return err
		}
	}
	return j.change(ctx, func(tx store.Tx) error {
		_, err := tx.Exec(`UPDATE archives SET done = 1 WHERE number = ?`, a.Number)
		return err
	})
}

// change makes one change of the store, and then leaves the store to others as long as that took: whoever waits for the lock of a file looks
// for it now and then only, and would seldom find it free.
func (j *archiving) change(ctx context.Context, apply func(store.Tx) error) error {
	began := time.Now()
	defer func() { time.Sleep(max(cmp.Or(j.pause, leastPause), time.Since(began))) }()
	err := j.f.Write(ctx, store.Change{Apply: func(tx store.Tx) (refusal, failure error) { return nil, apply(tx) }})
	if err != nil {
		return fmt.Errorf("the archive is made, and not all that is in it was taken out of the store yet, which the next billfold store archive does: %w",
			database.Explain(j.Path, err))
	}
	return nil
}

// archivedPayment is a payment in an archive.
type archivedPayment struct {
	row       int64 // its place in the archive
	id, bytes string
}

func archivedPayments(ctx context.Context, db *sql.DB, after int64) (some []archivedPayment, err error) {
	rows, err := db.QueryContext(ctx, `SELECT rowid, id, bytes FROM payments WHERE rowid > ? ORDER BY rowid LIMIT ?`, after, archivedAtOnce)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p archivedPayment
		if err := rows.Scan(&p.row, &p.id, &p.bytes); err != nil {
			return nil, err
		}
		some = append(some, p)
	}
	return some, rows.Err()
}

// takeOut leaves of a payment in the store what is asked of it, and says in which archive the rest is. The row gets a number below all others,
// where rows without bytes are close together, so that whole pages become free for new payments. Numbers from 1 on stay without a gap but
// for these, which checkIndex counts on, and the highest one stays, so that none is given twice. Only a row with the very bytes that the archive
// has is changed.
func (p archivedPayment) takeOut(tx store.Tx, number int64) error {
	_, err := tx.Exec(`UPDATE payments SET rowid = -rowid, bytes = ? WHERE id = ? AND bytes = ? AND `+store.Archivable+`
		AND rowid > 0 AND rowid < (SELECT MAX(rowid) FROM payments)`, store.ArchivedIn(number), p.id, p.bytes)
	return err
}

// archivePath returns the path of an archive of that name.
func (f *file) archivePath(name string) string { return filepath.Join(filepath.Dir(f.path), name) }

// ArchivedBytes implements store.Archiving.
func (f *file) ArchivedBytes(ctx context.Context, archive int64, id string) (packed string, err error) {
	name, err := f.archiveName(ctx, archive)
	if err != nil {
		return "", explain(f.path, fmt.Errorf("archive %d, which has payment %s, is not known: %w", archive, id, err))
	}
	err = f.fromArchive(name, func(db *sql.DB) error {
		err := db.QueryRowContext(ctx, `SELECT bytes FROM payments WHERE id = ?`, id).Scan(&packed)
		if errors.Is(err, sql.ErrNoRows) {
			err = fmt.Errorf("it lacks payment %s", id)
		}
		return err
	})
	if away, is := errors.AsType[*store.ArchiveError](err); is {
		away.GivenUp = f.isGivenUp(ctx, archive)
	}
	return packed, err
}

// isGivenUp reports whether an archive was given up.
func (f *file) isGivenUp(ctx context.Context, number int64) (is bool) {
	db, err := database.Open(f.path, database.ReadOnly) // aside, as in archiveName
	if err != nil {
		return false
	}
	defer db.Close() //nolint:errcheck // it was only read
	list, err := store.ReadArchives(ctx, db)
	return err == nil && slices.ContainsFunc(list, func(a store.Archive) bool { return a.Number == number && a.GivenUp })
}

// archiveName returns the name of an archive, which never changes. Whoever asks is reading rows, and so has a connection of the readers' already:
// a second one of those could be waited for in vain, so this one is opened aside.
func (f *file) archiveName(ctx context.Context, number int64) (string, error) {
	if name, known := f.archives.Load(number); known {
		return name.(string), nil
	}
	db, err := database.Open(f.path, database.ReadOnly)
	if err != nil {
		return "", err
	}
	defer db.Close() //nolint:errcheck // it was only read
	name := ""
	if err := db.QueryRowContext(ctx, `SELECT name FROM archives WHERE number = ?`, number).Scan(&name); err != nil {
		return "", err
	}
	f.archives.Store(number, name)
	return name, nil
}

// ArchivedRecords implements store.Archiving.
func (f *file) ArchivedRecords(ctx context.Context, a store.Archive, visit func(store.AuditRecord) error) error {
	if err := CheckArchive(filepath.Dir(f.path), a); err != nil { // else records of another file would be told as changed or missing
		return err
	}
	var failure error // of visit
	err := f.fromArchive(a.Name, func(db *sql.DB) error {
		rows, err := db.QueryContext(ctx, `SELECT number, entry, hash FROM audit ORDER BY number`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r store.AuditRecord
			if err := rows.Scan(&r.Number, &r.Text, &r.Hash); err != nil {
				return err
			}
			if failure = visit(r); failure != nil {
				return nil
			}
		}
		return rows.Err()
	})
	return cmp.Or(failure, err)
}

// fromArchive has read read an archive. Its errors become *store.ArchiveError.
func (f *file) fromArchive(name string, read func(*sql.DB) error) error {
	path := f.archivePath(name)
	if !ArchiveName.MatchString(name) {
		return store.NewArchiveError(path, errors.New("no archive has such a name"))
	}
	if _, err := os.Stat(path); err != nil {
		return store.NewArchiveError(path, err)
	}
	db, err := database.OpenFrozen(path)
	if err == nil {
		err = errors.Join(read(db), db.Close())
	}
	if err != nil {
		return store.NewArchiveError(path, err)
	}
	return nil
}

var _ store.Archiving = (*file)(nil)
