package history_test

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/historyindex"

	"pgregory.net/rapid"
)

// matches reports whether a row matches a filter, without an index; final is the last
// irreversible block.
func matches(f historyindex.Filter, r historyindex.Row, final uint32) bool {
	some := func(n int, found bool) bool { return n == 0 || found }
	moves := func(p historyindex.Part) bool { return amountMatches(f, p) }
	return some(len(f.With), r.With != nil && slices.Contains(f.With, *r.With)) &&
		some(len(f.Direction), slices.Contains(f.Direction, r.Direction)) &&
		(len(f.Asset) == 0 && f.Min == 0 && f.Max == 0 || slices.ContainsFunc(parts(r), moves)) &&
		some(len(f.Code), slices.Contains(f.Code, r.Code)) && !slices.Contains(f.NotCode, r.Code) &&
		some(len(f.Memo), slices.Contains(f.Memo, r.Memo)) && some(len(f.IDs), slices.Contains(f.IDs, r.ID)) &&
		some(len(f.Transactions), slices.Contains(f.Transactions, historyindex.TrxPosition{Block: r.Block, Trx: r.Trx})) &&
		r.Time >= f.Since && (f.Until == 0 || r.Time < f.Until) &&
		r.Block >= f.FromBlock && (f.ToBlock == 0 || r.Block <= f.ToBlock) &&
		r.ID > f.After && (f.UpTo == 0 || r.ID <= f.UpTo) &&
		(f.State == historyindex.AnyState || (f.State == historyindex.Final) == (r.Block <= final)) &&
		strings.HasPrefix(strconv.FormatUint(uint64(r.ID), 10), strings.TrimPrefix(f.ID, "1.7.")) && innerMatches(f, r, final)
}

// amountMatches reports whether an amount is of the filter's assets and within its bounds.
func amountMatches(f historyindex.Filter, p historyindex.Part) bool {
	return (len(f.Asset) == 0 || slices.Contains(f.Asset, p.Asset)) && p.Amount >= f.Min && (f.Max == 0 || p.Amount <= f.Max)
}

// parts returns all amounts that a row moves.
func parts(r historyindex.Row) []historyindex.Part {
	if r.Asset == nil {
		return nil
	}
	return append([]historyindex.Part{{Asset: *r.Asset, Amount: r.Amount}}, r.Also...)
}

func innerMatches(f historyindex.Filter, r historyindex.Row, final uint32) bool {
	hit := func(one historyindex.Filter) bool { return matches(one, r, final) }
	miss := func(one historyindex.Filter) bool { return !hit(one) }
	return !slices.ContainsFunc(f.All, miss) && (len(f.Any) == 0 || slices.ContainsFunc(f.Any, hit)) && !slices.ContainsFunc(f.None, hit)
}

func anyRow(t *rapid.T, seq uint64, after historyindex.Row) historyindex.Row {
	r := historyindex.Row{
		Seq: seq, ID: after.ID + ledger.HistoryID(rapid.Uint64Range(1, 40).Draw(t, "id")), Block: after.Block + rapid.Uint32Range(0,
			3).Draw(t, "block"),
		Code: ledger.OpCode(
			rapid.Uint64Range(0, 3).Draw(t, "code")),
		Direction: historyindex.Direction(rapid.IntRange(0, 3).Draw(t, "direction")), Raw: []byte("{}"),
	}
	r.Time = ledger.Time(1000 + 5*r.Block)
	r.Trx, r.Memo = rapid.Uint32Range(0, 1).Draw(t, "transaction"), historyindex.Memo(rapid.IntRange(0, 2).Draw(t, "memo"))
	if rapid.Bool().Draw(t, "with") {
		id := ledger.AccountID(rapid.Uint64Range(0, 4).Draw(t, "other side"))
		r.With = &id
	}
	if rapid.Bool().Draw(t, "moves") {
		id := ledger.AssetID(rapid.Uint64Range(0, 2).Draw(t, "asset"))
		r.Asset, r.Amount = &id, rapid.Int64Range(0, 30).Draw(t, "amount")
		for also := id; also < 3 && rapid.IntRange(0, 3).Draw(t, "also?") == 0; also++ {
			r.Also = append(r.Also, historyindex.Part{Asset: also, Amount: rapid.Int64Range(1, 30).Draw(t, "also")})
		}
	}
	return r
}

