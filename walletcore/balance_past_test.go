package walletcore_test

import (
	"path/filepath"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/balance"
	"billfold/walletcore/historyindex"
)

const (
	alice = ledger.AccountID(17)
	bob   = ledger.AccountID(18)
	fee   = 100
	began = 1_700_000_000 / 3600 * 3600
)

// book is a history in an index with an operation every ten minutes.
type book struct {
	t     *testing.T
	index *historyindex.Index
	path  string
}

func newBook(t *testing.T) *book {
	b := &book{t: t, path: filepath.Join(ramdisk.Folder(t), "history.db")}
	b.open()
	return b
}

func (b *book) open() {
	var err error
	b.index, err = historyindex.Open(b.path)
	must(b.t, err)
	must(b.t, b.index.Bind(ledger.ChainID{1}))
	b.t.Cleanup(func() { must(b.t, b.index.Close()) })
}

func timeOf(seq uint64) ledger.Time { return ledger.Time(began + seq*600) }

// row returns a payment of seq units, to alice if seq is even, otherwise by her; if silent, a renewal, which does not show
// what it moved.
func (b *book) row(seq uint64, silent bool) historyindex.Row {
	from, to := alice, bob
	if seq%2 == 0 {
		from, to = bob, alice
	}
	var body ledger.Body = &ledger.TransferOp{Fee: ledger.AssetAmount{Amount: fee}, From: from, To: to.Object(),
		Amount: ledger.AssetAmount{Amount: int64(seq)}}
	if silent {
		body = &ledger.RenewalOfSubscriptionOp{Consumer: alice}
	}
	raw, err := codec.Marshal(ledger.HistoryRecord{ID: ledger.HistoryID(seq), Op: ledger.NewOperation(body), BlockNum: uint32(seq)})
	must(b.t, err)
	return historyindex.Row{Seq: seq, ID: ledger.HistoryID(seq), Block: uint32(seq), Time: timeOf(seq), Raw: raw}
}

func (b *book) rows(first, last uint64, silent ...uint64) (out []historyindex.Row) {
	for seq := first; seq <= last; seq++ {
		out = append(out, b.row(seq, len(silent) > 0 && silent[0] == seq))
	}
	return out
}

// extend adds rows; those in blocks up to final are final.
func (b *book) extend(final uint32, rows []historyindex.Row) {
	b.t.Helper()
	s, err := b.index.Status(b.t.Context(), alice)
	must(b.t, err)
	last := rows[len(rows)-1]
	must(b.t, b.index.Extend(b.t.Context(), s, historyindex.Batch{From: rows[0].Seq, Rows: rows, Final: final, Head: last.Block,
		HeadTime: last.Time, Total: last.Seq}))
}

// after returns alice's balance after the operations up to seq. It starts at 1,000,000.
func after(seq uint64) int64 {
	in, out := int64(seq/2), int64((seq+1)/2)
	return 1_000_000 + in*(in+1) - out*out - out*fee
}

// holds compares the balances of the last hours with those that result from the operations.
func (b *book) holds(top uint64, hours, known int) {
	b.t.Helper()
	var at []time.Time
	end := timeOf(top).Time().Truncate(time.Hour)
	for h := hours; h >= 0; h-- {
		at = append(at, end.Add(-time.Duration(h)*time.Hour))
	}
	at = append(at, timeOf(top).Time())
	past, err := balance.Read(b.t.Context(), b.index, alice, at[0], time.Minute)
	must(b.t, err)
	levels := past.Levels(0, after(top), at)
	if len(levels) != known {
		b.t.Fatalf("%d of %d balances are known, not %d", len(levels), len(at), known)
	}
	for i, level := range levels {
		t := at[len(at)-len(levels)+i]
		seq := min(top, uint64(max(t.Unix()-1-began, 0))/600)
		if i == len(levels)-1 {
			seq = top
		}
		if level != after(seq) {
			b.t.Errorf("at %s it was %d, not %d", t, level, after(seq))
		}
	}
}

func TestPastBalances(t *testing.T) {
	b := newBook(t)
	b.extend(2990, b.rows(1, 3000))
	b.holds(3000, 24, 26)   // from the newest rows
	b.holds(3000, 300, 302) // and further back
	b.extend(3005, b.rows(3001, 3010))
	b.holds(3010, 30, 32) // with rows that are not final yet
	b.extend(3400, b.rows(3011, 3405))
	b.holds(3405, 100, 102)
	must(t, b.index.Close())
	b.open()
	b.holds(3405, 500, 502)
	p, err := balance.Read(t.Context(), b.index, alice, time.Unix(began-86400, 0), time.Minute)
	must(t, err)
	if !p.Known || !p.Since.Equal(time.Unix(began-86400, 0)) {
		t.Errorf("an account that is read whole is known since %s (%v)", p.Since, p.Known)
	}
}

func TestPastBalancesEndAtARowWithoutAmounts(t *testing.T) {
	b := newBook(t)
	b.extend(2990, b.rows(1, 3000, 2890))
	b.holds(3000, 100, 20) // the hours since that row, and now
	b.extend(3011, b.rows(3001, 3011, 3009))
	b.holds(3011, 100, 1)
	p, err := balance.Read(t.Context(), newBook(t).index, alice, time.Unix(began, 0), time.Minute)
	if p.Known || err != nil || len(p.Levels(0, 5, []time.Time{time.Now()})) > 0 {
		t.Errorf("of an account that was never read, something is known: %+v, %v", p, err)
	}
}
