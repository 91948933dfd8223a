package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
)

const benchRows = 1_000_000

// million writes a history of 1,000,000 rows as the filler does: backward from the
// newest, in parts.
func million(b *testing.B) *indexFile {
	b.Helper()
	x := open(b, filepath.Join(b.TempDir(), "history.db"))
	began := time.Now()
	fillFor(b, x, benchRows)
	info, err := os.Stat(x.path)
	must(b, err)
	b.Logf("%d rows were written in %s; %d bytes each", benchRows, time.Since(began).Round(time.Millisecond), info.Size()/benchRows)
	return x
}

func fillFor(b *testing.B, x *indexFile, rows uint64) {
	b.Helper()
	const part = 5000
	must(
		b,
		x.Extend(b.Context(), historyindex.Status{Account: holder},
			historyindex.Batch{From: rows - part + 1, Rows: paid(rows-part+1, rows), Final: 1 << 31, Head: 1 << 31, Total: rows}),
	)
	for s := readStatus(b, x); !s.Whole; s = readStatus(b, x) {
		must(b, x.Prepend(b.Context(), s, paid(s.Bottom-part, s.Bottom-1), false))
	}
}

// paid returns rows like those of a shop: 500 other sides, two assets, memos.
func paid(first, last uint64) []historyindex.Row {
	out := make([]historyindex.Row, 0, last-first+1)
	for seq := first; seq <= last; seq++ {
		with, asset := ledger.AccountID(100+seq*2654435761%500), ledger.AssetID(0)
		if seq%10 == 0 {
			asset = 3
		}
		out = append(out, historyindex.Row{
			Seq: seq, ID: ledger.HistoryID(seq * 7), Block: uint32(seq * 2), Time: ledger.Time(1_500_000_000 + seq*10),
			Direction: historyindex.Direction(1 + seq%2), With: &with, Asset: &asset, Amount: int64(seq * 40503 % 100_000_000),
			Raw: fmt.Appendf(nil, `{"id":"1.7.%d","op":[0,{"fee":{"amount":500000,"asset_id":"1.3.0"},"from":"1.2.17","to":"%s","amount":{"amount":%d,"asset_id":"1.3.0"},"memo":{"from":"DCT6MA5TQQ6UbMyMaLPmPXE2Syh5G3ZVhv5SbFedqLPqdFChSeqTz","to":"DCT6bVmimtYSvWQtwdrkVVQGHkVsTJZVKtBiUqf4YmJnrJPnk89QP","nonce":"8563223405012345678","message":"d6ff3e1d3ec1fcc4e0ae2b4e5b5ab5ad6f1b3ab0e4b5a6d1"},"extensions":[]}],"result":[0,{}],"block_num":%d,"trx_in_block":0,"op_in_trx":0,"virtual_op":%d}`, seq*7, with, seq, seq*2, seq),
		})
	}
	return out
}