func some[T any](t *rapid.T, what string, of *rapid.Generator[T]) []T {
	return rapid.SliceOfN(of, 0, 2).Draw(t, what)
}

// bound draws a bound. In three of four cases it is 0, for none.
func bound[T uint32 | int64](t *rapid.T, what string, low, high int64) T {
	if rapid.IntRange(0, 3).Draw(t, what+"?") > 0 {
		return 0
	}
	return T(rapid.Int64Range(low, high).Draw(t, what))
}

// anyFilter draws a filter with others nested in it, down to a depth.
func anyFilter(t *rapid.T, depth int) historyindex.Filter {
	code := rapid.Map(rapid.Uint64Range(0, 4), func(n uint64) ledger.OpCode { return ledger.OpCode(n) })
	f := historyindex.Filter{
		Min: bound[int64](t, "min", 0,
			30), Max: bound[int64](t, "max", 0, 30), FromBlock: bound[uint32](t, "from", 0, 60), ToBlock: bound[uint32](t, "to", 0, 60),
		Since: ledger.Time(bound[uint32](t, "since", 990, 1300)), Until: ledger.Time(bound[uint32](t, "until", 990, 1300)),
		ID: rapid.SampledFrom([]string{"", "", "", "", "1", "2", "10", "1.7.3", "0", "77"}).Draw(t, "id"),
	}
	if rapid.Bool().Draw(t, "lists") {
		f.With = some(t, "with", rapid.Map(rapid.Uint64Range(0, 5), func(n uint64) ledger.AccountID { return ledger.AccountID(n) }))
		f.Asset = some(t, "assets", rapid.Map(rapid.Uint64Range(0, 3), func(n uint64) ledger.AssetID { return ledger.AssetID(n) }))
		f.Direction = some(t, "directions", rapid.Map(rapid.IntRange(0, 3),
			func(n int) historyindex.Direction { return historyindex.Direction(n) }))
		f.Code, f.NotCode = some(t, "codes", code), some(t, "not codes", code)
		f.Memo = some(t, "memos", rapid.Map(rapid.IntRange(0, 2), func(n int) historyindex.Memo { return historyindex.Memo(n) }))
	}
	if rapid.Bool().Draw(t, "ids") {
		f.After, f.UpTo = ledger.HistoryID(bound[int64](t, "after", 1, 900)), ledger.HistoryID(bound[int64](t, "up to", 1, 900))
		f.State = historyindex.State(rapid.IntRange(0, 2).Draw(t, "state"))
		f.IDs = some(t, "one", rapid.Map(rapid.Uint64Range(0, 100), func(n uint64) ledger.HistoryID { return ledger.HistoryID(n) }))
		f.Transactions = some(t, "transactions", rapid.Map(rapid.Uint32Range(0, 40),
			func(n uint32) historyindex.TrxPosition { return historyindex.TrxPosition{Block: n / 2, Trx: n % 2} }))
	}
	if depth > 0 && rapid.Bool().Draw(t, "inner") {
		inner := rapid.Custom(func(t *rapid.T) historyindex.Filter { return anyFilter(t, depth-1) })
		f.All, f.Any, f.None = some(t, "all", inner), some(t, "any", inner), some(t, "none", inner)
	}
	return f
}

// Every query returns what a scan of all rows returns.
func TestQueriesMatchAScanOfAllRows(t *testing.T) {
	x := openIndex(t)
	rapid.Check(t, func(r *rapid.T) {
		must(t, x.Forget(t.Context(), holder))
		first := rapid.Uint64Range(1, 50).Draw(r, "first")
		var all []historyindex.Row
		last := historyindex.Row{Block: 1}
		for range rapid.IntRange(0, 40).Draw(r, "rows") {
			last = anyRow(r, first+uint64(len(all)), last)
			all = append(all, last)
		}
		other := slices.Clone(all[:min(len(all), 10)]) // another account's rows must never be found
		must(t, x.Forget(t.Context(), holder+1))
		must(t, x.Extend(t.Context(), historyindex.Status{Account: holder + 1}, historyindex.Batch{From: first, Rows: other}))
		final := rapid.Uint32Range(0, 60).Draw(r, "final")
		must(t, x.Extend(t.Context(), historyindex.Status{Account: holder}, historyindex.Batch{From: first, Rows: all, Final: final}))
		slices.Reverse(all)
		checkDealings(t, r, x, all)
		f := anyFilter(r, 1)
		checkQueries(t, r, x, f, slices.DeleteFunc(all, func(row historyindex.Row) bool { return !matches(f, row, final) }))
	})
}

