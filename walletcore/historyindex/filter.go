package historyindex

import (
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"

	"billfold/ledger"
)

// Filter selects the rows that match every member that is set.
type Filter struct {
	With         []ledger.AccountID // the other side is one of these
	Direction    []Direction
	Asset        []ledger.AssetID // of an amount that moves
	Min, Max     int64            // of that amount, in the smallest unit; 0 = no bound. Rows that move nothing match no bound
	Code         []ledger.OpCode
	NotCode      []ledger.OpCode
	Memo         []Memo
	Since        ledger.Time   // block time, included; 0 = no bound
	Until        ledger.Time   // block time, not included; 0 = no bound
	FromBlock    uint32        // included; 0 = no bound
	ToBlock      uint32        // included; 0 = no bound
	Transactions []TrxPosition // in one of these transactions
	State        State
	ID           string             // the first decimal digits of N in 1.7.N; may begin with "1.7."
	IDs          []ledger.HistoryID // is one of these
	After        ledger.HistoryID   // newer than this one; 0 = no bound
	UpTo         ledger.HistoryID   // not newer than this one; 0 = no bound

	All  []Filter // the row must match all of these as well,
	Any  []Filter // at least one of these, unless there are none,
	None []Filter // and none of these
}

// State is whether a row is final, or a fork may still remove it.
type State int

// The states.
const (
	AnyState    State = iota
	Final             // in a block up to the last irreversible one
	Provisional       // above it
)

// TrxPosition is a transaction's place on the chain.
type TrxPosition struct{ Block, Trx uint32 }

// Empty reports whether every row matches.
func (f Filter) Empty() bool { return f.bounded() && f.After == 0 && f.UpTo == 0 }

// bounded reports whether only After and UpTo may be set: the counts of the matching
// rows then have no gap.
func (f Filter) bounded() bool {
	return len(f.With)+len(f.Direction)+len(f.Asset)+len(f.Code)+len(f.NotCode)+len(f.Memo)+len(f.Transactions)+len(f.IDs) == 0 &&
		f.Min == 0 && f.Max == 0 && f.Since == 0 && f.Until == 0 && f.FromBlock == 0 && f.ToBlock == 0 && f.State == AnyState &&
		f.ID == "" && len(f.All)+len(f.Any)+len(f.None) == 0
}

// condition is a FROM and WHERE clause over operations o. The bounds of the counts
// are literal numbers, looked up before: with a single range the database can
// seek in the index ordered by count.
type condition struct {
	spans     string // a table of ranges of counts to join with, one after another; "" = none
	text      []string
	args      []any
	low, high int64 // bounds of the counts, both included
	wide      bool  // the bounds exclude few rows, so the database should use another index
	column    string
}

func newCondition() *condition { return &condition{high: math.MaxInt64, column: "o."} }

func (c *condition) and(text string, args ...any) {
	c.text, c.args = append(c.text, text), append(c.args, args...)
}

// from and below bound the counts.
func (c *condition) from(seq uint64)  { c.low = max(c.low, int64(min(seq, math.MaxInt64))) }
func (c *condition) below(seq uint64) { c.high = min(c.high, int64(min(seq, math.MaxInt64))-1) }

func (c *condition) String() string {
	seq := "o.seq"
	if c.wide || c.spans != "" { // a plus sign keeps the database from using an index on it
		seq = "+o.seq"
	}
	return `FROM ` + c.spans + `operations o WHERE ` + strings.Join(
		c.text, " AND ") + fmt.Sprintf(
		" AND %s BETWEEN %d AND %d",
		seq,
		c.low,
		c.high,
	)
}

// andIn requires a column to have, or not to have, a value of a list; an empty list requires nothing.
func andIn[T any](c *condition, column string, values []T, number func(T) any) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = number(v)
	}
	c.and(c.column+column+" (?"+strings.Repeat(", ?", len(values)-1)+")", args...)
}

// where turns the filter into SQL. Bounds of columns that rise with the count of the
// rows (time, block, id) become a range of counts, so that one index serves them all.
func (f Filter) where(tx *sql.Tx, account ledger.AccountID) (*condition, error) {
	c := newCondition()
	c.and("o.account = ?", uint64(account))
	if f.ID != "" { // the outermost prefix is joined range by range
		found, err := idSpans(tx, account, f.ID)
		if err != nil {
			return nil, err
		}
		f.ID = ""
		c.joinSpans(found)
	}
	return c, f.terms(tx, account, c)
}