// BenchmarkMillionRows times queries on a million rows. It reports the limit of those
// that have one; see docs/design.
func BenchmarkMillionRows(b *testing.B) {
	x := million(b)
	ctx := b.Context()
	page := func(f historyindex.Filter, win historyindex.Window) func() (int, error) {
		win.Limit = 100
		return func() (int, error) {
			p, err := x.Page(ctx, holder, f, win)
			return len(p.Rows), err
		}
	}
	counted := func(f historyindex.Filter) func() (int, error) {
		return func() (int, error) {
			n, err := x.Count(ctx, holder, f)
			return int(n), err
		}
	}
	totalled := func(f historyindex.Filter) func() (int, error) {
		return func() (int, error) {
			t, err := x.Totals(ctx, holder, f)
			return int(t.Rows), err
		}
	}
	other := historyindex.Filter{With: []ledger.AccountID{101}}
	rich := historyindex.Filter{Min: 99_000_000}
	edge := ledger.HistoryID(benchRows * 7)
	either := historyindex.Filter{
		Any:  []historyindex.Filter{{With: []ledger.AccountID{101, 102, 103}}, {Memo: []historyindex.Memo{historyindex.PlainMemo}}},
		None: []historyindex.Filter{{Asset: []ledger.AssetID{3}}}, Since: 1_502_000_000, UpTo: edge,
	}
	some := historyindex.Filter{Asset: []ledger.AssetID{3}, Direction: []historyindex.Direction{historyindex.In}, Min: 50_000_000,
		Since: 1_504_000_000}
	for _, c := range []struct {
		name  string
		limit time.Duration
		do    func() (int, error)
	}{
		{"first page", 50 * time.Millisecond, page(historyindex.Filter{}, historyindex.Window{})},
		{"last page by position", 50 * time.Millisecond, page(historyindex.Filter{}, historyindex.Window{Skip: benchRows - 100})},
		{"page before an id", 50 * time.Millisecond, page(historyindex.Filter{}, historyindex.Window{Before: 3_500_000})},
		{"filter counterparty, first page", 200 * time.Millisecond, page(other, historyindex.Window{})},
		{"filter counterparty, count", 200 * time.Millisecond, counted(other)},
		{"filter amount, first page", 200 * time.Millisecond, page(rich, historyindex.Window{})},
		{"filter amount, count", 200 * time.Millisecond, counted(rich)},
		{"filter asset direction amount time, first page", 200 * time.Millisecond, page(some, historyindex.Window{})},
		{"filter asset direction amount time, count", 200 * time.Millisecond, counted(some)},
		{"filter id prefix, first page", 200 * time.Millisecond, page(historyindex.Filter{ID: "35"}, historyindex.Window{})},
		{"filter id prefix, count", 200 * time.Millisecond, counted(historyindex.Filter{ID: "35"})},
		{"filter nothing matches, first page", 200 * time.Millisecond, page(historyindex.Filter{Min: 1 << 40}, historyindex.Window{})},
		{"filter direction, sums", 0, totalled(historyindex.Filter{Direction: []historyindex.Direction{historyindex.Out}})},
		{"sums of all rows", 0, totalled(historyindex.Filter{})},
		{"group, first page", 200 * time.Millisecond, page(either, historyindex.Window{})},
		{"group, count", 200 * time.Millisecond, counted(either)},
		{"direction, last page", 50 * time.Millisecond,
			page(historyindex.Filter{Direction: []historyindex.Direction{historyindex.In}, UpTo: edge}, historyindex.Window{Oldest: true})},
		{"counterparty, sums", 0, totalled(historyindex.Filter{With: []ledger.AccountID{101}, UpTo: edge})},
		{"direction up to a row, sums", 0, totalled(historyindex.Filter{Direction: []historyindex.Direction{historyindex.In}, UpTo: edge})},
		{"amount, sums", 0, totalled(historyindex.Filter{Min: 50_000_000, UpTo: edge})},
		{"memo, sums", 0, totalled(historyindex.Filter{Memo: []historyindex.Memo{historyindex.NoMemo}, UpTo: edge})},
		{"jump to a time", 50 * time.Millisecond, func() (int, error) {
			p, _, err := x.Jump(ctx, holder, historyindex.Filter{UpTo: edge}, 1_507_000_000)
			return int(p.Position), err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			rows := 0
			for b.Loop() {
				n, err := c.do()
				must(b, err)
				rows = n
			}
			took := b.Elapsed() / time.Duration(b.N)
			b.ReportMetric(float64(took.Microseconds())/1000, "ms/op")
			b.ReportMetric(float64(rows), "rows")
			if c.limit > 0 {
				b.ReportMetric(float64(c.limit.Milliseconds()), "limit-ms")
			}
		})
	}
}

// BenchmarkFill measures writing rows, 5,000 to a transaction.
func BenchmarkFill(b *testing.B) {
	x := open(b, filepath.Join(b.TempDir(), "history.db"))
	const rows = 10_000
	for b.Loop() {
		must(b, x.Forget(b.Context(), holder))
		fillFor(b, x, rows)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/rows, "µs/row")
}
