package history_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/history/export"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/testwallet"
)

// hostileMemo is text that a spreadsheet would evaluate and a terminal would interpret.
var hostileMemo = "=HYPERLINK(\"x\")\x1b[2J, \"two\"\nlines" + piled

// piled is a letter with more combining marks than a screen shows.
var piled = "z" + strings.Repeat("\u0301", 300)

// export writes the rows of alice to a file and returns its content.
func (s *historyFixture) export(e export.Request) []byte {
	s.T.Helper()
	e.Path = filepath.Join(testwallet.Folder(s.T), "rows")
	n, err := export.New(s.History).Export(s.Ctx, 16, e, func(uint64) {})
	testwallet.Must(s.T, err)
	want, err := s.History.Count(s.Ctx, 16, e.Filter)
	if err != nil || n != want {
		s.T.Errorf("%d rows were written, %d match (%v)", n, want, err)
	}
	text, err := os.ReadFile(e.Path)
	testwallet.Must(s.T, err)
	return text
}

// openForExport returns a wallet with 1,204 rows in its index; one of the newest has a memo.
func openForExport(t *testing.T) *historyFixture {
	s := openFixture(t, "alice")
	s.push(1200)
	s.Pay("alice", "carol", "2.5", hostileMemo)
	for range 6 {
		s.block()
	}
	for range 3 {
		_, err := s.Box.PushUnsigned(
			ledger.NewOperation(&ledger.TransferObsoleteOp{From: 18, To: 16, Amount: ledger.AssetAmount{Amount: 1_0000_0000}}))
		testwallet.Must(t, err)
		s.block()
	}
	s.catchUp()
	return s
}

func TestExportHasEveryRow(t *testing.T) {
	s := openForExport(t)
	in := historyindex.Filter{Direction: []historyindex.Direction{historyindex.In}}
	for _, c := range []struct {
		filter historyindex.Filter
		rows   int
	}{{historyindex.Filter{}, 1204}, {in, 3}, {historyindex.Filter{None: []historyindex.Filter{{}}}, 0}} {
		lines, err := csv.NewReader(bytes.NewReader(s.export(export.Request{Format: export.CSV, Filter: c.filter}))).ReadAll()
		if err != nil || len(lines) != c.rows+1 {
			t.Errorf("csv has %d lines, want %d (%v)", len(lines), c.rows+1, err)
		}
		if n := bytes.Count(s.export(export.Request{Format: export.JSONL, Filter: c.filter}), []byte("\n")); n != c.rows {
			t.Errorf("jsonl has %d lines, want %d", n, c.rows)
		}
		if n := bytes.Count(s.export(export.Request{Format: export.Hledger, Filter: c.filter}), []byte("; id:1.7.")); n != c.rows {
			t.Errorf("hledger has %d transactions, want %d", n, c.rows)
		}
	}
}

func TestExportedRows(t *testing.T) {
	s := openForExport(t)
	lines, err := csv.NewReader(bytes.NewReader(s.export(export.Request{Format: export.CSV, Memos: true}))).ReadAll()
	testwallet.Must(t, err)
	got, in := lines[4], lines[1]
	if want := "'=HYPERLINK(\"x\")\\x1b[2J, \"two\"\nlines" + piled; got[15] != want || got[9] != "-2.50000000" || got[7] != "carol" ||
		got[14] != "encrypted" ||
		got[16] != "final" {
		t.Errorf("the payment with the memo is %q", got)
	}
	if in[9] != "1.00000000" || in[4] != "in" || in[5] != "carol" || in[12] != "0.00100000" || in[16] != "provisional" {
		t.Errorf("the newest is %q", in)
	}
	if last := len(in) - 1; lines[0][last] != "fee_payer" || in[last] != "carol" || got[last] != "alice" {
		t.Errorf("the fees of carol's and of alice's payments are of %q and %q, in the column %q", in[last], got[last], lines[0][last])
	}
	if lines, _ := csv.NewReader(bytes.NewReader(s.export(export.Request{Format: export.CSV,
		Oldest: true}))).ReadAll(); lines[1][9] != "-0.00000001" ||
		lines[1201][15] != "" {
		t.Errorf("oldest first, without memos, the first is %q, the one with a memo %q", lines[1], lines[1201])
	}
	rows := bufio.NewScanner(bytes.NewReader(s.export(export.Request{Format: export.JSONL, Memos: true})))
	for range 4 {
		rows.Scan()
	}
	var row struct {
		ID, Memo string
		Moved    struct {
			Amount, Symbol string
			Precision      int
		}
	}
	if err := json.Unmarshal(rows.Bytes(), &row); err != nil || row.Memo != hostileMemo || row.Moved.Amount != "250000000" ||
		row.Moved.Precision != 8 {
		t.Errorf("the object is %+v, %v", row, err)
	}
}

