package historyindex

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"billfold/ledger"
)

// ErrMoved means that the rows changed after the state that a change was based on.
var ErrMoved = errors.New("the history index was changed in between")

// ErrGap means that a change does not fit the stored rows: it would leave a gap,
// repeat a row or remove a final one.
var ErrGap = errors.New("the rows do not fit those of the history index")

// Batch holds newer rows of an account.
type Batch struct {
	From     uint64 // rows with this count or a higher one are removed first; Top + 1 for none
	Rows     []Row  // counted From, From + 1, …; for an account that was never read, From may be any count
	Whole    bool   // nothing older can be had
	Final    uint32 // the last irreversible block; the status never goes back
	Head     uint32 // the block up to which the rows are complete; 0 if more are to come
	HeadID   ledger.BlockID
	HeadTime ledger.Time
	Total    uint64
}

// Extend removes provisional rows and adds newer ones. prev is the status that the
// batch was made for. Errors: ErrMoved, ErrGap.
func (x *Index) Extend(ctx context.Context, prev Status, batch Batch) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		if err := checkUnmoved(tx, prev); err != nil {
			return err
		}
		now, err := prev.extended(batch)
		if err != nil {
			return err
		}
		if err := removeFrom(tx, prev, batch.From); err != nil {
			return err
		}
		if err := insert(tx, prev.Account, batch.Rows); err != nil {
			return err
		}
		if err := checkSeam(tx, prev.Account, batch.From); err != nil {
			return err
		}
		return putStatus(tx, now)
	})
}

// extended returns the status after a batch. Error: ErrGap.
func (s Status) extended(batch Batch) (Status, error) {
	if !s.Known() {
		s.Bottom, s.Top = batch.From, batch.From-1
	}
	if batch.From < max(1, s.Bottom) || batch.From > s.Top+1 {
		return s, fmt.Errorf("%w: rows from %d on are added to %d … %d", ErrGap, batch.From, s.Bottom, s.Top)
	}
	if err := checkOrder(batch.Rows, batch.From); err != nil {
		return s, err
	}
	s.Top = batch.From - 1 + uint64(len(batch.Rows))
	s.Whole = s.Whole || batch.Whole || s.Bottom == 1
	s.Final, s.Total = max(s.Final, batch.Final), batch.Total
	s.Head, s.HeadID, s.HeadTime = batch.Head, batch.HeadID, batch.HeadTime
	return s, nil
}

// Prepend adds older rows, counted up to Bottom - 1, all of them final. whole is true
// if nothing older can be had. Errors: ErrMoved, ErrGap.
func (x *Index) Prepend(ctx context.Context, prev Status, rows []Row, whole bool) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		if err := checkUnmoved(tx, prev); err != nil {
			return err
		}
		now := prev
		now.Bottom -= uint64(len(rows))
		now.Whole = whole || now.Bottom == 1
		if !prev.Known() || uint64(len(rows)) >= prev.Bottom {
			return fmt.Errorf("%w: %d rows before %d", ErrGap, len(rows), prev.Bottom)
		}
		if err := checkOrder(rows, now.Bottom); err != nil {
			return err
		}
		if n := len(rows); n > 0 && rows[n-1].Block > prev.Final {
			return fmt.Errorf("%w: the older row %d is not final", ErrGap, rows[n-1].Seq)
		}
		if err := insert(tx, prev.Account, rows); err != nil {
			return err
		}
		if err := checkSeam(tx, prev.Account, prev.Bottom); err != nil {
			return err
		}
		return putStatus(tx, now)
	})
}

// checkUnmoved returns ErrMoved if the stored status is no longer prev.
func checkUnmoved(tx *sql.Tx, prev Status) error {
	now, err := readStatus(tx, prev.Account)
	if err == nil && now != prev {
		return ErrMoved
	}
	return err
}

// checkOrder checks that rows are counted from first on and rise in id, block and time.
func checkOrder(rows []Row, first uint64) error {
	for i, r := range rows {
		if r.Seq != first+uint64(i) || i > 0 && (r.ID <= rows[i-1].ID || r.Block < rows[i-1].Block || r.Time < rows[i-1].Time) {
			return fmt.Errorf("%w: row %d (1.7.%d, block %d) is out of order", ErrGap, r.Seq, uint64(r.ID), r.Block)
		}
	}
	return nil
}

// removeFrom removes the rows counted from on. Error: ErrGap if one of them is final.
func removeFrom(tx *sql.Tx, prev Status, from uint64) error {
	if !prev.Known() || from > prev.Top {
		return nil
	}
	var final int
	if err := tx.QueryRow(`SELECT COUNT(*) FROM operations WHERE account = ? AND seq >= ? AND block <= ?`, uint64(prev.Account), from,
		prev.Final).Scan(&final); err != nil {
		return err
	}
	if final > 0 {
		return fmt.Errorf("%w: %d of the rows from %d on are final", ErrGap, final, from)
	}
	for _, table := range []string{"operations", "records", "also_moved"} {
		if _, err := tx.Exec(`DELETE FROM `+table+` WHERE account = ? AND seq >= ?`, uint64(prev.Account), from); err != nil {
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

// checkSeam checks that ids, blocks and times rise from row seq - 1 to row seq. Error: ErrGap.
func checkSeam(tx *sql.Tx, account ledger.AccountID, seq uint64) error {
	var n int
	err := tx.QueryRow(`SELECT COUNT(*) FROM operations a JOIN operations b ON b.account = a.account AND b.seq = a.seq + 1
		WHERE a.account = ? AND a.seq = ? AND (b.id <= a.id OR b.block < a.block OR b.time < a.time)`, uint64(account), seq-1).Scan(&n)
	if err == nil && n > 0 {
		err = fmt.Errorf("%w: row %d does not follow the one before it", ErrGap, seq)
	}
	return err
}
