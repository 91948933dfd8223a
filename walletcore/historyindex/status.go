package historyindex

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/printable"
)

// Status describes which rows of an account the index has: those with the account's
// own counts from Bottom to Top. Apart from Account it is zero for an account that was
// never read; an account without operations has Bottom 1 and Top 0.
type Status struct {
	Account  ledger.AccountID
	Bottom   uint64
	Top      uint64
	Whole    bool           // nothing older than Bottom can be had
	Final    uint32         // rows in blocks up to this one never change
	Head     uint32         // the rows are complete up to this block; 0: Top is not the newest row
	HeadID   ledger.BlockID // of that block
	HeadTime ledger.Time    // of that block
	Total    uint64         // how many operations the account had when it was last read
}

// Known reports whether the account was read before.
func (s Status) Known() bool { return s.Bottom != 0 }

// Rows returns how many rows the index has.
func (s Status) Rows() uint64 { return s.Top + 1 - s.Bottom }

// Status returns the status of an account.
func (x *Index) Status(ctx context.Context, account ledger.AccountID) (out Status, err error) {
	out.Account = account
	err = x.reading(ctx, func(tx *sql.Tx) (err error) {
		out, err = readStatus(tx, account)
		return err
	})
	return out, err
}

func readStatus(tx *sql.Tx, account ledger.AccountID) (Status, error) {
	s := Status{Account: account}
	var head string
	err := tx.QueryRow(`SELECT bottom, top, whole, final, head, head_id, head_time, total FROM standings WHERE account = ?`,
		uint64(account)).
		Scan(&s.Bottom, &s.Top, &s.Whole, &s.Final, &s.Head, &head, &s.HeadTime, &s.Total)
	if errors.Is(err, sql.ErrNoRows) {
		return s, nil
	}
	if err == nil {
		s.HeadID, err = ledger.ParseBlockID(head)
	}
	return s, err
}

func putStatus(tx *sql.Tx, s Status) error {
	if _, err := tx.Exec(`DELETE FROM standings WHERE account = ?`, uint64(s.Account)); err != nil {
		return err
	}
	_, err := tx.Exec(
		`INSERT INTO standings (account, bottom, top, whole, final, head, head_id, head_time, total) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		uint64(s.Account), s.Bottom, s.Top, flag(s.Whole), s.Final, s.Head, s.HeadID.String(), uint32(s.HeadTime), s.Total)
	return err
}

// flag returns a boolean as a number, since databases differ in how they store booleans.
func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Check compares the number of stored rows of an account with its status. If they
// differ it forgets the account, and failure is a sentence about it.
func (x *Index) Check(ctx context.Context, account ledger.AccountID) (failure string, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		s, err := readStatus(tx, account)
		if err != nil {
			return err
		}
		var rows, raws, low, high uint64
		if err := tx.QueryRow(`SELECT COUNT(*), COALESCE(MIN(seq), 0), COALESCE(MAX(seq), 0) FROM operations WHERE account = ?`,
			uint64(account)).Scan(&rows, &low, &high); err != nil {
			return err
		}
		if err := tx.QueryRow(`SELECT COUNT(*) FROM records WHERE account = ?`, uint64(account)).Scan(&raws); err != nil {
			return err
		}
		switch want := s.Rows(); {
		case !s.Known() && rows == 0 && raws == 0:
		case !s.Known() || rows != want || raws != want || want > 0 && (low != s.Bottom || high != s.Top):
			failure = fmt.Sprintf("the history index of account %s has %s instead of %d; it is being rebuilt", account,
				printable.Many(rows, "row"), want)
		}
		return nil
	})
	if err == nil && failure != "" {
		err = x.Forget(ctx, account)
	}
	return failure, err
}

// Forget removes all rows of an account.
func (x *Index) Forget(ctx context.Context, account ledger.AccountID) error {
	return x.remove(ctx, func(tx *sql.Tx) error {
		for _, table := range []string{"operations", "records", "also_moved", "standings", "balance_hours", "balance_runs"} {
			if _, err := tx.Exec(`DELETE FROM `+table+` WHERE account = ?`, uint64(account)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Unchanged returns the statuses of those accounts whose rows cannot have changed, given the total number of operations
// that each has on the chain: either the index has that many and its newest row is final, or there are none at all.
func (x *Index) Unchanged(ctx context.Context, accounts []ledger.AccountID, totals []uint64) (found []Status, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		found = nil
		for i, id := range accounts {
			s, err := readStatus(tx, id)
			if err != nil {
				return err
			}
			unchanged, err := s.unchanged(tx, totals[i])
			if err != nil {
				return err
			}
			if unchanged {
				found = append(found, s)
			}
		}
		return nil
	})
	return found, err
}

// unchanged reports whether the rows cannot have changed if the account has total operations.
func (s Status) unchanged(tx *sql.Tx, total uint64) (bool, error) {
	switch {
	case total == 0 && (!s.Known() || s.Top == 0):
		return true, nil
	case !s.Known() || s.Head == 0 || s.Top != total:
		return false, nil
	}
	var block uint32
	err := tx.QueryRow(`SELECT block FROM operations WHERE account = ? AND seq = ?`, uint64(s.Account), s.Top).Scan(&block)
	return block <= s.Final, err
}

// MarkUnchanged records in one change that the rows of accounts are complete up to the head of batch. Error: ErrMoved.
func (x *Index) MarkUnchanged(ctx context.Context, unchanged []Status, batch Batch) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		for _, prev := range unchanged {
			if err := checkUnmoved(tx, prev); err != nil {
				return err
			}
			batch.From, batch.Total = prev.Top+1, prev.Top
			now, err := prev.extended(batch)
			if err != nil {
				return err
			}
			if err := putStatus(tx, now); err != nil {
				return err
			}
		}
		return nil
	})
}
