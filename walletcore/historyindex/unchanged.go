package historyindex

import (
	"context"
	"database/sql"

	"billfold/ledger"
)

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