// terms adds the condition of every member.
func (f Filter) terms(tx *sql.Tx, account ledger.AccountID, c *condition) error {
	andIn(c, "counterparty IN", f.With, func(id ledger.AccountID) any { return int64(id) })
	andIn(c, "direction IN", f.Direction, func(d Direction) any { return int(d) })
	andIn(c, "code IN", f.Code, func(code ledger.OpCode) any { return int64(code) })
	andIn(c, "code NOT IN", f.NotCode, func(code ledger.OpCode) any { return int64(code) })
	andIn(c, "memo IN", f.Memo, func(m Memo) any { return int(m) })
	if len(f.IDs) > maxArguments {
		c.and(c.column+"id IN (SELECT value FROM json_each(?))", idList(f.IDs))
	} else {
		andIn(c, "id IN", f.IDs, func(id ledger.HistoryID) any { return int64(id) })
	}
	if err := f.movement(tx, account, c); err != nil {
		return err
	}
	if err := f.ranges(tx, account, c); err != nil {
		return err
	}
	if f.ID != "" {
		found, err := idSpans(tx, account, f.ID)
		if err != nil {
			return err
		}
		c.and(inSpans(found))
	}
	f.transactions(account, c)
	return f.nested(tx, account, c)
}

// movement adds the condition on an asset and its amount, of what a row moves or also moves.
func (f Filter) movement(tx *sql.Tx, account ledger.AccountID, c *condition) error {
	first := f.amounts(c.column)
	if len(first.text) == 0 {
		return nil
	}
	some, err := hasAlsoMoved(tx, account)
	switch {
	case err != nil:
		return err
	case !some:
		c.and(strings.Join(first.text, " AND "), first.args...)
		return nil
	}
	also := f.amounts("")
	first = f.amounts("+o.") // one pass over all rows, not one for each half
	c.and("("+strings.Join(first.text, " AND ")+" OR +o.seq IN (SELECT seq FROM also_moved WHERE account = ? AND "+
		strings.Join(also.text, " AND ")+"))", append(append(first.args, uint64(account)), also.args...)...)
	return nil
}

// amounts returns the terms on an asset and its amount, for the columns of a table.
func (f Filter) amounts(column string) *condition {
	c := newCondition()
	c.column = column
	andIn(c, "asset IN", f.Asset, func(id ledger.AssetID) any { return int64(id) })
	if f.Min != 0 || f.Max != 0 {
		c.and(column+"asset <> ?", none)
	}
	if f.Min != 0 {
		c.and(column+"amount >= ?", f.Min)
	}
	if f.Max != 0 {
		c.and(column+"amount <= ?", f.Max)
	}
	return c
}

// assets returns the assets that a filter is limited to; none if it is not limited to any.
func (f Filter) assets() []ledger.AssetID {
	if len(f.Asset) > 0 {
		return f.Asset
	}
	for _, one := range f.All {
		if list := one.assets(); len(list) > 0 {
			return list
		}
	}
	return nil
}

// maxArguments is the maximum number of values of a list that are passed to a statement one by one.
const maxArguments = 500

// idList returns the last numbers of ids as a JSON array.
func idList(ids []ledger.HistoryID) string {
	out := []byte{'['}
	for i, id := range ids {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendUint(out, uint64(id), 10)
	}
	return string(append(out, ']'))
}

// ranges turns the bounds of time, block, id and state into bounds of the counts.
func (f Filter) ranges(tx *sql.Tx, account ledger.AccountID, c *condition) error {
	var final uint64
	if f.State != AnyState {
		s, err := readStatus(tx, account)
		if err != nil {
			return err
		}
		final = uint64(s.Final)
	}
	for _, r := range []struct {
		set   bool
		bound func(uint64)
		late  string
		than  uint64
	}{
		{f.Since != 0, c.from, "time >= ?", uint64(f.Since)}, {f.Until != 0, c.below, "time >= ?", uint64(f.Until)},
		{f.FromBlock != 0, c.from, "block >= ?", uint64(f.FromBlock)}, {f.ToBlock != 0, c.below, "block > ?", uint64(f.ToBlock)},
		{f.After != 0, c.from, "id > ?", uint64(f.After)}, {f.UpTo != 0, c.below, "id > ?", uint64(f.UpTo)},
		{f.State == Provisional, c.from, "block > ?", final}, {f.State == Final, c.below, "block > ?", final},
	} {
		if !r.set {
			continue
		}
		first, err := firstCount(tx, account, r.late, r.than)
		if err != nil {
			return err
		}
		r.bound(first)
	}
	return nil
}

