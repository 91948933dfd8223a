package payout_test

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"billfold/ledger/usertext"
	"billfold/walletcore/payout"
)

// amounts returns the amounts of the rows of a file with these cells, or the faults.
func amounts(separator string, cells ...string) string {
	text := strings.Join([]string{"account", "asset", "amount"}, separator) + "\n"
	for _, cell := range cells {
		if strings.Contains(cell, separator) {
			cell = `"` + cell + `"`
		}
		text += strings.Join([]string{"bobby", "DCT", cell}, separator) + "\n"
	}
	rows, faults := payout.Parse([]byte(text))
	if len(faults) > 0 {
		return fmt.Sprint(faults)
	}
	var read []string
	for _, r := range rows {
		read = append(read, r.Amount)
	}
	return strings.Join(read, " ")
}

// What a spreadsheet of any locale writes is read as what it means, or refused: it never becomes another amount.
func TestAmountsOfSpreadsheets(t *testing.T) {
	const other = ";\t"
	for _, c := range []struct {
		separators, cells, want string // cells are separated by |; want is the amounts, or a part of the fault after a !
	}{
		{",;\t", "5|0.5|12.50|1.2345|1234.567|007", "5 0.5 12.5 1.2345 1234.567 7"},
		{",;\t", "0.250", "0.25"},
		{",;\t", "1.000", `!the amount "1.000" is 1000 or 1, and no other amount of the file shows which; write 1000 or 1`},
		{",;\t", "12.125|7", `!"12.125" is 12125 or 12.125, and no other amount of the file shows which; write 12125 or 12.1250`},
		{",;\t", "1.000|0.5", "1 0.5"},
		{",;\t", "0.5|12.125", "0.5 12.125"},
		{other, "1,000", `!"1,000" is 1000 or 1,`},
		{other, "1,000|0,5", "1 0.5"},
		{other, "1.000|0,5", "1000 0.5"},
		{other, "1,000|0.5", "1000 0.5"},
		{other, "1,000|1.000", `!"1,000" is 1000 or 1, `},
		{other, "1,5|2.5", `!the amount "1,5" and that in line 3 use points and commas differently`},
		{other, "1.000,50|1.000.000|1.000", "1000.5 1000000 1000"},
		{other, "1,000.50|1,000,000|1,000", "1000.5 1000000 1000"},
		{other, "1'000.50|1’000|1'000'000", "1000.5 1000 1000000"},
		{other, "1 000,50|1\u00a0000|1\u202f000,5|1\u2009000\u2009000", "1000.5 1000 1000.5 1000000"},
		{other, "1234,567", "1234.567"},
		{",", "1.000|12,5", `!line 2: the amount "1.000" is 1000 or 1, as line 3 is in the notation with a decimal comma; write 1000 or 1`},
		{other, "0,00", "!zero"},
		{",;\t", "0001.500|1.000", `!"1.000" is 1000 or 1, and no other amount of the file shows which`}, // zeros are no proof of a decimal point
		{other, "01.000|1.000|0,5", "1 1000 0.5"}, {other, "01.000", "1"}, {",", "0001.500", "1.5"},
		{other, "1.000.000|1,000.5", `!the amount "1.000.000" and that in line 3 use points and commas differently`},
		{",;\t", "1 5", `!write 15 if that is meant: what is between its digits does not separate thousands`},
		{",;\t", "1 000 5", `!write 10005 if that is meant: what is between`}, {",;\t", "1_000", "!write 1000 if that is meant"},
		{",;\t", "10_00", "!write 1000 if that is meant: what is between"}, {",;\t", "'1.5", "!write 1.5, without the apostrophe"},
		{",;\t", "'1.500", "!write 1.5000, without the apostrophe"},
		{",", "1,5", "!write 1.5 if that is meant"}, {",", "1,000.50", "!write 1000.50"}, {",", "1.000,50", "!write 1000.50 if that is meant"}, {",", "1'000", "!write 1000"},
		{",", "1,000", "!write 1000 or 1, whichever is meant"}, {",", "1 000", "!write 1000"}, {",", "1\u202f000", "!write 1000"},
		{",;\t", "1E+05", "!write 100000 if that is meant"}, {",;\t", "1,5E+05", "!is not decimal text"},
		{",;\t", "€5", "!digits with a point"}, {",;\t", "5 €", "!digits with a point"}, {",;\t", "5 DCT", "!digits"}, {",;\t", "5%", "!digits"},
		{",;\t", "١٢", "!with the digits 0 to 9"}, {",;\t", "１２", "!with the digits 0 to 9"}, {",;\t", "१२.५", "!with the digits 0 to 9"},
		{",;\t", "-5", "!above zero"}, {",;\t", "−5", "!digits"}, {",;\t", "5-", "!digits"}, {",;\t", "(5)", "!digits"}, {",;\t", "+5", "!digits"},
		{",;\t", "########", "!what a spreadsheet shows"}, {",;\t", "#REF!", "!what a spreadsheet shows"}, {",;\t", "=1+1", "!digits"},
		{",;\t", "1,00,000.5", "!digits"}, {",;\t", "1 00", "!is not decimal text"}, {",;\t", "01. Mai", "!digits"}, {",;\t", "1\u200b2", "!is not decimal text"},
		{",;\t", "1.000'000", "!is not decimal text"}, {",;\t", "1 000.000 000", "!is not decimal text"}, {",;\t", "1..5", "!digits"}, {",;\t", "1.2.3", "!digits"},
		{",;\t", "\u00a05\u3000|\uFEFF6|7\u200b", "5 6 7"},
	} {
		for _, separator := range c.separators {
			got := amounts(string(separator), strings.Split(c.cells, "|")...)
			want, refused := strings.CutPrefix(c.want, "!")
			if !refused && got != want || refused && (!strings.HasPrefix(got, "[line ") || !strings.Contains(got, want)) {
				t.Errorf("%q separated by %q: %s, want %s", c.cells, separator, got, c.want)
			}
		}
	}
}

