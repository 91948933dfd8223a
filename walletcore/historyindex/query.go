package historyindex

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math/big"
	"slices"
	"strconv"

	"billfold/ledger"
)

// Window selects a part of the matching rows, and their order.
type Window struct {
	Before ledger.HistoryID // older than this one; 0 = no bound
	After  ledger.HistoryID // newer than this one; 0 = no bound
	Oldest bool             // oldest first, otherwise newest first
	Amount bool             // by asset id, the largest amount of each asset first; Before, After and Oldest are ignored then
	Skip   uint64           // how many rows to leave out first
	Limit  int              // at most so many
}

// Page is a part of an account's rows, in the order of the window, and the
// status they were read at.
type Page struct {
	Status
	Rows []Row
}

// Page returns the rows in the window, out of those that match the filter.
func (x *Index) Page(ctx context.Context, account ledger.AccountID, f Filter, win Window) (out Page, err error) {
	out.Account = account
	err = x.reading(ctx, func(tx *sql.Tx) error {
		if out.Status, err = readStatus(tx, account); err != nil {
			return err
		}
		c, err := f.where(tx, account)
		if err != nil {
			return err
		}
		if win.Amount {
			out.Rows, err = rows(tx, out.Status, c, win)
			return err
		}
		if err := win.bound(tx, account, c); err != nil {
			return err
		}
		if f.bounded() { // skipping rows is skipping counts
			win.skipByCount(out.Status, c)
		}
		out.Rows, err = rows(tx, out.Status, c, win)
		return err
	})
	return out, err
}

func (win Window) bound(tx *sql.Tx, account ledger.AccountID, c *condition) error {
	if win.Before != 0 {
		first, err := firstCount(tx, account, "id >= ?", uint64(win.Before))
		if err != nil {
			return err
		}
		c.below(first)
	}
	if win.After != 0 {
		first, err := firstCount(tx, account, "id > ?", uint64(win.After))
		if err != nil {
			return err
		}
		c.from(first)
	}
	return nil
}

// skipByCount turns Skip into a bound of the counts.
func (win *Window) skipByCount(s Status, c *condition) {
	skip := min(win.Skip, s.Rows())
	low, high := c.within(s)
	if win.Oldest {
		c.from(low + skip)
	} else {
		c.below(max(high+1, skip) - skip)
	}
	win.Skip = 0
}

// within returns the bounds of the counts, limited to the rows of the index; high is
// less than low if no row is within them.
func (c *condition) within(s Status) (low, high uint64) {
	if !s.Known() {
		return 1, 0
	}
	low, high = max(s.Bottom, uint64(c.low)), min(s.Top, uint64(max(c.high, 0)))
	return low, max(high+1, low) - 1
}

// rows finds the counts first, so that only the rows in the window are read whole. The limit is part of the text
// because it decides the query plan: SQLite would re-prepare the statement for every limit passed as an argument.
func rows(tx *sql.Tx, s Status, c *condition, win Window) ([]Row, error) {
	order, wanted := "o.seq DESC", "w.wanted DESC" // ordering by w makes the database scan its few rows first
	switch {
	case win.Amount: // rows that move nothing come last
		order = "o.asset < 0, o.asset, o.amount DESC, o.seq DESC"
		wanted = order
	case win.Oldest:
		order, wanted = "o.seq ASC", "w.wanted ASC"
	}
	args := append([]any{s.Final}, c.args...)
	args = append(args, win.Skip, uint64(s.Account), uint64(s.Account))
	found, err := tx.Query(`SELECT `+columns+`, r.raw, CASE WHEN o.block <= ? THEN 1 ELSE 0 END
		FROM (SELECT o.seq AS wanted `+c.String()+` ORDER BY `+order+` LIMIT `+strconv.Itoa(win.Limit)+` OFFSET ?) w
		CROSS JOIN operations o ON o.account = ? AND o.seq = w.wanted
		CROSS JOIN records r ON r.account = ? AND r.seq = w.wanted
		ORDER BY `+wanted, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var out []Row
	for found.Next() {
		r, err := scan(found)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, found.Err()
}

// FirstProvisional returns the count of the first row above s.Final, Top + 1 if there
// is none.
func (x *Index) FirstProvisional(ctx context.Context, s Status) (first uint64, err error) {
	first = s.Top + 1
	err = x.reading(ctx, func(tx *sql.Tx) error {
		row := tx.QueryRow(`SELECT seq FROM operations WHERE account = ? AND block > ? ORDER BY block, seq LIMIT 1`, uint64(s.Account),
			s.Final)
		return scanOptional(row, &first)
	})
	return first, err
}

// Row returns the row with the count seq; found is false if there is none.
func (x *Index) Row(ctx context.Context, account ledger.AccountID, seq uint64) (r Row, found bool, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		s, err := readStatus(tx, account)
		if err != nil {
			return err
		}
		c := newCondition()
		c.and("o.account = ? AND o.seq = ?", uint64(account), seq)
		list, err := rows(tx, s, c, Window{Limit: 1})
		if len(list) == 1 {
			r, found = list[0], true
		}
		return err
	})
	return r, found, err
}

// Count returns how many rows match.
func (x *Index) Count(ctx context.Context, account ledger.AccountID, f Filter) (n uint64, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		n, err = countFrom(tx, account, f, 0)
		return err
	})
	return n, err
}

