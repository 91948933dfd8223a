package historyindex

import (
	"database/sql"
	"fmt"
	"math"
	"strings"

	"billfold/ledger"
)

// Filter says which rows are wanted; those that match every member that is set.
type Filter struct {
	With      []ledger.AccountID // the other side is one of these
	Direction []Direction
	Asset     []ledger.AssetID // of the amount that moves
	Min, Max  int64            // of the amount, smallest unit; 0 = no bound. Rows that move nothing match no bound
	Code      []ledger.OpCode
	NotCode   []ledger.OpCode
	Memo      []Memo
	Since     ledger.Time // block time, this one included; 0 = no bound
	Until     ledger.Time // not included; 0 = no bound
	FromBlock uint32      // included; 0 = no bound
	ToBlock   uint32      // included; 0 = no bound
	Spot      []Spot      // in one of these transactions
	State     State
	ID        string             // how N of 1.7.N begins, decimal digits; "1.7." before it may be there
	IDs       []ledger.HistoryID // is one of these
	After     ledger.HistoryID   // newer than this one; 0 = no bound
	UpTo      ledger.HistoryID   // not newer than this one; 0 = no bound

	All  []Filter // matches every one of these as well
	Any  []Filter // and one of these at least, unless there are none
	None []Filter // and none of these
}

// State says whether a row may still be taken back.
type State int

// The states.
const (
	AnyState    State = iota
	Final             // in a block up to the last irreversible one
	Provisional       // above it
)

// Spot is a transaction's place on the chain.
type Spot struct{ Block, Trx uint32 }

// Empty says that every row matches.
func (f Filter) Empty() bool { return f.bounded() && f.After == 0 && f.UpTo == 0 }

// bounded says that a row's id is all that decides: the rows that match are
// counted without a gap.
func (f Filter) bounded() bool {
	return len(f.With)+len(f.Direction)+len(f.Asset)+len(f.Code)+len(f.NotCode)+len(f.Memo)+len(f.Spot)+len(f.IDs) == 0 &&
		f.Min == 0 && f.Max == 0 && f.Since == 0 && f.Until == 0 && f.FromBlock == 0 && f.ToBlock == 0 && f.State == AnyState &&
		f.ID == "" && len(f.All)+len(f.Any)+len(f.None) == 0
}

// condition is a FROM and WHERE clause over operations o.
type condition struct {
	ranges string // of counts, gone through one after another; "" = none
	text   []string
	args   []any
}

func (c *condition) and(text string, args ...any) {
	c.text, c.args = append(c.text, text), append(c.args, args...)
}

func (c *condition) String() string {
	return `FROM ` + c.ranges + `operations o WHERE ` + strings.Join(c.text, " AND ")
}

// among asks for a value of a list; an empty list asks for nothing.
func among[T any](c *condition, column string, values []T, number func(T) any) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = number(v)
	}
	c.and(column+" (?"+strings.Repeat(", ?", len(values)-1)+")", args...)
}

// where writes the filter as SQL. What rises with the count of the rows (time,
// block, id) becomes a range of counts, so that one index does for it all.
func (f Filter) where(tx *sql.Tx, account ledger.AccountID) (*condition, error) {
	c := new(condition)
	c.and("o.account = ?", uint64(account))
	if f.ID != "" { // the outermost one is gone through range by range
		found, err := idSpans(tx, account, f.ID)
		if err != nil {
			return nil, err
		}
		f.ID = ""
		c.spans(found)
	}
	return c, f.terms(tx, account, c)
}

// terms adds what every member asks for.
func (f Filter) terms(tx *sql.Tx, account ledger.AccountID, c *condition) error {
	among(c, "o.counterparty IN", f.With, func(id ledger.AccountID) any { return int64(id) })
	among(c, "o.direction IN", f.Direction, func(d Direction) any { return int(d) })
	among(c, "o.asset IN", f.Asset, func(id ledger.AssetID) any { return int64(id) })
	among(c, "o.code IN", f.Code, func(code ledger.OpCode) any { return int64(code) })
	among(c, "o.code NOT IN", f.NotCode, func(code ledger.OpCode) any { return int64(code) })
	among(c, "o.memo IN", f.Memo, func(m Memo) any { return int(m) })
	among(c, "o.id IN", f.IDs, func(id ledger.HistoryID) any { return int64(id) })
	f.amount(c)
	f.ranges(account, c)
	if f.ID != "" {
		found, err := idSpans(tx, account, f.ID)
		if err != nil {
			return err
		}
		c.and(inSpans(found))
	}
	f.spots(account, c)
	return f.inner(tx, account, c)
}