// Correcting one amount may change what 1.000 means in another line: where any is a fault, that one is named as well, with what stays what it
// is. Nothing that a fault says to write can mean two amounts.
func TestACorrectionChangesNoOtherAmount(t *testing.T) {
	const asPoint, asComma = `the amount "1.000" is read as 1 because`, `the amount "1.000" is read as 1000 because`
	for cells, want := range map[string]string{
		"1.000|12.1|€5": asPoint, "1.000|0,5|2,5x": asComma, "1.000|0,5|": asComma, "1.000|0,5|0": asComma, "1.000|0,5|1E3": asComma,
		"12.345|0.5|x": "write 12.3450 so that it stays that, or 12345 if that is meant", "12.345|0,5|x": "write 12345 so that it stays that, or 12.3450 if that is meant",
		"1_2.345|7": "write 12.3450", "1.2345E+1|7": "write 12.3450 if",
	} {
		if got := amounts(";", strings.Split(cells, "|")...); !strings.HasPrefix(got, "[line 2: ") || !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", cells, got, want)
		}
	}
	if _, faults := payout.Parse([]byte("account,amount,asset\nbobby,1.000,DCT\nbobby,0.5,DCT\nbobby,12,5,DCT\n")); len(faults) != 2 ||
		!strings.Contains(faults[0].Text, asPoint) {
		t.Errorf("a decimal comma between two fields: %v", faults)
	}
}

// What is wrong with an amount of an asset is said of the amount as it stands in the file.
func TestAmountsThatTheAssetCannotHave(t *testing.T) {
	for _, c := range []struct {
		cells     string // the first one is looked at
		precision uint8
		want      string
	}{
		{"2,123456789|0,5", 8, `"2,123456789" is not an amount of ABC, which has 8 decimals: more decimals than the asset has; write 2.12345678 if that is meant`},
		{"2,1234|0,5", 3, `write 2.1230 if`}, {"12.345|0.5", 2, "write 12.34 or 12345 if"}, {"0,001|0,5", 2, "write at most 2 digits after the point"},
		{"99999999999|0,5", 8, "write less"}, {"1.000|0.5", 0, `"1.000" has decimals, and ABC has none; write 1 or 1000`},
		{"5.0", 0, `"5.0" has decimals, and ABC has none; write 5`}, {"5,00", 0, `"5,00" has decimals, and ABC has none; write 5`},
		{"1.000|0,5", 0, ""}, {"1.000,0|0,5", 0, `"1.000,0" has decimals, and ABC has none; write 1000`}, {"5", 0, ""}, {"1'000", 0, ""}, {"5.50", 1, ""},
	} {
		text := "account;amount;asset\n"
		for _, cell := range strings.Split(c.cells, "|") {
			text += "bobby;" + cell + ";ABC\n"
		}
		rows, faults := payout.Parse([]byte(text))
		if got := rows[0].Objection("ABC", c.precision); len(faults) > 0 || !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s with %d decimals: %q %v, want %q", c.cells, c.precision, got, faults, c.want)
		}
	}
}

