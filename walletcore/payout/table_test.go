package payout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// shown returns what a table says, a line for each row and fault.
func shown(f File) string {
	var out []string
	for _, r := range f.Rows {
		line := fmt.Sprintf("%d %s %s %s", r.Line, r.Account, r.Amount, r.Asset)
		if r.Memo != "" {
			line += fmt.Sprintf(" %q", r.Memo)
		}
		out = append(out, line)
	}
	for _, f := range f.Faults {
		out = append(out, f.String())
	}
	return strings.Join(out, "\n")
}

func TestTableAsTyped(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"blanks", "bobby 12.5\ncarol 3 rent of May\n", "1 bobby 12.5 DCT\n2 carol 3 DCT \"rent of May\""},
		{"asset after the amount", "bobby 12.5 ALX.GOLD\ncarol 3 dct rent\ndave,1.5 ALX,lunch", "1 bobby 12.5 ALX.GOLD\n2 carol 3 DCT \"rent\"\n3 dave 1.5 ALX \"lunch\""},
		{"tabs", "bobby\t12.5\trent, May\ncarol\t3", "1 bobby 12.5 DCT \"rent, May\"\n2 carol 3 DCT"},
		{"tabs, asset left empty", "bobby\t12.5\t\trent", "1 bobby 12.5 DCT \"rent\""},
		{"commas", "bobby, 12.5, rent\ncarol,3,DCT,\"a, b\"", "1 bobby 12.5 DCT \"rent\"\n2 carol 3 DCT \"a, b\""},
		{"semicolons and decimal commas", "bobby;1,5;rent\ncarol;1.234,56", "1 bobby 1.5 DCT \"rent\"\n2 carol 1234.56 DCT"},
		{"decimal commas between blanks", "bobby 1,5\ncarol 1.234,56", "1 bobby 1.5 DCT\n2 carol 1234.56 DCT"},
		{"blank lines and comments", "\n# May\nbobby 1.5\n\n", "3 bobby 1.5 DCT"},
		{"quoted memo", `bobby 5 "100 coffees"`, "1 bobby 5 DCT \"100 coffees\""},
		{"header with tabs", "Name\tAmount\tMemo\nbobby\t1.5\trent", "2 bobby 1.5 DCT \"rent\""},
		{"header in another order", "amount;account\n1.5;bobby", "2 bobby 1.5 DCT"},
		{"header between blanks", "name amount memo\nbobby 1.5 rent", "2 bobby 1.5 DCT \"rent\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(ReadTable(c.text, "DCT")); got != c.want {
				t.Errorf("read as\n%s\ninstead of\n%s", got, c.want)
			}
		})
	}
}

// A row that could be read in two ways, or not at all, is a fault of its line; the other rows stay.
func TestTableFaults(t *testing.T) {
	for _, c := range []struct{ name, text, fault string }{
		{"no amount", "bobby 1.5\ncarol\n", "line 2: the amount is missing"},
		{"decimal comma between commas", "bobby,1,5\n", `line 1: "1,5" may be one amount`},
		{"decimal comma and a memo between commas", "bobby,1,5,rent\n", `line 1: "1,5" may be one amount`},
		{"decimal comma before words between commas", "bobby,1,5 for rent\n", `line 1: "1,5 for rent" may be one amount`},
		{"thousands between commas", "bobby,1,000 DCT\n", `line 1: "1,000 DCT" may be one amount`},
		{"thousands between blanks", "bobby 1 000,50 rent\n", "line 1: "},
		{"two readings", "bobby 1.000\n", "is 1000 or 1,"},
		{"a private key", "bobby 1.5 5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3\n", "line 1: "},
		{"too many fields", "bobby;1;DCT;rent;May\n", "line 1: 5 fields"},
		{"a memo with commas", "bobby, 1.5, rent, May\n", "line 1: 4 fields"},
		{"columns in another order between blanks", "amount account\n1 bobby\n", "not in the order"},
		{"nothing", "\n", "no payments"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := ReadTable(c.text, "DCT")
			if got := shown(f); len(f.Faults) == 0 || !strings.Contains(got, c.fault) {
				t.Errorf("read as\n%s\nwithout the fault %q", got, c.fault)
			}
			if strings.Contains(shown(f), "5KQwrPbw") {
				t.Error("a private key is shown")
			}
		})
	}
}

