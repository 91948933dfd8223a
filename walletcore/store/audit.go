package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
)

// Audit stores the audit log.
type Audit struct {
	engine Engine

	// The latest record, and the transaction that wrote it. Only the writer uses them.
	in   Tx
	last AuditRecord
}

// Append returns the change that appends the record which next makes from the latest one; the zero record if there is none.
func (a *Audit) Append(next func(tx Tx, last AuditRecord) (AuditRecord, error), kept func()) Change {
	return Change{Last: true, Kept: kept, Apply: func(tx Tx) (refusal, failure error) {
		last, err := a.lastRecord(tx)
		if err != nil {
			return nil, err
		}
		r, err := next(tx, last)
		if err != nil {
			return nil, err
		}
		if shared, ok := tx.(SharedTx); ok {
			shared.AddRecord(r)
			return nil, nil
		}
		_, err = tx.Exec(`INSERT INTO audit (number, entry, hash) VALUES (?, ?, ?)`, r.Number, r.Text, r.Hash)
		if err == nil {
			a.in, a.last = tx, r
		}
		return nil, err
	}}
}

// lastRecord returns the record that the next one follows; the zero record if there is none. The record in memory serves
// as long as the transaction is the same: records are written last, so none is undone without the whole transaction.
func (a *Audit) lastRecord(tx Tx) (last AuditRecord, err error) {
	if shared, ok := tx.(SharedTx); ok {
		return shared.LastRecord()
	}
	if tx == a.in {
		return a.last, nil
	}
	err = tx.QueryRow(`SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1`).Scan(&last.Number, &last.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return last, err
}

// Last reads the number of the latest record; 0 if there is none.
func (a *Audit) Last(ctx context.Context) (number int64, err error) {
	db := a.engine.Reader()
	if db == nil {
		return 0, nil
	}
	err = db.QueryRowContext(ctx, `SELECT COALESCE(MAX(number), 0) FROM audit`).Scan(&number)
	return number, a.engine.Explain(err)
}

// Write writes a change and waits for the disk.
func (a *Audit) Write(ctx context.Context, c Change) error { return a.engine.Write(ctx, c) }

// Note writes a change soon; see Engine.Note.
func (a *Audit) Note(c Change) error { return a.engine.Note(c) }

// Records calls visit for every record, in order, until visit returns an error: first those in archives, then those in the store.
func (a *Audit) Records(ctx context.Context, visit func(AuditRecord) error) error {
	if err := a.engine.Write(ctx); err != nil { // first writes what was noted
		return err
	}
	db := a.engine.Reader()
	if db == nil {
		return nil
	}
	for last := int64(-1); ; {
		archived, err := a.archivedRecords(ctx, max(last, 0), visit)
		if err != nil || archived == last { // what is missing is in no archive
			if err == nil {
				err = a.stored(ctx, db, last, false, visit)
			}
			return err
		}
		last = archived
		if err := a.stored(ctx, db, last, true, visit); !errors.Is(err, errMovedMeanwhile) {
			return err
		}
	}
}

// errMovedMeanwhile means that records were moved into an archive after the archives were read.
var errMovedMeanwhile = errors.New("records were archived meanwhile")

// stored calls visit for every record in the store after the record last. With connected, the first has to be the next one.
func (a *Audit) stored(ctx context.Context, db *sql.DB, last int64, connected bool, visit func(AuditRecord) error) error {
	after := last
	if last == 0 { // one that was slipped in before the first is seen, too
		after = math.MinInt64
	}
	rows, err := db.QueryContext(ctx, `SELECT number, entry, hash FROM audit WHERE number > ? ORDER BY number`, after)
	if err != nil {
		return a.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r AuditRecord
		if err := rows.Scan(&r.Number, &r.Text, &r.Hash); err != nil {
			return a.engine.Explain(err)
		}
		if connected && r.Number > last+1 {
			return errMovedMeanwhile
		}
		connected = false
		if err := visit(r); err != nil {
			return err
		}
	}
	return a.engine.Explain(rows.Err())
}
