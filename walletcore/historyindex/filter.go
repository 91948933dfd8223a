package historyindex

import (
	"database/sql"
	"fmt"
	"math"
	"strconv"
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
	Since     ledger.Time // block time, this one included; 0 = no bound
	Until     ledger.Time // not included; 0 = no bound
	FromBlock uint32      // included; 0 = no bound
	ToBlock   uint32      // included; 0 = no bound
	ID        string      // how N of 1.7.N begins, decimal digits; "1.7." before it may be there
}

// Empty says that every row matches.
func (f Filter) Empty() bool {
	return len(f.With)+len(f.Direction)+len(f.Asset)+len(f.Code)+len(f.NotCode) == 0 && f.Min == 0 && f.Max == 0 &&
		f.Since == 0 && f.Until == 0 && f.FromBlock == 0 && f.ToBlock == 0 && f.ID == ""
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
	among(c, "o.counterparty IN", f.With, func(id ledger.AccountID) any { return int64(id) })
	among(c, "o.direction IN", f.Direction, func(d Direction) any { return int(d) })
	among(c, "o.asset IN", f.Asset, func(id ledger.AssetID) any { return int64(id) })
	among(c, "o.code IN", f.Code, func(code ledger.OpCode) any { return int64(code) })
	among(c, "o.code NOT IN", f.NotCode, func(code ledger.OpCode) any { return int64(code) })
	if f.Min != 0 || f.Max != 0 {
		c.and("o.asset <> ?", none)
	}
	if f.Min != 0 {
		c.and("o.amount >= ?", f.Min)
	}
	if f.Max != 0 {
		c.and("o.amount <= ?", f.Max)
	}
	if f.Since != 0 {
		c.and("o.seq >= "+firstBy("time >= ?"), uint64(account), uint32(f.Since))
	}
	if f.Until != 0 {
		c.and("o.seq < "+firstBy("time >= ?"), uint64(account), uint32(f.Until))
	}
	if f.FromBlock != 0 {
		c.and("o.seq >= "+firstBy("block >= ?"), uint64(account), f.FromBlock)
	}
	if f.ToBlock != 0 {
		c.and("o.seq < "+firstBy("block > ?"), uint64(account), f.ToBlock)
	}
	return c, f.whereID(c, tx, account)
}

// firstBy is the count of the first row of an account that is late enough, or a
// count behind every row.
func firstBy(late string) string {
	column, _, _ := strings.Cut(late, " ")
	return fmt.Sprintf("COALESCE((SELECT seq FROM operations WHERE account = ? AND %s ORDER BY %s, seq LIMIT 1), %d)", late, column, int64(math.MaxInt64))
}

// whereID asks for ids that begin with given digits: a range of counts for each
// number of digits that may follow.
func (f Filter) whereID(c *condition, tx *sql.Tx, account ledger.AccountID) error {
	if f.ID == "" {
		return nil
	}
	ranges, err := idRanges(f.ID)
	if err != nil {
		return err
	}
	var found []string
	for _, r := range ranges {
		var first, last sql.NullInt64
		if err := tx.QueryRow(`SELECT MIN(seq), MAX(seq) FROM operations WHERE account = ? AND id BETWEEN ? AND ?`, uint64(account), r[0], r[1]).Scan(&first, &last); err != nil {
			return err
		}
		if first.Valid {
			found = append(found, fmt.Sprintf("SELECT %d AS first, %d AS last", first.Int64, last.Int64))
		}
	}
	if len(found) == 0 {
		c.and("1 = 0")
		return nil
	}
	c.ranges = "(" + strings.Join(found, " UNION ALL ") + ") r CROSS JOIN "
	c.and("o.seq BETWEEN r.first AND r.last")
	return nil
}

// idRanges gives the ranges of numbers, both ends included, whose decimal
// digits begin with those of text; "1.7." before them is left out.
func idRanges(text string) ([][2]int64, error) {
	digits := strings.TrimPrefix(text, "1.7.")
	if strings.HasPrefix("1.7.", text) && text != "1" { // still being typed
		digits = ""
	}
	if digits == "" {
		return [][2]int64{{0, math.MaxInt64}}, nil
	}
	if strings.Trim(digits, "0123456789") != "" {
		return nil, fmt.Errorf("%q is not how the id of an operation begins; write digits, such as 1.7.902", text)
	}
	if digits[0] == '0' {
		if digits != "0" {
			return nil, nil
		}
		return [][2]int64{{0, 0}}, nil
	}
	low, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil, nil //nolint:nilerr // no id has so many digits
	}
	high := low
	var out [][2]int64
	for {
		out = append(out, [2]int64{low, high})
		if low > math.MaxInt64/10 {
			return out, nil
		}
		low = low * 10
		if high > (math.MaxInt64-9)/10 {
			high = math.MaxInt64
		} else {
			high = high*10 + 9
		}
	}
}
