package historyindex

import (
	"context"
	"database/sql"
	"errors"

	"billfold/ledger"
)

// Run is the range of an account's rows that were added up by hour: those counted Low to High, all of them final. Apart from
// Account it is zero if no rows were.
type Run struct {
	Account   ledger.AccountID
	Low, High uint64
	Stuck     bool // the row before Low does not show what it moved, so nothing older can be added up
}

// Any reports whether any rows were added up.
func (r Run) Any() bool { return r.Low != 0 }

// Hour is the change of the balance of an asset by the rows of one hour.
type Hour struct {
	Hour  int64 // hours since 1970, UTC
	Asset ledger.AssetID
	Net   int64 // smallest units
}

// Hours holds the hourly sums of an account, oldest first.
type Hours struct {
	Status
	Run  Run
	Sums []Hour
}

// Hours returns the sums of an account from an hour on, counted since 1970.
func (x *Index) Hours(ctx context.Context, account ledger.AccountID, from int64) (out Hours, err error) {
	out.Account, out.Run.Account = account, account
	err = x.reading(ctx, func(tx *sql.Tx) error {
		if out.Status, err = readStatus(tx, account); err != nil {
			return err
		}
		if out.Run, err = readRun(tx, account); err != nil {
			return err
		}
		found, err := tx.Query(`SELECT hour, asset, net FROM balance_hours WHERE account = ? AND hour >= ? ORDER BY hour, asset`,
			uint64(account), from)
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			var h Hour
			if err := found.Scan(&h.Hour, &h.Asset, &h.Net); err != nil {
				return err
			}
			out.Sums = append(out.Sums, h)
		}
		return found.Err()
	})
	return out, err
}

func readRun(tx *sql.Tx, account ledger.AccountID) (Run, error) {
	r := Run{Account: account}
	err := tx.QueryRow(`SELECT low, high, stuck FROM balance_runs WHERE account = ?`, uint64(account)).Scan(&r.Low, &r.High, &r.Stuck)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	return r, err
}

// AddHours adds the sums of further rows, which extend the run prev to now. Error: ErrMoved if prev is no longer the
// stored run.
func (x *Index) AddHours(ctx context.Context, prev, now Run, sums []Hour) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		if stored, err := readRun(tx, prev.Account); err != nil || stored != prev {
			return errors.Join(err, ErrMoved)
		}
		for _, h := range sums {
			_, err := tx.Exec(`INSERT INTO balance_hours (account, hour, asset, net) VALUES (?, ?, ?, ?)
				ON CONFLICT (account, hour, asset) DO UPDATE SET net = net + excluded.net`,
				uint64(prev.Account), h.Hour, uint64(h.Asset), h.Net)
			if err != nil {
				return err
			}
		}
		_, err := tx.Exec(`INSERT INTO balance_runs (account, low, high, stuck) VALUES (?, ?, ?, ?)
			ON CONFLICT (account) DO UPDATE SET low = excluded.low, high = excluded.high, stuck = excluded.stuck`,
			uint64(prev.Account), now.Low, now.High, flag(now.Stuck))
		return err
	})
}

// Span returns the rows counted low to high, both included, at most limit of them, newest first or oldest first.
func (x *Index) Span(ctx context.Context, account ledger.AccountID, low, high uint64, limit int, newest bool) (out Page, err error) {
	out.Account = account
	err = x.reading(ctx, func(tx *sql.Tx) error {
		if out.Status, err = readStatus(tx, account); err != nil {
			return err
		}
		c := newCondition()
		c.and("o.account = ?", uint64(account))
		c.from(low)
		c.below(high + 1)
		out.Rows, err = rows(tx, out.Status, c, Window{Oldest: !newest, Limit: limit})
		return err
	})
	return out, err
}