func (f Filter) amount(c *condition) {
	if f.Min != 0 || f.Max != 0 {
		c.and("o.asset <> ?", none)
	}
	if f.Min != 0 {
		c.and("o.amount >= ?", f.Min)
	}
	if f.Max != 0 {
		c.and("o.amount <= ?", f.Max)
	}
}

func (f Filter) ranges(account ledger.AccountID, c *condition) {
	from := func(set bool, compare, late string, bound any) {
		if set {
			c.and("o.seq "+compare+" "+firstBy(late), uint64(account), bound)
		}
	}
	from(f.Since != 0, ">=", "time >= ?", uint32(f.Since))
	from(f.Until != 0, "<", "time >= ?", uint32(f.Until))
	from(f.FromBlock != 0, ">=", "block >= ?", f.FromBlock)
	from(f.ToBlock != 0, "<", "block > ?", f.ToBlock)
	from(f.After != 0, ">=", "id > ?", uint64(f.After))
	from(f.UpTo != 0, "<", "id > ?", uint64(f.UpTo))
	const final = "block > (SELECT final FROM standings s WHERE s.account = ?)"
	from(f.State == Provisional, ">=", final, uint64(account))
	from(f.State == Final, "<", final, uint64(account))
}

func (f Filter) spots(account ledger.AccountID, c *condition) {
	if len(f.Spot) == 0 {
		return
	}
	var text []string
	var args []any
	for _, s := range f.Spot {
		text = append(text, "account = ? AND block = ? AND trx = ?")
		args = append(args, uint64(account), s.Block, s.Trx)
	}
	c.and("o.seq IN (SELECT seq FROM operations WHERE "+strings.Join(text, " OR ")+")", args...)
}

// inner adds the filters within the filter.
func (f Filter) inner(tx *sql.Tx, account ledger.AccountID, c *condition) error {
	for _, one := range f.All {
		if err := one.terms(tx, account, c); err != nil {
			return err
		}
	}
	var either condition
	for _, one := range f.Any {
		if err := either.nest(tx, account, one, ""); err != nil {
			return err
		}
	}
	if len(f.Any) > 0 {
		c.and("("+strings.Join(either.text, " OR ")+")", either.args...)
	}
	for _, one := range f.None {
		if err := c.nest(tx, account, one, "NOT "); err != nil {
			return err
		}
	}
	return nil
}

// nest adds a whole filter as one term.
func (c *condition) nest(tx *sql.Tx, account ledger.AccountID, f Filter, not string) error {
	var inside condition
	inside.and("1 = 1")
	if err := f.terms(tx, account, &inside); err != nil {
		return err
	}
	c.and(not+"("+strings.Join(inside.text, " AND ")+")", inside.args...)
	return nil
}

// firstBy is the count of the first row of an account that is late enough, or a
// count behind every row.
func firstBy(late string) string {
	column, _, _ := strings.Cut(late, " ")
	return fmt.Sprintf("COALESCE((SELECT seq FROM operations WHERE account = ? AND %s ORDER BY %s, seq LIMIT 1), %d)", late, column, int64(math.MaxInt64))
}

// span is a range of counts, both ends included.
type span struct{ first, last int64 }

// idSpans finds where the ids are that begin with given digits: a range of
// counts for each number of digits that may follow.
func idSpans(tx *sql.Tx, account ledger.AccountID, digits string) ([]span, error) {
	ranges, err := idRanges(digits)
	if err != nil {
		return nil, err
	}
	var found []span
	for _, r := range ranges {
		var first, last sql.NullInt64
		if err := tx.QueryRow(`SELECT MIN(seq), MAX(seq) FROM operations WHERE account = ? AND id BETWEEN ? AND ?`, uint64(account), r[0], r[1]).Scan(&first, &last); err != nil {
			return nil, err
		}
		if first.Valid {
			found = append(found, span{first.Int64, last.Int64})
		}
	}
	return found, nil
}

// spans goes through the ranges one after another.
func (c *condition) spans(found []span) {
	if len(found) == 0 {
		c.and("1 = 0")
		return
	}
	var text []string
	for _, s := range found {
		text = append(text, fmt.Sprintf("SELECT %d AS first, %d AS last", s.first, s.last))
	}
	c.ranges = "(" + strings.Join(text, " UNION ALL ") + ") r CROSS JOIN "
	c.and("o.seq BETWEEN r.first AND r.last")
}

func inSpans(found []span) string {
	text := []string{"1 = 0"}
	for _, s := range found {
		text = append(text, fmt.Sprintf("o.seq BETWEEN %d AND %d", s.first, s.last))
	}
	return "(" + strings.Join(text, " OR ") + ")"
}
