package historyindex

import (
	"context"
	"database/sql"

	"billfold/ledger"
)

// Still returns the statuses of those accounts whose rows the chain cannot have changed since, as each has so many operations
// there: as many as the index has, and the newest row is final; or none at all.
func (x *Index) Still(ctx context.Context, accounts []ledger.AccountID, totals []uint64) (still []Status, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		still = nil
		for i, id := range accounts {
			s, err := readStatus(tx, id)
			if err != nil {
				return err
			}
			unchanged, err := s.still(tx, totals[i])
			if err != nil {
				return err
			}
			if unchanged {
				still = append(still, s)
			}
		}
		return nil
	})
	return still, err
}

// still reports whether an account of so many operations has the rows that it had.
func (s Status) still(tx *sql.Tx, total uint64) (bool, error) {
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

// Stand notes of accounts whose rows did not change that they are complete up to the head of batch, in one change. Error: ErrMoved.
func (x *Index) Stand(ctx context.Context, still []Status, batch Batch) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		for _, was := range still {
			if err := unmoved(tx, was); err != nil {
				return err
			}
			batch.From, batch.Total = was.Top+1, was.Top
			now, err := was.extended(batch)
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
