package history_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/walletcore/database"
	"billfold/walletcore/historyindex"
)

// holder is the account whose rows an index is filled with.
const holder ledger.AccountID = 17

// indexFile is an index and its path.
type indexFile struct {
	*historyindex.Index
	path string
}

func chainOf(n byte) (id ledger.ChainID) {
	id[0] = n
	return id
}

// openIndex opens a new index of chain 1.
func openIndex(t testing.TB) *indexFile {
	t.Helper()
	return open(t, filepath.Join(ramdisk.Folder(t), "history ?#%.db"))
}

func open(t testing.TB, path string) *indexFile {
	t.Helper()
	x, err := historyindex.Open(path)
	must(t, err)
	t.Cleanup(func() { _ = x.Close() }) // some were closed before
	must(t, x.Bind(chainOf(1)))
	return &indexFile{x, path}
}

// made returns rows first … last, two to a block; their ids rise by three.
func made(first, last uint64) (out []historyindex.Row) {
	for seq := first; seq <= last; seq++ {
		with, asset := ledger.AccountID(100+seq%7), ledger.AssetID(seq%3)
		r := historyindex.Row{
			Seq: seq, ID: ledger.HistoryID(seq * 3), Block: uint32(seq / 2), Time: ledger.Time(1_700_000_000 + seq/2*5),
			Code: ledger.OpCode(
				seq % 4,
			), Direction: historyindex.Direction(seq % 4), With: &with, Asset: &asset, Amount: int64(seq * 10), Raw: fmt.Appendf(nil,
				`{"id":"1.7.%d"}`, seq*3),
		}
		if r.Direction == historyindex.Other {
			r.Asset, r.Amount = nil, 0
		}
		out = append(out, r)
	}
	return out
}

// fill writes rows first … last to x, final up to a block.
func fill(t testing.TB, x *indexFile, first, last uint64, final uint32) historyindex.Status {
	t.Helper()
	must(
		t,
		x.Extend(t.Context(), historyindex.Status{Account: holder},
			historyindex.Batch{From: first, Rows: made(first, last), Final: final, Head: uint32(last), Total: last}),
	)
	return readStatus(t, x)
}

func readStatus(t testing.TB, x *indexFile) historyindex.Status {
	t.Helper()
	s, err := x.Status(t.Context(), holder)
	must(t, err)
	return s
}

// seqs returns the counts of a page.
func seqs(t testing.TB, x *indexFile, f historyindex.Filter, win historyindex.Window) (out []uint64) {
	t.Helper()
	p, err := x.Page(t.Context(), holder, f, win)
	must(t, err)
	for _, r := range p.Rows {
		out = append(out, r.Seq)
	}
	return out
}

func TestRowsAreTheSameAfterAReopen(t *testing.T) {
	x := openIndex(t)
	fill(t, x, 11, 40, 18)
	must(t, x.PutNames(t.Context(), historyindex.Names{Accounts: map[ledger.AccountID]string{100: "bobby"},
		Assets: map[ledger.AssetID]historyindex.Asset{1: {Symbol: "ALX.GOLD", Precision: 4}}}))
	must(t, x.Close())
	if info, err := os.Stat(x.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v (%v)", info.Mode(), err)
	}
	x = open(t, x.path)
	p, err := x.Page(t.Context(), holder, historyindex.Filter{}, historyindex.Window{Limit: 100})
	must(t, err)
	want := made(11, 40)
	for i, r := range p.Rows {
		r.Final = false
		if w := want[len(want)-1-i]; !reflect.DeepEqual(r, w) {
			t.Fatalf("row %d is %+v, was %+v", i, r, w)
		}
		if p.Rows[i].Final != (r.Block <= 18) {
			t.Errorf("row %d of block %d is final: %v", r.Seq, r.Block, p.Rows[i].Final)
		}
	}
	if len(p.Rows) != 30 || p.Bottom != 11 || p.Top != 40 || p.Whole || p.Head != 40 || p.Total != 40 {
		t.Errorf("%d rows at %+v", len(p.Rows), p.Status)
	}
	names, err := x.Names(t.Context(), []ledger.AccountID{100, 101}, []ledger.AssetID{1, 2})
	if err != nil || len(names.Accounts) != 1 || names.Accounts[100] != "bobby" || len(names.Assets) != 1 ||
		names.Assets[1] != (historyindex.Asset{Symbol: "ALX.GOLD", Precision: 4}) {
		t.Errorf("the names are %+v, %v", names, err)
	}
}