// read returns what a file pays, what is wrong with it and what is skipped, in one line.
func read(text string) string {
	f := payout.Read([]byte(text))
	var said []string
	for _, r := range f.Rows {
		said = append(said, fmt.Sprintf("%d %s %s %s %q", r.Line, r.Account, r.Amount, r.Asset, r.Memo))
	}
	if len(f.Faults) > 0 {
		said = []string{"!" + fmt.Sprint(f.Faults)}
	}
	for _, s := range f.Skipped {
		said = append(said, "skipped "+s.String())
	}
	return strings.Join(said, "; ")
}

// No line of a file is dropped without a word, and every cell is trimmed by the same rule.
func TestNoLineIsDropped(t *testing.T) {
	const header = "account,amount,asset,memo\n"
	for text, want := range map[string]string{
		"memo,account,amount,asset\n#1001,bobby,1.25,DCT\n":                                  `2 bobby 1.25 DCT "#1001"`,
		"memo,account,amount,asset\n#1001,bobby,1,25,DCT\n":                                  `![line 2: 5 fields`,
		"memo,account,amount,asset\n# May\nx,bobby,1,DCT\n":                                  `3 bobby 1 DCT "x"; skipped line 2: is a comment: # May`,
		"# May, paid\n" + header + "bobby,1,DCT,\n":                                          `3 bobby 1 DCT ""; skipped line 1: is a comment: # May, paid`,
		header + "#bobby,1,DCT,x\ncarol,1,DCT,\n":                                            `3 carol 1 DCT ""; skipped line 2: is a comment: #bobby,1,DCT,x`,
		header + "# say \"hi\nbobby,1,DCT,\n# \"\n":                                          `3 bobby 1 DCT ""; skipped line 2: is a comment: # say "hi; skipped line 4: is a comment: # "`,
		"amount,account,asset\n#####,bobby,DCT\n":                                            `![line 2: the amount "#####" is what a spreadsheet shows`,
		"account,amount,asset\n#N/A,1,DCT\n":                                                 `![line 2: the account "#N/A" is what a spreadsheet shows`,
		header + "bobby,1.25,DCT,rent\r\n,,,\r\n , ,\t,\u00a0\r\n\r\n":                       `2 bobby 1.25 DCT "rent"; skipped line 3: is blank; skipped line 4: is blank`,
		"account, amount, asset, memo\nbobby, 4.25, DCT, 100234\ncarol, 4.5, DCT, 100235 \n": `2 bobby 4.25 DCT "100234"; 3 carol 4.5 DCT "100235"`,
		header + "bobby,1,DCT,\"\u00a0x y\u3000\n\"\n":                                       `2 bobby 1 DCT "x y"`,
		header + "bobby,4.75,DCT,\"two\r\nlines\"\r\n":                                       `2 bobby 4.75 DCT "two\r\nlines"`,
		header + "bobby,4.75,DCT,\"two\nlines\"\ncarol,1,DCT,x":                              `2 bobby 4.75 DCT "two\nlines"; 4 carol 1 DCT "x"`,
		strings.ReplaceAll(header, "\n", "\r") + "bobby,1,DCT,x\rcarol,2,DCT,\r":             `2 bobby 1 DCT "x"; 3 carol 2 DCT ""`,
		"sep=;\r\naccount;amount;asset\r\nbobby;1,5;DCT\r\n":                                 `3 bobby 1.5 DCT ""`,
		"SEP=;\r\naccount;amount;asset\r\nbobby;1,5;DCT\r\n":                                 `3 bobby 1.5 DCT ""`,
		"\uFEFF\"sep=;\"\naccount;amount;asset\nbobby;1,5;DCT\n":                             `3 bobby 1.5 DCT ""`,
		"\uFEFFaccount\tamount\tasset\tmemo\nbobby\t1,5\tDCT\ta, b\n":                        `2 bobby 1.5 DCT "a, b"`,
		"account;amount;asset;memo\nbobby;1,5;DCT;\"a;b\"\n":                                 `2 bobby 1.5 DCT "a;b"`,
		"account,amount,asset,memo,,\nbobby,1,DCT,x,,\n":                                     `2 bobby 1 DCT "x"`,
		"account,amount,asset,memo,\nbobby,1,DCT,x,y\n":                                      `![line 2: "y" stands in a column without a name`,
		"account,asset,amount,memo\nbobby,DCT,1,5,\n":                                        `![line 2: 5 fields, but the header has 4`,
		header + "bobby,1,DCT,1.00235E+05\n":                                                 `![line 2: the memo "1.00235E+05" is a number that a spreadsheet has shortened`,
		header + "bobby,1,DCT,#REF!\n":                                                       `![line 2: the memo "#REF!" is what a spreadsheet shows`,
		"a\x00c\x00c\x00":                                                                    `![the text is UTF-16`,
		header + "bobby,1,DCT,say \"hi\"\n":                                                  `![line 2: a quote is out of place`,
		header + "bobby,1,DCT,\"hi\" he said\n":                                              `![line 2: a quote is out of place`,
		header + "bobby,1,DCT,\"open\ncarol,1,DCT,\n":                                        `![line 2: a quote is out of place`,
	} {
		if got := read(text); got != want && (want[0] != '!' || !strings.HasPrefix(got, want)) {
			t.Errorf("%q:\n%s, want\n%s", text, got, want)
		}
	}
}