func (f Filter) transactions(account ledger.AccountID, c *condition) {
	if len(f.Transactions) == 0 {
		return
	}
	var text []string
	var args []any
	for _, s := range f.Transactions {
		text = append(text, "account = ? AND block = ? AND trx = ?")
		args = append(args, uint64(account), s.Block, s.Trx)
	}
	c.and("o.seq IN (SELECT seq FROM operations WHERE "+strings.Join(text, " OR ")+")", args...)
}

// nested adds the filters within the filter.
func (f Filter) nested(tx *sql.Tx, account ledger.AccountID, c *condition) error {
	for _, one := range f.All {
		if err := one.terms(tx, account, c); err != nil {
			return err
		}
	}
	either := newCondition()
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

// nest adds a whole filter as one term. The plus sign before its columns keeps the
// database from collecting rows by several indexes and sorting them: a scan in the
// order of the counts finds the first ones at once.
func (c *condition) nest(tx *sql.Tx, account ledger.AccountID, f Filter, not string) error {
	inside := newCondition()
	inside.column = "+o."
	inside.and("1 = 1")
	if err := f.terms(tx, account, inside); err != nil {
		return err
	}
	if inside.low > 0 || inside.high < math.MaxInt64 {
		inside.and(fmt.Sprintf("+o.seq BETWEEN %d AND %d", inside.low, inside.high))
	}
	c.and(not+"("+strings.Join(inside.text, " AND ")+")", inside.args...)
	return nil
}

// firstCount returns the count of the first row of an account that satisfies late, such
// as "time >= ?", or math.MaxInt64 if no row does.
func firstCount(tx *sql.Tx, account ledger.AccountID, late string, than uint64) (n uint64, err error) {
	column, _, _ := strings.Cut(late, " ")
	n = math.MaxInt64
	err = scanOptional(
		tx.QueryRow(`SELECT seq FROM operations WHERE account = ? AND `+late+` ORDER BY `+column+`, seq LIMIT 1`, uint64(account), than),
		&n)
	return n, err
}

// span is a range of counts, both bounds included.
type span struct{ first, last int64 }

// idSpans returns the counts of the rows whose ids begin with the digits: a range for
// each number of digits that may follow.
func idSpans(tx *sql.Tx, account ledger.AccountID, digits string) ([]span, error) {
	ranges, err := ledger.HistoryIDRanges(digits)
	if err != nil {
		return nil, err
	}
	var found []span
	for _, r := range ranges {
		var first, last sql.NullInt64
		if err := tx.QueryRow(`SELECT MIN(seq), MAX(seq) FROM operations WHERE account = ? AND id BETWEEN ? AND ?`, uint64(account), r[0],
			r[1]).Scan(&first, &last); err != nil {
			return nil, err
		}
		if first.Valid {
			found = append(found, span{first.Int64, last.Int64})
		}
	}
	return found, nil
}

// joinSpans joins the rows with the ranges, one after another.
func (c *condition) joinSpans(found []span) {
	if len(found) == 0 {
		c.and("1 = 0")
		return
	}
	var text []string
	for _, s := range found {
		text = append(text, fmt.Sprintf("SELECT %d AS first, %d AS last", s.first, s.last))
	}
	c.spans = "(" + strings.Join(text, " UNION ALL ") + ") r CROSS JOIN "
	c.and("o.seq BETWEEN r.first AND r.last")
}

func inSpans(found []span) string {
	text := []string{"1 = 0"}
	for _, s := range found {
		text = append(text, fmt.Sprintf("o.seq BETWEEN %d AND %d", s.first, s.last))
	}
	return "(" + strings.Join(text, " OR ") + ")"
}
