package tui_test

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/rows"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	"pgregory.net/rapid"
)

var (
	today = time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	alice = ledgerview.AccountRef{ID: 34, Name: "alice"}
)

func rowsEnv() screen.Env { return screen.Env{Now: today, Account: alice} }

func flat(t rows.Table, e history.Entry) string {
	var out strings.Builder
	for _, l := range t.Row(e) {
		out.WriteString(l.String())
	}
	return strings.ReplaceAll(out.String(), " ", "")
}

// At every width, a row shows account and amount to the last digit, and no line of it is wider than the table.
func TestRowsAreShownInFullAtEveryWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z][a-z0-9-]{3,61}[a-z0-9]`).Draw(t, "name")
		amount := rapid.Int64Range(1, 1<<62).Draw(t, "amount")
		precision := uint8(rapid.IntRange(0, 12).Draw(t, "precision"))
		asset := ledgerview.AssetRef{ID: 9, Symbol: "POINTS", Precision: precision}
		e := history.Entry{Name: "transfer", Time: ledger.TimeOf(today), Direction: history.Out, Amount: amount, Asset: asset,
			With: ledgerview.AccountRef{ID: 90412, Name: name}, From: alice}
		w := rapid.IntRange(30, 160).Draw(t, "width")
		table := rows.New(rowsEnv(), []history.Entry{e}, w, rapid.Bool().Draw(t, "memo"))
		for _, l := range table.Row(e) {
			if l.Width() > w+2 {
				t.Fatalf("a line of %d cells in %d: %q", l.Width(), w, l.String())
			}
		}
		row := flat(table, e)
		digits := strings.ReplaceAll(strings.ReplaceAll(row, ",", ""), "\n", "")
		if !strings.Contains(row, name+"1.2.90412") || !strings.Contains(digits, "-"+asset.Decimals(amount)+"POINTS") {
			t.Fatalf("in %d cells the row is %q", w, row)
		}
	})
}

func TestColumnsFoldInOrder(t *testing.T) {
	e := history.Entry{Name: "transfer", Time: ledger.TimeOf(today), Direction: history.In, Amount: 1,
		Asset: ledgerview.AssetRef{Symbol: "DCT", Precision: 8}, With: ledgerview.AccountRef{ID: 57, Name: "carol"}}
	for w, want := range map[int]string{120: "TIME (UTC) OPERATION WITH MEMO AMOUNT STATE", 90: "TIME (UTC) OPERATION WITH MEMO AMOUNT",
		64: "TIME (UTC) WITH MEMO AMOUNT", 48: "TIME (UTC) WITH AMOUNT"} {
		got := strings.Join(strings.Fields(rows.New(rowsEnv(), []history.Entry{e}, w, true).Head().String()), " ")
		if got != want {
			t.Errorf("in %d cells: %s, want %s", w, got, want)
		}
	}
}

func TestAmountOfARow(t *testing.T) {
	dct := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}
	for name, c := range map[string]struct {
		e    history.Entry
		want string
	}{
		"in":        {history.Entry{Direction: history.In, Amount: 5, Asset: dct, Fee: 7, FeeAsset: dct}, "+0.00000005 DCT"},
		"out":       {history.Entry{Direction: history.Out, Amount: 5, Asset: dct}, "-0.00000005 DCT"},
		"own fee":   {history.Entry{From: alice, Fee: 7, FeeAsset: dct}, "-0.00000007 DCT"},
		"other fee": {history.Entry{Fee: 7, FeeAsset: dct}, "–"},
	} {
		row := rows.New(rowsEnv(), []history.Entry{c.e}, 100, true).Row(c.e)[0].String()
		if !strings.Contains(row, c.want) {
			t.Errorf("%s: %q has no %q", name, row, c.want)
		}
	}
}

// A wide table shows for each row whether it is final, however long names and symbols are.
func TestWideTableAlwaysShowsTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := history.Entry{Name: "transfer", Time: ledger.TimeOf(today), Direction: history.Out, From: alice, Final: true,
			Amount: rapid.Int64Range(1, 1<<62).Draw(t, "amount"), Memo: "rent november", MemoState: vault.MemoPlain,
			With: ledgerview.AccountRef{ID: 90412, Name: rapid.StringMatching(`[a-z][a-z0-9-]{3,12}[a-z]`).Draw(t, "name")},
			Asset: ledgerview.AssetRef{ID: 9, Symbol: rapid.StringMatching(`[A-Z]{3,16}`).Draw(t, "symbol"),
				Precision: uint8(rapid.IntRange(0, 8).Draw(t, "precision"))}}
		table := rows.New(rowsEnv(), []history.Entry{e}, rapid.IntRange(100, 200).Draw(t, "width"), true)
		if row := table.Row(e)[0].String(); !strings.Contains(table.Head().String(), "STATE") || !strings.Contains(row, "final") {
			t.Fatalf("%q has no state", row)
		}
	})
}

// Each asset that a row moves has a line, with its decimal point below that of the row's own amount.
func TestRowShowsEachAssetThatItMoves(t *testing.T) {
	dct, gold := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}, ledgerview.AssetRef{ID: 7, Symbol: "GOLD", Precision: 2}
	e := history.Entry{Name: "asset fund pools", Direction: history.Out, From: alice, With: alice, Amount: 500000000, Asset: dct,
		Also: []history.Part{{Asset: gold, Amount: 123450}}}
	for _, w := range []int{120, 80, 40} {
		lines := rows.New(rowsEnv(), []history.Entry{e}, w, true).Row(e)
		own, also := lines[len(lines)-2].String(), lines[len(lines)-1].String()
		if !strings.Contains(own, "-5.00000000 DCT") || !strings.Contains(also, "-1,234.50") || !strings.Contains(also, "GOLD") {
			t.Errorf("in %d cells: %q, %q", w, own, also)
		}
		point := func(line, amount string) int { return canvas.Width(line[:strings.Index(line, amount)]) }
		if w > 40 && point(own, ".00000000") != point(also, ".50") {
			t.Errorf("in %d cells the points are not below each other: %q, %q", w, own, also)
		}
	}
}

func TestMemoColumnShowsTheMemoState(t *testing.T) {
	for state, want := range map[vault.MemoState]string{vault.MemoNone: "–", vault.MemoOpen: "“rent”", vault.MemoPlain: "“rent”",
		vault.MemoLocked: "locked", vault.MemoForeign: "enc", vault.MemoDamaged: "▲ damaged"} {
		e := history.Entry{Memo: "rent", MemoState: state, Amount: 1}
		if row := rows.New(rowsEnv(), []history.Entry{e}, 100, true).Row(e)[0].String(); !strings.Contains(row, want) {
			t.Errorf("state %d: %q has no %q", state, row, want)
		}
	}
}