func TestIndexWithoutAFileIsEmpty(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "history.db")
	index, err := historyindex.Open(path)
	must(t, err)
	x := &indexFile{index, path}
	if got := seqs(t, x, historyindex.Filter{}, historyindex.Window{Limit: 9}); got != nil {
		t.Errorf("it has %v", got)
	}
	if s := readStatus(t, x); s.Known() {
		t.Errorf("its status is %+v", s)
	}
	if err := x.Extend(t.Context(), historyindex.Status{Account: holder}, historyindex.Batch{From: 1}); err == nil {
		t.Error("rows were added to an index that is bound to no chain")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was created too early")
	}
	must(t, x.Close())
	if err := x.Bind(chainOf(1)); !errors.Is(err, historyindex.ErrClosed) {
		t.Errorf("a closed index was bound: %v", err)
	}
}

// A change that does not fit leaves the index unchanged.
func TestGapsRepetitionsAndFinalRowsAreRefused(t *testing.T) {
	x := openIndex(t)
	was := fill(t, x, 11, 40, 18) // rows up to 37 are final
	old := was
	old.Top--
	wrong := made(41, 43)
	wrong[1].ID = wrong[0].ID
	late := made(41, 42)
	late[0].Block = 3
	extend := func(s historyindex.Status, b historyindex.Batch) error { return x.Extend(t.Context(), s, b) }
	for what, c := range map[string]struct {
		act  func() error
		want error
	}{
		"gap above":         {func() error { return extend(was, historyindex.Batch{From: 42, Rows: made(42, 43)}) }, historyindex.ErrGap},
		"other count":       {func() error { return extend(was, historyindex.Batch{From: 41, Rows: made(42, 43)}) }, historyindex.ErrGap},
		"final taken back":  {func() error { return extend(was, historyindex.Batch{From: 37, Rows: made(37, 40)}) }, historyindex.ErrGap},
		"below bottom":      {func() error { return extend(was, historyindex.Batch{From: 10, Rows: made(10, 40)}) }, historyindex.ErrGap},
		"repeated id":       {func() error { return extend(was, historyindex.Batch{From: 41, Rows: wrong}) }, historyindex.ErrGap},
		"block goes back":   {func() error { return extend(was, historyindex.Batch{From: 41, Rows: late[:1]}) }, historyindex.ErrGap},
		"moved":             {func() error { return extend(old, historyindex.Batch{From: 41, Rows: made(41, 43)}) }, historyindex.ErrMoved},
		"older with a gap":  {func() error { return x.Prepend(t.Context(), was, made(5, 9), false) }, historyindex.ErrGap},
		"older repeated":    {func() error { return x.Prepend(t.Context(), was, made(7, 11), false) }, historyindex.ErrGap},
		"older than first":  {func() error { return x.Prepend(t.Context(), was, made(0, 10), false) }, historyindex.ErrGap},
		"older after moved": {func() error { return x.Prepend(t.Context(), old, made(5, 10), false) }, historyindex.ErrMoved},
	} {
		if err := c.act(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
		if now := readStatus(t, x); now != was {
			t.Fatalf("%s: its status is %+v", what, now)
		}
		if failure, err := x.Check(t.Context(), holder); failure != "" || err != nil {
			t.Fatalf("%s: %s %v", what, failure, err)
		}
	}
	must(t, x.Extend(t.Context(), was, historyindex.Batch{From: 38, Rows: made(38, 38), Final: 3}))
	if now := readStatus(t, x); now.Top != 38 || now.Final != 18 || now.Head != 0 {
		t.Errorf("after a fork its status is %+v", now)
	}
}

// spoil changes the file of an index without its knowledge.
func spoil(t *testing.T, path, statement string) {
	t.Helper()
	db, err := database.Open(path, database.Relaxed)
	must(t, err)
	_, err = db.Exec(statement)
	must(t, errors.Join(err, db.Close()))
}

func TestInconsistentRowsAreForgotten(t *testing.T) {
	for _, damage := range []string{`DELETE FROM operations WHERE seq = 20`, `DELETE FROM records WHERE seq = 20`,
		`DELETE FROM standings`, `UPDATE operations SET seq = 90 WHERE seq = 40`} {
		x := openIndex(t)
		fill(t, x, 11, 40, 18)
		spoil(t, x.path, damage)
		if failure, err := x.Check(t.Context(), holder); failure == "" || err != nil {
			t.Errorf("%s: %q, %v", damage, failure, err)
		}
		if s := readStatus(t, x); s.Known() {
			t.Errorf("%s: its status is %+v", damage, s)
		}
		fill(t, x, 11, 40, 18)
	}
}

func TestAnotherChainsIndexIsSetAside(t *testing.T) {
	x := openIndex(t)
	fill(t, x, 11, 40, 18)
	must(t, x.Bind(chainOf(2)))
	if s := readStatus(t, x); s.Known() || x.Chain() != chainOf(2) || !strings.Contains(x.Notice(), "another chain") {
		t.Errorf("its status is %+v; %q", s, x.Notice())
	}
	fill(t, x, 1, 5, 1)
	must(t, x.Close())
	x = open(t, x.path) // binds to chain 1
	if s := readStatus(t, x); s.Known() {
		t.Errorf("it has rows of another chain: %+v", s)
	}
}

func TestBrokenFileIsSetAsideAndRebuilt(t *testing.T) {
	for what, damage := range map[string]func(t *testing.T, path string){
		"no database": func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte(strings.Repeat("this is no database ", 1000)), 0o600))
		},
		"other tables": func(t *testing.T, path string) { spoil(t, path, `UPDATE index_of SET version = 99`) },
		"cut":          func(t *testing.T, path string) { must(t, os.Truncate(path, 5000)) },
		"holes":        func(t *testing.T, path string) { punch(t, path) },
	} {
		t.Run(what, func(t *testing.T) {
			x := openIndex(t)
			fill(t, x, 1, 250, 2000)
			must(t, x.Close())
			damage(t, x.path)
			x = open(t, x.path)
			_, err := x.Page(t.Context(), holder, historyindex.Filter{}, historyindex.Window{Limit: 250})
			if err != nil { // the damage was noticed only now
				must(t, x.Bind(chainOf(1)))
			}
			if x.Notice() == "" {
				t.Fatal("nothing was noticed")
			}
			if s := readStatus(t, x); s.Known() {
				t.Fatalf("its status is %+v", s)
			}
			if _, err := os.Stat(x.path + ".damaged"); err != nil {
				t.Error(err)
			}
			fill(t, x, 1, 250, 2000)
			if got := seqs(t, x, historyindex.Filter{}, historyindex.Window{Limit: 2000}); len(got) != 250 {
				t.Errorf("%d rows after rebuilding it", len(got))
			}
		})
	}
}

// punch overwrites every page of the file except the first ones.
func punch(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	for i := 16 * 4096; i < len(data); i++ {
		data[i] = 0xa5
	}
	must(t, os.WriteFile(path, data, 0o600))
}

func TestSumsDoNotOverflow(t *testing.T) {
	x := openIndex(t)
	rows := made(1, 40)
	const most = math.MaxInt64
	for i := range rows {
		asset := ledger.AssetID(3)
		rows[i].Asset, rows[i].Amount, rows[i].Direction = &asset, most, historyindex.Direction(1+i%2)
	}
	must(t, x.Extend(t.Context(), historyindex.Status{Account: holder}, historyindex.Batch{From: 1, Rows: rows, Head: 40}))
	totals, err := x.Totals(t.Context(), holder, historyindex.Filter{})
	must(t, err)
	want := new(big.Int).Mul(big.NewInt(most), big.NewInt(20))
	if totals.Rows != 40 || len(totals.Sums) != 1 || totals.Sums[0].Asset != 3 || totals.Sums[0].In.Cmp(want) != 0 ||
		totals.Sums[0].Out.Cmp(want) != 0 {
		t.Errorf("the totals are %+v, want %s each", totals, want)
	}
}