// A file whose columns cannot be found, or that has more than fits, pays nothing; each row that lacks something is named.
func TestWhatAFileLacksIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"account|amount|asset\nbobby|1|DCT\n":               "the columns are not separated by commas",
		"who,what,where\nbobby,1,DCT\n":                     "names none of the columns",
		"acount,amount,asset\nbobby,1,DCT\n":                `no column "acount"; did you mean account?`,
		"account,amount,asset,when\nbobby,1,DCT,now\n":      `no column "when"; the columns are`,
		"account,amount,asset,account\nbobby,1,DCT,bobby\n": "the column account occurs twice",
		"account,amount\nbobby,1\n":                         "the column asset is missing",
		"amount,asset\n1,DCT\n":                             "the column account is missing",
		"account,asset\nbobby,DCT\n":                        "the column amount is missing",
		"":                                                  "there is no header line",
		"account,amount,asset\n":                            "the file has no payments",
		"account,amount,asset\n,1,DCT\n":                    "line 2: the account is missing",
		"account,amount,asset\nbobby,1,\n":                  "line 2: the asset is missing",
		"account,amount,asset\nbobby,,DCT\n":                "line 2: ",
		"account,amount,asset,memo\nbobby,1,DCT," + strings.Repeat("x", 5000) + "\n": "line 2: the memo has 5000 bytes",
	} {
		f := payout.Read([]byte(text))
		if faults := fmt.Sprint(f.Faults); !strings.Contains(faults, want) {
			t.Errorf("%.60q: %.300s, want %s", text, faults, want)
		}
	}
}

func TestRowsThatDifferInBlanksAreRepetitions(t *testing.T) {
	rows, faults := payout.Parse([]byte("account,amount,asset,memo\nbobby,1,DCT,x\nbobby , 1.0,DCT,\u00a0x \n"))
	if got := payout.Duplicates(rows); len(faults) > 0 || len(got) != 1 || got[0].Line != 3 {
		t.Errorf("%v %v", faults, got)
	}
}