// A table and the file of the same payments are one payout: whatever was paid of one is paid of the other.
func TestTableIsTheFilesPayout(t *testing.T) {
	plan := func(f File) string { return (&Plan{Rows: f.Rows}).ID() }
	file := Read([]byte("account,amount,asset,memo\nbobby,12.5,DCT,rent\ncarol,3,DCT,\n"))
	table := ReadTable("bobby 12.50 rent\ncarol\t3\n", "DCT")
	if len(file.Faults)+len(table.Faults) > 0 || plan(file) != plan(table) {
		t.Errorf("the file is plan %s, the table %s", plan(file), plan(table))
	}
}

func FuzzReadTable(f *testing.F) {
	for _, text := range []string{"bobby 1.5 rent", "a\t1\n\"b\",2", "name;amount\nb;1,5", "x,1,5", "a 1 000", "\"", "#"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read := ReadTable(text, "DCT")
		for _, r := range read.Rows {
			if r.Line < 1 || r.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+1 {
				t.Errorf("a row has the line %d", r.Line)
			}
		}
		if len(read.Faults) == 0 {
			for _, r := range read.Rows {
				if r.Account == "" || r.Asset == "" || !isPlain(r.Amount) {
					t.Errorf("a row without a fault is %+v", r)
				}
			}
		}
	})
}

// A header between blanks may be meant as a row: that it is left out is told.
func TestAHeaderBetweenBlanksIsLeftOut(t *testing.T) {
	for _, header := range []string{"account amount", "account amount memo", "account amount asset memo"} {
		f := ReadTable(header+"\n", "DCT")
		if len(f.Rows) > 0 || len(f.Skipped) != 1 || f.Skipped[0].Line != 1 {
			t.Errorf("%q: %d rows, %v is left out", header, len(f.Rows), f.Skipped)
		}
	}
}

// Recipients whose names look like those of known accounts are warned of, each once, and known ones are not.
func TestRecipientsThatLookLikeKnownOnes(t *testing.T) {
	known := map[ledger.AccountID]ledgerview.AccountRef{17: {ID: 17, Name: "merchant-1"}}
	n := &Names{Accounts: map[string]*Account{"nobody": nil, "merchant-1": {AccountRef: ledgerview.AccountRef{ID: 17, Name: "merchant-1"}},
		"merchant-l": {AccountRef: ledgerview.AccountRef{ID: 18, Name: "merchant-l"}}, "1.2.18": {AccountRef: ledgerview.AccountRef{ID: 18, Name: "merchant-l"}}}}
	if got := n.LookAlikes(known); len(got) != 1 || got[0] != "merchant-l (1.2.18) looks like merchant-1 (1.2.17), whom you know" {
		t.Errorf("%q", got)
	}
}

// What the ledger objects to in a row is told with what to do, and what it does not object to is not.
func TestWhatTheLedgerObjectsTo(t *testing.T) {
	payer := ledgerview.AccountRef{ID: 16, Name: "alice"}
	hasKey := &Account{ledgerview.AccountRef{ID: 17, Name: "bobby"}, ledger.DeriveKey("bobby", 0).Public()}
	n := &Names{Accounts: map[string]*Account{"bobby": hasKey, "carol": {AccountRef: ledgerview.AccountRef{ID: 18, Name: "carol"}}, "alice": {AccountRef: payer}},
		Assets: map[string]*ledgerview.AssetRef{"DCT": {Symbol: "DCT", Precision: 8}}}
	for row, want := range map[Row]string{
		{Account: "bobby", Amount: "1", Asset: "DCT", Memo: "rent"}: "",
		{Account: "carol", Amount: "1", Asset: "DCT"}:               "",
		{Account: "carol", Amount: "1", Asset: "DCT", Memo: "rent"}: "carol has no memo key",
		{Account: "alice", Amount: "1", Asset: "DCT"}:               "alice would pay itself",
	} {
		if got := fmt.Sprint(n.Faults(payer, []Row{row}, nil)); (got == "[]") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%+v: %s", row, got)
		}
	}
	most := Row{Account: "bobby", Amount: ledger.FormatAmount(ledger.MaxShareSupply, 8), Asset: "DCT"}
	if sums, err := n.Sums([]Row{most, most}); err != nil || sums[0] != 2*ledger.MaxShareSupply {
		t.Errorf("%v, %v", sums, err)
	}
	if sums, err := n.Sums(slices.Repeat([]Row{most}, 1300)); err == nil {
		t.Errorf("more than there can be is %v", sums)
	}
}