// countFrom returns how many matching rows have the count first or a higher one.
func countFrom(tx *sql.Tx, account ledger.AccountID, f Filter, first uint64) (n uint64, err error) {
	c, err := f.where(tx, account)
	if err != nil {
		return 0, err
	}
	c.from(first)
	if f.bounded() {
		s, err := readStatus(tx, account)
		low, high := c.within(s)
		return high + 1 - low, err
	}
	err = tx.QueryRow(`SELECT COUNT(*) `+c.String(), c.args...).Scan(&n)
	return n, err
}

// Position returns how many matching rows are newer than the row id, whether that row
// matches or not.
func (x *Index) Position(ctx context.Context, account ledger.AccountID, f Filter, id ledger.HistoryID) (n uint64, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		first, err := firstCount(tx, account, "id > ?", uint64(id))
		if err != nil {
			return err
		}
		n, err = countFrom(tx, account, f, first)
		return err
	})
	return n, err
}

// Place is a row, and how many matching ones are newer.
type Place struct {
	ID       ledger.HistoryID
	Position uint64
}

// Jump returns the newest matching row that is not later than at; found is false if
// all are later.
func (x *Index) Jump(ctx context.Context, account ledger.AccountID, f Filter, at ledger.Time) (p Place, found bool, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		c, err := f.where(tx, account)
		if err != nil {
			return err
		}
		late, err := firstCount(tx, account, "time > ?", uint64(at))
		if err != nil {
			return err
		}
		c.below(late)
		var seq uint64
		err = tx.QueryRow(`SELECT o.seq `+c.String()+` ORDER BY o.seq DESC LIMIT 1`, c.args...).Scan(&seq)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = tx.QueryRow(`SELECT id FROM operations WHERE account = ? AND seq = ?`, uint64(account), seq).Scan(&p.ID)
		}
		if err == nil {
			found = true
			p.Position, err = countFrom(tx, account, f, seq+1)
		}
		return err
	})
	return p, found, err
}

// Sum holds the amounts that moved of an asset, in the smallest unit. What an account pays to
// itself is in neither number.
type Sum struct {
	Asset   ledger.AssetID
	In, Out *big.Int
}

// Totals holds the number of rows that match and the sums that they move, by asset: of the assets that the filter is limited to, or of all.
type Totals struct {
	Rows uint64
	Sums []Sum
}

// sumUnit splits amounts into quotient and remainder, so that no sum of either overflows 64 bits.
const sumUnit = 1_000_000_000

// Totals counts and adds up the matching rows.
func (x *Index) Totals(ctx context.Context, account ledger.AccountID, f Filter) (out Totals, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		c, err := f.where(tx, account)
		if err != nil {
			return err
		}
		s, err := readStatus(tx, account)
		if err != nil {
			return err
		}
		low, high := c.within(s)
		c.wide = high+1-low > s.Rows()/8
		groups, err := tx.Query(`SELECT o.asset, o.direction, COUNT(*), SUM(o.amount / ?), SUM(o.amount % ?) `+
			c.String()+` GROUP BY o.direction, o.asset`, append([]any{sumUnit, sumUnit}, c.args...)...)
		if err != nil {
			return err
		}
		defer groups.Close()
		by := map[int64]*Sum{}
		for groups.Next() {
			var asset, high, low int64
			var direction Direction
			var n uint64
			if err := groups.Scan(&asset, &direction, &n, &high, &low); err != nil {
				return err
			}
			out.Rows += n
			if asset != none {
				addTo(by, asset, direction, high, low)
			}
		}
		if err := groups.Err(); err != nil {
			return err
		}
		err = addAlso(tx, account, c, by)
		out.Sums = sumsOf(by, f.assets())
		return err
	})
	return out, err
}

// sumsOf returns the sums in the order of the assets, limited to the wanted assets unless there are none.
func sumsOf(by map[int64]*Sum, wanted []ledger.AssetID) (out []Sum) {
	for _, s := range by {
		if len(wanted) == 0 || slices.Contains(wanted, s.Asset) {
			out = append(out, *s)
		}
	}
	slices.SortFunc(out, func(a, b Sum) int { return cmp.Compare(a.Asset, b.Asset) })
	return out
}

func addTo(by map[int64]*Sum, asset int64, direction Direction, high, low int64) {
	s := by[asset]
	if s == nil {
		s = &Sum{ledger.AssetID(asset), new(big.Int), new(big.Int)}
		by[asset] = s
	}
	moved := new(big.Int).Mul(big.NewInt(high), big.NewInt(sumUnit))
	moved.Add(moved, big.NewInt(low))
	switch direction {
	case In:
		s.In.Add(s.In, moved)
	case Out:
		s.Out.Add(s.Out, moved)
	case Other, Self:
	}
}

// addAlso adds up what the matching rows also move.
func addAlso(tx *sql.Tx, account ledger.AccountID, c *condition, by map[int64]*Sum) error {
	if some, err := hasAlsoMoved(tx, account); err != nil || !some {
		return err
	}
	c.and("o.seq IN (SELECT seq FROM also_moved WHERE account = ?)", uint64(account))
	args := append([]any{sumUnit, sumUnit}, c.args...)
	groups, err := tx.Query(`SELECT a.asset, m.direction, SUM(a.amount / ?), SUM(a.amount % ?)
		FROM (SELECT o.seq, o.direction `+c.String()+`) m JOIN also_moved a ON a.account = ? AND a.seq = m.seq
		GROUP BY a.asset, m.direction`, append(args, uint64(account))...)
	if err != nil {
		return err
	}
	defer groups.Close()
	for groups.Next() {
		var asset, high, low int64
		var direction Direction
		if err := groups.Scan(&asset, &direction, &high, &low); err != nil {
			return err
		}
		addTo(by, asset, direction, high, low)
	}
	return groups.Err()
}