// Rows that look the same are repetitions, however their memos are encoded; their plan stays what it is.
func TestRowsThatLookTheSameAreRepetitions(t *testing.T) {
	for _, memos := range [][2]string{{"caf\u00e9", "cafe\u0301"}, {"re 5", "re\u00a05"}, {"re 5", "re\u28005"}, {"re\u31645", "re 5"}, {"rent", "rent\u00ad"}, {"a\nb", "a\r\nb"},
		{"2026-06", "2026\u201106"}, {"", "\u2800"}, {"Rent", "rent"}} {
		text := fmt.Sprintf("account,amount,asset,memo\nbobby,1,DCT,\"%s\"\nbobby,1,DCT,\"%s\"\nbobby,1,DCT,other\n", memos[0], memos[1])
		rows, faults := payout.Parse([]byte(text))
		got := payout.Duplicates(rows)
		if len(faults) > 0 || len(got) != 1 || got[0].Line != rows[1].Line || !strings.HasSuffix(got[0].Text, "with a memo that differs only in letter case or in what is not seen") {
			t.Errorf("%+q: %v %v", memos, faults, got)
		}
		one, other := payout.Plan{Rows: rows[:1]}, payout.Plan{Rows: rows[1:2]}
		if one.ID() == other.ID() {
			t.Errorf("%+q: the plans of both are one", memos)
		}
	}
	rows, _ := payout.Parse([]byte("account,amount,asset,memo\nbobby,1,DCT,re 5\nbobby,1,DCT,re5\nbobby,1,DCT,r\u00e95\n"))
	if got := payout.Duplicates(rows); len(got) > 0 {
		t.Errorf("rows that look different: %v", got)
	}
}

// Rows that differ in the account, the amount or the asset are two payments, whatever their memos.
func TestRowsThatDifferAreTwoPayments(t *testing.T) {
	for other, twice := range map[string]bool{"bobby,1,DCT,Rent": true, "bobby,1,DCT,rent": true, "carol,1,DCT,rent": false, "bobby,2,DCT,rent": false, "bobby,1,GOLD,rent": false,
		"bobby,1,GOLD,Rent": false, "bobby,1,DCT,rents": false, "bobby,1,DCT,": false} {
		rows, faults := payout.Parse([]byte("account,amount,asset,memo\nbobby,1,DCT,rent\n" + other + "\n"))
		if got := payout.Duplicates(rows); len(faults) > 0 || (len(got) > 0) != twice {
			t.Errorf("%s: %v %v", other, got, faults)
		}
	}
}

// A plan of an earlier version kept the blanks around memos, and its id is part of request keys.
func TestPlansOfEarlierVersionsAreKnown(t *testing.T) {
	rows, _ := payout.Parse([]byte("account,amount,asset,memo\nbobby,1,DCT, a \nbobby,1,DCT,\"b\r\nc\"\nbobby,1,DCT,d\n"))
	plan := payout.Plan{Payer: 17, Rows: rows}
	former, differs := plan.Former()
	if !differs {
		t.Fatal("it has no former plan")
	}
	for i, want := range []string{" a ", "b\nc", "d"} {
		if got := former.Rows[i].Memo; got != want {
			t.Errorf("the memo %q was %q, want %q", plan.Rows[i].Memo, got, want)
		}
		former.Rows[i].Memo = plan.Rows[i].Memo
	}
	if former.ID() != plan.ID() {
		t.Error("it differs in more than memos")
	}
	rows, _ = payout.Parse([]byte("account,amount,asset,memo\nbobby,1,DCT,a\n"))
	if _, differs := (&payout.Plan{Rows: rows}).Former(); differs {
		t.Error("a plan without blanks has another former plan")
	}
}

// FuzzCells compares the cells of files without comments and CR with those that encoding/csv reads.
func FuzzCells(f *testing.F) {
	f.Add("bobby,1,DCT,\"a \"\"b\"\"\n c\"\n\ncarol,2,DCT,\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\r#") {
			return
		}
		in := csv.NewReader(strings.NewReader("account,amount,asset,memo\n" + text))
		in.FieldsPerRecord = 4
		all, err := in.ReadAll()
		rows, faults := payout.Parse([]byte("account,amount,asset,memo\n" + text))
		if len(faults) > 0 {
			return
		}
		if err != nil {
			if !strings.Contains(err.Error(), "wrong number of fields") { // of a line of blanks
				t.Fatalf("%q is read, and is no CSV: %v", text, err)
			}
			return
		}
		all = slices.DeleteFunc(all[1:], func(r []string) bool { return strings.TrimSpace(strings.Join(r, "")) == "" })
		for i, r := range rows {
			if i >= len(all) || strings.TrimSpace(all[i][0]) != r.Account && !strings.Contains(text, "\u200b") {
				t.Fatalf("%q: row %d is %+v, want %q", text, i, r, all)
			}
		}
	})
}