func checkQueries(t *testing.T, r *rapid.T, x *indexFile, f historyindex.Filter, want []historyindex.Row) {
	ctx, limit := t.Context(), rapid.IntRange(1, 30).Draw(r, "limit")
	skip := rapid.IntRange(0, 20).Draw(r, "skip")
	before := ledger.HistoryID(rapid.Uint64Range(1, 900).Draw(r, "before"))
	at := ledger.Time(rapid.Uint32Range(990, 1300).Draw(r, "at"))

	expect(r, "skip", seqs(t, x, f, historyindex.Window{Skip: uint64(skip), Limit: limit}), want[min(skip, len(want)):], limit)
	newer := sort.Search(len(want), func(i int) bool { return want[i].ID < before })
	expect(r, "before", seqs(t, x, f, historyindex.Window{Before: before, Skip: uint64(skip), Limit: limit}),
		want[min(newer+skip, len(want)):], limit)
	oldest := slices.Clone(want[:sort.Search(len(want), func(i int) bool { return want[i].ID <= before })])
	slices.Reverse(oldest)
	expect(r, "after", seqs(t, x, f, historyindex.Window{After: before, Skip: uint64(skip), Limit: limit, Oldest: true}),
		oldest[min(skip, len(oldest)):], limit)
	largest := slices.Clone(want)
	slices.SortStableFunc(largest, byAmount)
	expect(r, "amount", seqs(t, x, f, historyindex.Window{Skip: uint64(skip), Limit: limit, Amount: true}),
		largest[min(skip, len(largest)):], limit)
	if n, err := x.Count(ctx, holder, f); err != nil || n != uint64(len(want)) {
		r.Fatalf("%d match, want %d (%v)", n, len(want), err)
	}
	newer = sort.Search(len(want), func(i int) bool { return want[i].ID <= before })
	if n, err := x.Position(ctx, holder, f, before); err != nil || n != uint64(newer) {
		r.Fatalf("%d are newer than %d, want %d (%v)", n, before, newer, err)
	}
	later := sort.Search(len(want), func(i int) bool { return want[i].Time <= at })
	p, found, err := x.Jump(ctx, holder, f, at)
	if err != nil || found != (later < len(want)) || found && (p.Position != uint64(later) || p.ID != want[later].ID) {
		r.Fatalf("at %d there is %+v %v, want row %d (%v)", at, p, found, later, err)
	}
	totals, err := x.Totals(ctx, holder, f)
	if err != nil || totals.Rows != uint64(len(want)) || fmt.Sprint(totals.Sums) != fmt.Sprint(sums(want, filterAssets(f), parts)) {
		r.Fatalf("the totals are %+v, want %d %+v (%v)", totals, len(want), sums(want, filterAssets(f), parts), err)
	}
}

// byAmount orders the largest amount of each asset first, and rows that move nothing last.
func byAmount(a, b historyindex.Row) int {
	switch {
	case a.Asset == nil && b.Asset == nil:
		return 0
	case a.Asset == nil:
		return 1
	case b.Asset == nil:
		return -1
	case *a.Asset != *b.Asset:
		return cmp.Compare(*a.Asset, *b.Asset)
	}
	return cmp.Compare(b.Amount, a.Amount)
}

// checkDealings compares the dealings between accounts with the sums over their rows.
func checkDealings(t *testing.T, r *rapid.T, x *indexFile, all []historyindex.Row) {
	got, err := x.Dealings(t.Context(), holder, []ledger.AccountID{0, 3, 9})
	must(t, err)
	for _, with := range []ledger.AccountID{0, 3, 9} {
		var want historyindex.Dealings
		paid := slices.DeleteFunc(slices.Clone(all), func(row historyindex.Row) bool {
			return row.With == nil || *row.With != with || row.Asset == nil ||
				row.Direction != historyindex.In && row.Direction != historyindex.Out
		})
		for _, row := range paid {
			if row.Direction == historyindex.In {
				want.In++
				continue
			}
			want.Out++
			want.Last = max(want.Last, row.Time)
		}
		want.Sums = sums(paid, nil, func(row historyindex.Row) []historyindex.Part { return parts(row)[:1] })
		if fmt.Sprintf("%+v", got[with]) != fmt.Sprintf("%+v", want) {
			r.Fatalf("with %d: %+v, want %+v", with, got[with], want)
		}
	}
}

