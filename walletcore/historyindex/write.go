package historyindex

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"billfold/ledger"
)

// ErrMoved means that the rows are no longer those that a change was made for.
var ErrMoved = errors.New("the history index was changed in between")

// ErrGap means that a change does not fit the rows that are there: it would
// leave a gap, repeat a row or take back a final one.
var ErrGap = errors.New("the rows do not fit those of the history index")

// Batch is newer rows of an account.
type Batch struct {
	From     uint64 // rows of this count and above are taken back first; Top + 1 when none
	Rows     []Row  // counted From, From + 1, …; of an account that was never read: from anywhere on
	Whole    bool   // nothing older can be had
	Final    uint32 // the last irreversible block; it never goes back
	Head     uint32 // the block up to which the rows are complete; 0 when more are to come
	HeadID   ledger.BlockID
	HeadTime ledger.Time
	Total    uint64
}

// Extend adds newer rows, after it took back provisional ones. was is the
// status that the batch was made for. Errors: ErrMoved, ErrGap.
func (x *Index) Extend(ctx context.Context, was Status, batch Batch) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		if err := unmoved(tx, was); err != nil {
			return err
		}
		now, err := was.extended(batch)
		if err != nil {
			return err
		}
		if err := takeBack(tx, was, batch.From); err != nil {
			return err
		}
		if err := insert(tx, was.Account, batch.Rows); err != nil {
			return err
		}
		if err := joins(tx, was.Account, batch.From); err != nil {
			return err
		}
		return putStatus(tx, now)
	})
}

// extended is the status after a batch.
func (s Status) extended(batch Batch) (Status, error) {
	if !s.Known() {
		s.Bottom, s.Top = batch.From, batch.From-1
	}
	if batch.From < max(1, s.Bottom) || batch.From > s.Top+1 {
		return s, fmt.Errorf("%w: rows from %d on are added to %d … %d", ErrGap, batch.From, s.Bottom, s.Top)
	}
	if err := inOrder(batch.Rows, batch.From); err != nil {
		return s, err
	}
	s.Top = batch.From - 1 + uint64(len(batch.Rows))
	s.Whole = s.Whole || batch.Whole || s.Bottom == 1
	s.Final, s.Total = max(s.Final, batch.Final), batch.Total
	s.Head, s.HeadID, s.HeadTime = batch.Head, batch.HeadID, batch.HeadTime
	return s, nil
}

// Prepend adds older rows, counted up to Bottom - 1; whole says that nothing
// older can be had. All of them are final. Errors: ErrMoved, ErrGap.
func (x *Index) Prepend(ctx context.Context, was Status, rows []Row, whole bool) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		if err := unmoved(tx, was); err != nil {
			return err
		}
		now := was
		now.Bottom -= uint64(len(rows))
		now.Whole = whole || now.Bottom == 1
		if !was.Known() || uint64(len(rows)) >= was.Bottom {
			return fmt.Errorf("%w: %d rows before %d", ErrGap, len(rows), was.Bottom)
		}
		if err := inOrder(rows, now.Bottom); err != nil {
			return err
		}
		if n := len(rows); n > 0 && rows[n-1].Block > was.Final {
			return fmt.Errorf("%w: the older row %d is not final", ErrGap, rows[n-1].Seq)
		}
		if err := insert(tx, was.Account, rows); err != nil {
			return err
		}
		if err := joins(tx, was.Account, was.Bottom); err != nil {
			return err
		}
		return putStatus(tx, now)
	})
}

func unmoved(tx *sql.Tx, was Status) error {
	now, err := readStatus(tx, was.Account)
	if err == nil && now != was {
		return ErrMoved
	}
	return err
}

// inOrder checks that rows are counted from first on and rise in id and block.
func inOrder(rows []Row, first uint64) error {
	for i, r := range rows {
		if r.Seq != first+uint64(i) || i > 0 && (r.ID <= rows[i-1].ID || r.Block < rows[i-1].Block || r.Time < rows[i-1].Time) {
			return fmt.Errorf("%w: row %d (1.7.%d, block %d) is out of order", ErrGap, r.Seq, uint64(r.ID), r.Block)
		}
	}
	return nil
}

// takeBack removes the rows from one on; a final one among them is an error.
func takeBack(tx *sql.Tx, was Status, from uint64) error {
	if !was.Known() || from > was.Top {
		return nil
	}
	var final int
	if err := tx.QueryRow(`SELECT COUNT(*) FROM operations WHERE account = ? AND seq >= ? AND block <= ?`, uint64(was.Account), from,
		was.Final).Scan(&final); err != nil {
		return err
	}
	if final > 0 {
		return fmt.Errorf("%w: %d of the rows from %d on are final", ErrGap, final, from)
	}
	for _, table := range []string{"operations", "records", "also_moved"} {
		if _, err := tx.Exec(`DELETE FROM `+table+` WHERE account = ? AND seq >= ?`, uint64(was.Account), from); err != nil {
			return err
		}
	}
	return nil
}

func insert(tx *sql.Tx, account ledger.AccountID, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	operation, err := tx.Prepare(
		`INSERT INTO operations (account, id, seq, block, time, code, direction, counterparty, asset, amount, trx, memo)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	)
	if err != nil {
		return err
	}
	defer operation.Close()
	record, err := tx.Prepare(`INSERT INTO records (account, seq, raw) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	defer record.Close()
	for i := range rows {
		if _, err := operation.Exec(rows[i].values(account)...); err != nil {
			return err
		}
		if _, err := record.Exec(uint64(account), rows[i].Seq, string(rows[i].Raw)); err != nil {
			return err
		}
		if err := insertAlso(tx, account, rows[i].Seq, rows[i].Also); err != nil {
			return err
		}
	}
	return nil
}

// joins checks the seam between seq - 1 and seq: ids, blocks and times rise.
func joins(tx *sql.Tx, account ledger.AccountID, seq uint64) error {
	var n int
	err := tx.QueryRow(`SELECT COUNT(*) FROM operations a JOIN operations b ON b.account = a.account AND b.seq = a.seq + 1
		WHERE a.account = ? AND a.seq = ? AND (b.id <= a.id OR b.block < a.block OR b.time < a.time)`, uint64(account), seq-1).Scan(&n)
	if err == nil && n > 0 {
		err = fmt.Errorf("%w: row %d does not follow the one before it", ErrGap, seq)
	}
	return err
}