// Joined files are read as one: the second header pays nobody, whatever stands between them; without a line end between them the line is
// named.
func TestJoinedFilesAreReadAsOne(t *testing.T) {
	const a, b = "account,amount,asset\nbobby,1.5,DCT\n", "account,amount,asset\n\"carol\",2.5,DCT\n"
	for _, text := range []string{a + b, a + usertext.Mark + b, usertext.Mark + a + usertext.Mark + b, a + "\x1a\n" + b + "\x1a",
		strings.ReplaceAll(usertext.Mark+a+usertext.Mark+b, "\n", "\r\n"), a + usertext.Mark + "\"carol\",2.5,DCT\n"} {
		f := payout.Read([]byte(text))
		if len(f.Faults) > 0 || len(f.Rows) != 2 || f.Rows[1].Account != "carol" || f.Rows[1].Amount != "2.5" || f.Rows[1].Asset != "DCT" {
			t.Errorf("%q: %+v", text, f)
		}
	}
	f := payout.Read([]byte(strings.TrimSuffix(a, "\n") + usertext.Mark + b))
	if len(f.Faults) != 1 || f.Faults[0].Line != 2 || !strings.Contains(f.Faults[0].Text, "files were joined here without a line end") {
		t.Errorf("%+v", f)
	}
	swallowed := a + "# end" + usertext.Mark + "account,asset,amount\ncarol,DCT,7\n" // a comment without a line end, before another file
	if f := payout.Read([]byte(swallowed)); len(f.Faults) == 0 || f.Faults[0].Line != 3 || !strings.Contains(f.Faults[0].Text, "another file begins") {
		t.Errorf("%q: %+v", swallowed, f)
	}
	if f := payout.Read([]byte("account,amount,asset,memo\namount,2,DCT,account\nbobby,1,DCT,\"account,amount\"\n")); len(f.Faults) > 0 || len(f.Rows) != 2 {
		t.Errorf("rows with the words of a header: %+v", f)
	}
	for _, other := range []string{"amount,account,asset\n2,carol,DCT\n", "Account,Amount,Asset,Memo\ncarol,2,DCT,x\n", "account;amount;asset\ncarol;2;DCT\n"} {
		if f := payout.Read([]byte(a + other)); len(f.Faults) == 0 || f.Faults[0].Line != 3 || !strings.Contains(f.Faults[0].Text, "files with other columns were joined here") {
			t.Errorf("%q: %+v", other, f)
		}
	}
}

// A memo is as long as a transaction has room for, and not longer.
func TestTheLongestMemo(t *testing.T) {
	for size, want := range map[int]int{2000: 0, 2001: 1} {
		_, faults := payout.Parse([]byte("account,amount,asset,memo\nbobby,1,DCT," + strings.Repeat("x", size) + "\n"))
		if len(faults) != want {
			t.Errorf("with a memo of %d bytes: %v", size, faults)
		}
	}
}

// The id of a plan has one form: another spelling of it would be another plan's key.
func TestAPlanIDHasOneForm(t *testing.T) {
	id := strings.Repeat("0a", 16)
	for text, is := range map[string]bool{id: true, strings.ToUpper(id): false, id + "0a": false, id[2:]: false, "": false, "zz" + id[2:]: false} {
		if payout.IsPlanID(text) != is {
			t.Errorf("%q is not taken as %t", text, is)
		}
	}
}

// An amount that is not written as plainly as it could be is shown as it was read.
func TestAmountsThatAreInterpreted(t *testing.T) {
	for written, want := range map[string]bool{"1.5": false, "1": false, "0.5": false, "1,5": true, "01.5": true, "00": true, "1e3": true} {
		if got := (payout.Row{Written: written}).Interpreted(); got != want {
			t.Errorf("%s is interpreted: %v", written, got)
		}
	}
	if (payout.Row{}).Interpreted() {
		t.Error("an amount that nobody wrote is interpreted")
	}
}

// A file of a wallet is no payout that a spreadsheet could save.
func TestAWalletIsNoPayout(t *testing.T) {
	for text, want := range map[string]bool{`{"my_accounts":[]}`: false, "PK\x03\x04xl/": true} {
		faults := payout.Read([]byte(text)).Faults
		if len(faults) != 1 || strings.Contains(faults[0].String(), "spreadsheet saves it") != want {
			t.Errorf("%q: %v", text, faults)
		}
	}
}