func expect(r *rapid.T, what string, got []uint64, want []historyindex.Row, limit int) {
	var list []uint64
	for _, row := range want[:min(limit, len(want))] {
		list = append(list, row.Seq)
	}
	if !slices.Equal(got, list) {
		r.Fatalf("%s: rows %v, want %v", what, got, list)
	}
}

// filterAssets returns the assets that a filter is limited to, by itself or by the first such filter in All.
func filterAssets(f historyindex.Filter) []ledger.AssetID {
	if len(f.Asset) > 0 {
		return f.Asset
	}
	for _, one := range f.All {
		if list := filterAssets(one); len(list) > 0 {
			return list
		}
	}
	return nil
}

// sums adds up the parts of rows, limited to the wanted assets unless there are none.
func sums(rows []historyindex.Row, wanted []ledger.AssetID, parts func(historyindex.Row) []historyindex.Part) (out []historyindex.Sum) {
	for id := range ledger.AssetID(3) {
		s, there := historyindex.Sum{Asset: id, In: new(big.Int), Out: new(big.Int)}, false
		for _, row := range rows {
			for _, part := range parts(row) {
				if part.Asset != id || len(wanted) > 0 && !slices.Contains(wanted, id) {
					continue
				}
				there = true
				switch row.Direction {
				case historyindex.In:
					s.In.Add(s.In, big.NewInt(part.Amount))
				case historyindex.Out:
					s.Out.Add(s.Out, big.NewInt(part.Amount))
				case historyindex.Other, historyindex.Self:
				}
			}
		}
		if there {
			out = append(out, s)
		}
	}
	return out
}

// A run of rows grows, loses its end in forks, and is closed and opened again. In the
// end it equals a list that went through the same.
func TestRunOfRowsMatchesAList(t *testing.T) {
	x := openIndex(t)
	rapid.Check(t, func(r *rapid.T) {
		must(t, x.Forget(t.Context(), holder))
		bottom := rapid.Uint64Range(1, 30).Draw(r, "bottom")
		top := bottom + rapid.Uint64Range(0, 30).Draw(r, "rows") - 1
		final := uint32(bottom/2 + 1)
		s := historyindex.Status{Account: holder}
		must(t, x.Extend(t.Context(), s, historyindex.Batch{From: bottom, Rows: made(bottom, top), Final: final}))
		for range rapid.IntRange(0, 12).Draw(r, "steps") {
			s = readStatus(t, x)
			switch rapid.IntRange(0, 8).Draw(r, "step") {
			case 0, 1, 2, 3:
				from, err := x.FirstProvisional(t.Context(), s)
				must(t, err)
				from = rapid.Uint64Range(from, s.Top+1).Draw(r, "from")
				top = from + rapid.Uint64Range(0, 20).Draw(r, "more") - 1
				final = max(final, uint32(rapid.Uint64Range(0, top/2+1).Draw(r, "final")))
				must(t, x.Extend(t.Context(), s, historyindex.Batch{From: from, Rows: made(from, top), Final: final}))
			case 4, 5, 6, 7:
				low := rapid.Uint64Range(1, bottom).Draw(r, "low")
				if low < bottom && made(bottom-1, bottom-1)[0].Block <= final {
					must(t, x.Prepend(t.Context(), s, made(low, bottom-1), false))
					bottom = low
				}
			case 8:
				must(t, x.Close())
				x = open(t, x.path)
			}
		}
		if failure, err := x.Check(t.Context(), holder); failure != "" || err != nil {
			r.Fatal(failure, err)
		}
		want := made(bottom, top)
		slices.Reverse(want)
		expect(r, "the run", seqs(t, x, historyindex.Filter{}, historyindex.Window{Limit: 10_000}), want, 10_000)
		if s = readStatus(t, x); s.Bottom != bottom || s.Top != top || s.Final != final || s.Whole != (bottom == 1) {
			r.Fatalf("its status is %+v, want %d … %d, final %d", s, bottom, top, final)
		}
	})
}
