package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"billfold/ledger"
)

// Draft is a form saved for later, encrypted.
type Draft struct {
	Number int64 // in the order of saving, from 1
	Saved  time.Time
	Sealed string
}

// ErrManyDrafts means that an account has as many drafts as it may have.
var ErrManyDrafts = errors.New("too many drafts")

// Drafts stores drafts by account.
type Drafts struct{ engine Engine }

// Add stores a draft and returns its number. Errors: ErrManyDrafts if the account has most drafts already, those of the file.
func (d *Drafts) Add(ctx context.Context, account ledger.AccountID, at time.Time, sealed string, most int) (number int64, err error) {
	return d.add(ctx, account, Draft{Saved: at, Sealed: sealed}, most)
}

// Restore stores a dropped draft again and returns its number: the one that it had, unless another
// draft has that now. Errors: those of Add.
func (d *Drafts) Restore(ctx context.Context, account ledger.AccountID, dropped Draft, most int) (number int64, err error) {
	return d.add(ctx, account, dropped, most)
}

// add stores a draft, under its own number if that is not 0 and is free.
func (d *Drafts) add(ctx context.Context, account ledger.AccountID, kept Draft, most int) (number int64, err error) {
	err = d.engine.Write(ctx, Change{Apply: func(tx Tx) (refusal, failure error) {
		var have int
		if err := tx.QueryRow(`SELECT COUNT(*) FROM saved_forms WHERE account = ?`, account.String()).Scan(&have); err != nil {
			return nil, err
		}
		if have >= most {
			return ErrManyDrafts, nil
		}
		for number = kept.Number; ; number = 0 { // another server may take it first
			if number == 0 {
				if err := tx.QueryRow(`SELECT COALESCE(MAX(id), 0) + 1 FROM saved_forms`).Scan(&number); err != nil {
					return nil, err
				}
			}
			written, err := changedRow(tx.Exec(`INSERT INTO saved_forms (id, account, saved_at, sealed) VALUES (?, ?, ?, ?)
				ON CONFLICT DO NOTHING`, number, account.String(), kept.Saved.Unix(), kept.Sealed))
			if written || err != nil {
				return nil, err
			}
		}
	}})
	return number, err
}

// List reads the drafts of an account, newest first.
func (d *Drafts) List(ctx context.Context, account ledger.AccountID) (list []Draft, err error) {
	db := d.engine.Reader()
	if db == nil {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT id, saved_at, sealed FROM saved_forms WHERE account = ? ORDER BY saved_at DESC, id DESC`,
		account.String())
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

// Drop deletes a draft and returns it. For one that is gone already it returns the zero Draft and no error.
func (d *Drafts) Drop(ctx context.Context, number int64) (dropped Draft, err error) {
	if d.engine.Reader() == nil {
		return dropped, nil
	}
	err = change(ctx, d.engine, func(tx Tx) error {
		var at int64
		dropped = Draft{Number: number}
		err := tx.QueryRow(`SELECT saved_at, sealed FROM saved_forms WHERE id = ?`, number).Scan(&at, &dropped.Sealed)
		switch dropped.Saved = time.Unix(at, 0).UTC(); {
		case errors.Is(err, sql.ErrNoRows):
			dropped = Draft{}
			return nil
		case err != nil:
			return err
		}
		_, err = tx.Exec(`DELETE FROM saved_forms WHERE id = ?`, number)
		return err
	})
	return dropped, err
}

// DropDraft returns the change that deletes a draft. Deleting one that is gone is not an error.
func DropDraft(number int64) Change {
	return Change{Apply: func(tx Tx) (refusal, failure error) {
		_, err := tx.Exec(`DELETE FROM saved_forms WHERE id = ?`, number)
		return nil, err
	}}
}

// ErrDraftGone means that a draft was deleted or rewritten since it was read.
var ErrDraftGone = errors.New("the draft was deleted or changed since it was read")

// TakeDraft returns the change that deletes a draft as it was read. What is written with it is refused with ErrDraftGone if the draft was
// deleted or rewritten since.
func TakeDraft(read Draft) Change {
	return Change{Apply: func(tx Tx) (refusal, failure error) {
		took, err := changedRow(tx.Exec(`DELETE FROM saved_forms WHERE id = ? AND sealed = ?`, read.Number, read.Sealed))
		if err == nil && !took {
			return ErrDraftGone, nil
		}
		return nil, err
	}}
}

// Take deletes a draft as it was read. Errors: ErrDraftGone, those of the file.
func (d *Drafts) Take(ctx context.Context, read Draft) error {
	return d.engine.Write(ctx, TakeDraft(read))
}

// Rewrite replaces the text of a draft as it was read. Errors: ErrDraftGone, those of the file.
func (d *Drafts) Rewrite(ctx context.Context, read Draft, sealed string) error {
	return d.engine.Write(ctx, Change{Apply: func(tx Tx) (refusal, failure error) {
		wrote, err := changedRow(tx.Exec(`UPDATE saved_forms SET sealed = ? WHERE id = ? AND sealed = ?`, sealed, read.Number, read.Sealed))
		if err == nil && !wrote {
			return ErrDraftGone, nil
		}
		return nil, err
	}})
}
