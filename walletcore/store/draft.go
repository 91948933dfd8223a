package store

import (
	"context"
	"errors"
	"time"

	"billfold/ledger"
)

// Draft is a form that was kept for later, encrypted.
type Draft struct {
	Number int64 // in the order of saving, from 1 on
	Saved  time.Time
	Sealed string
}

// ErrManyDrafts means that an account has as many drafts as it may.
var ErrManyDrafts = errors.New("too many drafts")

// Drafts keeps drafts by account.
type Drafts struct{ engine Engine }

// Add keeps a draft and returns its number. Errors: ErrManyDrafts where the account has most already,
// those of the file.
func (d *Drafts) Add(ctx context.Context, account ledger.AccountID, at time.Time, sealed string, most int) (number int64, err error) {
	err = d.engine.Write(ctx, Change{Apply: func(tx Tx) (refusal, failure error) {
		var have int
		if err := tx.QueryRow(`SELECT COUNT(*) FROM saved_forms WHERE account = ?`, account.String()).Scan(&have); err != nil {
			return nil, err
		}
		if have >= most {
			return ErrManyDrafts, nil
		}
		for written := false; !written; { // another server may be faster
			err := tx.QueryRow(`SELECT COALESCE(MAX(id), 0) + 1 FROM saved_forms`).Scan(&number)
			if err == nil {
				written, err = changedRow(tx.Exec(`INSERT INTO saved_forms (id, account, saved_at, sealed) VALUES (?, ?, ?, ?)
					ON CONFLICT DO NOTHING`, number, account.String(), at.Unix(), sealed))
			}
			if err != nil {
				return nil, err
			}
		}
		return nil, nil
	}})
	return number, err
}

// List reads the drafts of an account, newest first.
func (d *Drafts) List(ctx context.Context, account ledger.AccountID) (list []Draft, err error) {
	db := d.engine.Reader()
	if db == nil {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT id, saved_at, sealed FROM saved_forms WHERE account = ? ORDER BY id DESC`, account.String())
	if err != nil {
		return nil, d.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var f Draft
		var at int64
		if err := rows.Scan(&f.Number, &at, &f.Sealed); err != nil {
			return nil, d.engine.Explain(err)
		}
		f.Saved = time.Unix(at, 0).UTC()
		list = append(list, f)
	}
	return list, d.engine.Explain(rows.Err())
}

// Drop deletes a draft; one that is gone already is no error.
func (d *Drafts) Drop(ctx context.Context, number int64) error {
	if d.engine.Reader() == nil {
		return nil
	}
	return change(ctx, d.engine, func(tx Tx) error {
		_, err := tx.Exec(`DELETE FROM saved_forms WHERE id = ?`, number)
		return err
	})
}
