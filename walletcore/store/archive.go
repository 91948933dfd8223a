package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Archive is a file to which the transactions of finished payments and records of the audit log were moved. The rest of a payment stays in the
// store for ever: its id, request key and outcome. So a request key never becomes new, and what is asked of the store is answered as before.
type Archive struct {
	Number   int64
	Name     string // of the file, in the folder of the store
	SHA256   string // of the file, hexadecimal
	Size     int64  // bytes
	Before   time.Time
	Made     time.Time
	Payments int64
	Records  int64 // of the audit log
	Last     int64 // the last of all records that were ever moved; 0 = none
	Done     bool  // all that is in the file was taken out of the store
	GivenUp  bool  // somebody said that the file is lost: what was in it is done without
}

// Archiving is an engine that can move finished payments and audit records into files. It keeps the latest audit record.
type Archiving interface {
	// ArchivedBytes reads the transaction of a payment, packed, from an archive. Error: *ArchiveError.
	ArchivedBytes(ctx context.Context, archive int64, id string) (packed string, err error)

	// ArchivedRecords calls visit for every record of an archive, in order, until visit returns an error. Error: *ArchiveError; for an archive
	// that was given up, before any call of visit.
	ArchivedRecords(ctx context.Context, a Archive, visit func(AuditRecord) error) error
}

// ArchiveError means that the file of an archive is not there, or is not as it was made.
type ArchiveError struct {
	Path    string
	GivenUp bool // the store does without it
	Err     error
}

// NewArchiveError returns the error of an archive that cannot be read.
func NewArchiveError(path string, err error) *ArchiveError {
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("there is no such file")
	}
	return &ArchiveError{Path: path, Err: err}
}

func (e *ArchiveError) Error() string {
	if e.GivenUp {
		return "the archive " + e.Path + " was given up: " + e.Err.Error()
	}
	return "the archive " + e.Path + ", which has a part of the store, cannot be read: " + e.Err.Error()
}

// Unwrap returns the error of the file.
func (e *ArchiveError) Unwrap() error { return e.Err }

// Advice returns what to do about it.
func (e *ArchiveError) Advice() string {
	if e.GivenUp {
		return "put that file back as it was if it is found after all"
	}
	return "put that file back as it was, from a backup of the wallet or a copy of the archive; if it is lost for good, billfold store give-up " +
		filepath.Base(e.Path) + " does without it"
}

// archiveMark begins the text in place of the bytes of a payment that is in an archive, whose number follows.
const archiveMark = "@"

// ArchivedIn returns the text in place of the bytes of a payment that is in an archive.
func ArchivedIn(number int64) string { return archiveMark + strconv.FormatInt(number, 10) }

// Archivable is the SQL condition for payments that may be in an archive: whose outcome is final, and which the wallet made. Those that were
// found or claimed may still change.
const Archivable = `origin = 0 AND NOT ` + OpenPayments + ` AND SUBSTR(bytes, 1, 1) <> '` + archiveMark + `'`

// Archives lists the archives of the store, oldest first.
func (s *Store) Archives(ctx context.Context) ([]Archive, error) {
	return listArchives(ctx, s.Audit.engine)
}

func listArchives(ctx context.Context, engine Engine) ([]Archive, error) {
	db := engine.Reader()
	if _, can := engine.(Archiving); !can || db == nil {
		return nil, nil
	}
	list, err := ReadArchives(ctx, db)
	return list, engine.Explain(err)
}

// ReadArchives reads the list of archives from a database.
func ReadArchives(ctx context.Context, db interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}) (list []Archive, err error) {
	rows, err := db.QueryContext(ctx, `SELECT number, name, sha256, size, before_day, made_at, payments, records, last_record, done
		FROM archives ORDER BY number`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a Archive
		var before, made, done int64
		if err := rows.Scan(&a.Number, &a.Name, &a.SHA256, &a.Size, &before, &made, &a.Payments, &a.Records, &a.Last, &done); err != nil {
			return nil, err
		}
		a.Before, a.Made, a.Done, a.GivenUp = fromMillis(before), fromMillis(made), done != 0, done == givenUp
		list = append(list, a)
	}
	return list, rows.Err()
}

// givenUp is the value of the column done of an archive that is lost.
const givenUp = 2

// GiveUp records that the file of an archive is lost. Records that were not taken out of the store yet are not those of the archive then.
func (a Archive) GiveUp(tx Tx) (refusal, failure error) {
	_, err := tx.Exec(`UPDATE archives SET done = ?, last_record = taken, records = records - last_record + taken
		FROM (SELECT MIN(?, (SELECT COALESCE(MIN(number) - 1, ?) FROM audit)) AS taken) WHERE number = ?`, givenUp, a.Last, a.Last, a.Number)
	return nil, err
}

// Note records an archive, whose file is on disk, as a part of the store. Error: ErrOtherArchive.
func (a Archive) Note(tx Tx) (refusal, failure error) {
	noted, err := changedRow(tx.Exec(`INSERT INTO archives (number, name, sha256, size, before_day, made_at, payments, records, last_record, done)
		SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, 0 WHERE (SELECT COALESCE(MAX(number), 0) + 1 FROM archives) = ?
			AND (SELECT COALESCE(MAX(last_record), 0) FROM archives) = ?`,
		a.Number, a.Name, a.SHA256, a.Size, millis(a.Before), millis(a.Made), a.Payments, a.Records, a.Last, a.Number, a.Last-a.Records))
	if err == nil && !noted {
		return ErrOtherArchive, nil
	}
	return nil, err
}

// ErrOtherArchive means that another program has archived something meanwhile.
var ErrOtherArchive = errors.New("another program has archived something meanwhile; run it again")

// hydrate adds the bytes of a payment that is in an archive.
func (e *Entry) hydrate(ctx context.Context, engine Engine) error {
	if e.archive == 0 {
		return nil
	}
	archiving, can := engine.(Archiving)
	if !can {
		return fmt.Errorf("payment %s is in an archive, which this store does not have", e.ID)
	}
	packed, err := archiving.ArchivedBytes(ctx, e.archive, e.ID.String())
	if away, is := errors.AsType[*ArchiveError](err); is && away.GivenUp {
		e.archive, e.GivenUp = 0, filepath.Base(away.Path)
		return nil
	}
	if err != nil {
		return err
	}
	e.archive = 0
	return e.setBytes(packed)
}

// parseArchive returns the number of the archive that a text in place of bytes names; 0 if it is bytes.
func parseArchive(text string) (number int64, err error) {
	digits, is := strings.CutPrefix(text, archiveMark)
	if !is {
		return 0, nil
	}
	if number, err = strconv.ParseInt(digits, 10, 64); err != nil || number <= 0 {
		return 0, fmt.Errorf("%q names no archive", text)
	}
	return number, nil
}

// archivedRecords calls visit for every record that is in an archive, after the record last, and returns the last of them.
func (a *Audit) archivedRecords(ctx context.Context, last int64, visit func(AuditRecord) error) (int64, error) {
	list, err := listArchives(ctx, a.engine)
	if err != nil {
		return last, err
	}
	for _, one := range list {
		if one.Records == 0 || one.Last <= last {
			continue
		}
		err := a.engine.(Archiving).ArchivedRecords(ctx, one, visit)
		if away, is := errors.AsType[*ArchiveError](err); is && away.GivenUp {
			err = visit(AuditRecord{Number: one.Last, Lost: one.Name})
		}
		if err != nil {
			return last, err
		}
		last = one.Last
	}
	return last, nil
}