// In every transaction of the journal, the postings of each asset add up to zero.
func TestExportedJournalBalances(t *testing.T) {
	s := openForExport(t)
	text := string(s.export(export.Request{Format: export.Hledger, Memos: true}))
	posting := regexp.MustCompile(`^    [a-z]+:.*?  (-?)([0-9.]+) (\S+)$`)
	postings := 0
	for _, transaction := range strings.Split(strings.TrimSpace(text), "\n\n") {
		sums := map[string]*big.Rat{}
		for _, line := range strings.Split(transaction, "\n")[1:] {
			m := posting.FindStringSubmatch(line)
			if m == nil {
				if !strings.HasPrefix(line, "    ; memo: ") {
					t.Fatalf("the line %q is not a posting", line)
				}
				continue
			}
			n, _ := new(big.Rat).SetString(m[1] + m[2])
			if sums[m[3]] == nil {
				sums[m[3]] = new(big.Rat)
			}
			sums[m[3]].Add(sums[m[3]], n)
			postings++
		}
		for asset, sum := range sums {
			if sum.Sign() != 0 {
				t.Fatalf("%s is left over of %s in\n%s", sum, asset, transaction)
			}
		}
	}
	if postings < 2*1204 || !strings.Contains(text, "transfer to carol 1.2.18") ||
		!strings.Contains(text, "expenses:fees  0.00100000 DCT") {
		t.Errorf("%d postings in\n%s", postings, text[len(text)-600:])
	}
}

// A failed export leaves no file behind, and an export never overwrites a file.
func TestFailedExportLeavesNoFile(t *testing.T) {
	s := openForExport(t)
	dir := testwallet.Folder(t)
	path := filepath.Join(dir, "rows.csv")
	for name, broken := range map[string]func(e *export.Request) (context.Context, func(uint64)){
		"stopped": func(*export.Request) (context.Context, func(uint64)) {
			ctx, cancel := context.WithCancel(s.Ctx)
			return ctx, func(uint64) { cancel() }
		},
		"locked": func(e *export.Request) (context.Context, func(uint64)) {
			e.Memos = true
			return s.Ctx, func(uint64) { s.Vault.Lock() }
		},
		"no format": func(e *export.Request) (context.Context, func(uint64)) {
			e.Format = "xls"
			return s.Ctx, func(uint64) {}
		},
		"the name of another format": func(e *export.Request) (context.Context, func(uint64)) {
			e.Path = filepath.Join(dir, "rows.JSONL")
			return s.Ctx, func(uint64) {}
		},
	} {
		testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
		e := export.Request{Format: export.CSV, Path: path, Oldest: true} // the memo comes last
		ctx, progress := broken(&e)
		if _, err := export.New(s.History).Export(ctx, 16, e, progress); err == nil {
			t.Errorf("%s: it was written", name)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left (%v)", name, left, err)
		}
	}
	if _, err := export.New(s.History).Export(s.Ctx, 16, export.Request{Format: export.CSV, Path: dir}, func(uint64) {}); err == nil || !strings.Contains(err.Error(), dir+" is a folder") {
		t.Errorf("over a folder: %v", err)
	}
	testwallet.Must(t, os.WriteFile(path, []byte("mine"), 0o600))
	if _, err := export.New(s.History).Export(s.Ctx, 16, export.Request{Format: export.CSV, Path: path},
		func(uint64) {}); fault.CodeOf(
		err) != fault.File {
		t.Errorf("over another file: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("the other file is %q, %v", text, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	var progress []uint64
	_, err := export.New(
		s.History).Export(
		s.Ctx,
		16,
		export.Request{Format: export.CSV, Path: path},
		func(n uint64) { progress = append(progress, n) },
	)
	testwallet.Must(t, err)
	info, err := os.Stat(path)
	testwallet.Must(t, err)
	if info.Mode().Perm() != 0o600 || !slices.Equal(progress, []uint64{500, 1000, 1204}) {
		t.Errorf("mode %v, progress %v", fmt.Sprint(info.Mode()), progress)
	}
}

func TestExportHasTransactionIDs(t *testing.T) {
	s := openFixture(t, "alice")
	s.push(60)
	first, err := s.Pay("alice", "bobby", "1", "").ID()
	testwallet.Must(t, err)
	second, err := s.Pay("alice", "bobby", "2", "").ID()
	testwallet.Must(t, err)
	s.block()
	s.catchUp()
	lines, err := csv.NewReader(bytes.NewReader(s.export(export.Request{Format: export.CSV, IDs: true}))).ReadAll()
	testwallet.Must(t, err)
	if lines[1][17] != second.String() || lines[2][17] != first.String() || len(lines[60][17]) != 40 {
		t.Errorf("the newest are %q and %q, want %s and %s; the oldest: %q",
			lines[1][17], lines[2][17], second, first, lines[60][17])
	}
	text := s.export(export.Request{Format: export.Hledger, IDs: true})
	if !bytes.Contains(text, []byte("; transaction: "+first.String())) {
		t.Errorf("the journal lacks %s", first)
	}
}
