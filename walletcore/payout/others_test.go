package payout_test

import (
	"fmt"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/payout"
)

// faultsOf returns the faults of a file, a line each, and its rows.
func faultsOf(text string) (string, []payout.Row) {
	f := payout.Read([]byte(text))
	var all []string
	for _, fault := range append(f.Faults, f.Skipped...) {
		all = append(all, fault.String())
	}
	return strings.Join(all, "\n"), f.Rows
}

// A private key is refused wherever it stands in a file, and no text of the payout repeats it, whole or cut off.
func TestNoKeyIsPaidOrShown(t *testing.T) {
	key := ledger.DeriveKey("payout", 0).WIF()
	for place, text := range map[string]string{
		"the memo":            "account,amount,asset,memo\nbobby,1,DCT,KEY\n",
		"the memo, quoted":    "account,amount,asset,memo\nbobby,1,DCT,\"my KEY, and more\"\n",
		"the account":         "account,amount,asset\nKEY,1,DCT\n",
		"the amount":          "account,amount,asset\nbobby,KEY,DCT\n",
		"the asset":           "account,amount,asset\nbobby,1,KEY\n",
		"this line, extra":    "account,amount,asset\nbobby,1,DCT,KEY\n",
		"this line, a column": "account,amount,asset,KEY\nbobby,1,DCT,x\n",
		"this line, no names": "KEY\nbobby,1,DCT,x\n",
		"comment":             "account,amount,asset\n# " + strings.Repeat("x", 70) + "KEY\nbobby,1,DCT\n",
	} {
		got, rows := faultsOf(strings.ReplaceAll(text, "KEY", key))
		for n := 12; n <= len(key); n++ {
			if part := key[:n]; strings.Contains(strings.ToLower(got), strings.ToLower(part)) {
				t.Fatalf("%s: %q shows %q", place, got, part)
			}
		}
		what, _, _ := strings.Cut(place, ",")
		switch {
		case what == "comment" && !strings.Contains(got, "(a private key, not shown)"):
			t.Errorf("%s: %s", place, got)
		case what != "comment" && (len(rows) > 0 || !strings.Contains(got, what+" contains a private key, which is not shown") || strings.Contains(got, "\n")):
			t.Errorf("%s: %s, %+v", place, got, rows)
		}
	}
}

// Blank rows above the header, with the separators of any program, change nothing but the numbers of the lines.
func TestBlankRowsAboveTheHeader(t *testing.T) {
	for _, blank := range []string{"\n\n", ",,\n", ";;\n", "\n,,,\n;;\n", "\"\",\"\"\r\n", "\t\t\n", "\u00a0\n", "\n,,\nsep=;\n", "\n"} {
		for _, text := range []string{"account;amount;asset\nbobby;1,5;DCT\ncarol;x;DCT\n", "account,amount,asset\nbobby,1.5,DCT\ncarol,x,DCT\n"} {
			if strings.Contains(blank, "sep") && !strings.Contains(text, ";") {
				continue
			}
			got, rows := faultsOf(blank + text)
			want := fmt.Sprintf("line %d: ", strings.Count(blank, "\n")+3)
			if len(rows) != 2 || rows[0].Amount != "1.5" || !strings.HasPrefix(got, want) || strings.Contains(got, "\n") {
				t.Errorf("%q: %s, %+v", blank+text, got, rows)
			}
		}
	}
	for text, want := range map[string]string{"<table><tr>": "a web page (HTML)", "<?xml": "XML", "{}": "JSON"} {
		if got, _ := faultsOf(text); !strings.Contains(got, "the file is "+want+", and no CSV") {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// A quote too many in one row and another below it do not make a memo of the rows between them; a memo of several lines stays one.
func TestRowsWithinAQuotedFieldAreNoMemo(t *testing.T) {
	const a = "account,amount,asset,memo\n"
	for text, want := range map[string]string{
		a + "bobby,1,DCT,\"open\ncarol,2,DCT,y\ndave,3,DCT,z\"\nerin,1,DCT,w\n":                      "line 2: a quote that opens in line 2 takes lines 3 to 4 into its field, and what stands there looks like payments",
		a + "bobby,1,DCT,\"open\r\ncarol,2,DCT,\"\r\n":                                               "line 2: a quote that opens in line 2 takes line 3 into its field, and what stands there looks like a payment",
		a + "bobby,1,DCT,\"open\ncarol,2,DCT,y\nmore\ndave,3,DCT,z\"\n":                              "takes 2 lines from line 3 to line 5 into its field",
		"memo;account;amount;asset\n\"x;bobby;1,5;DCT\ny;carol;2,5;DCT\nz\";dave;3;DCT\n":            "line 2: a quote that opens in line 2 takes lines 3 to 4 into its field",
		"account\tamount\tasset\tmemo\rbobby\t1\tDCT\t\"open\rcarol\t1 000\tDCT\ty\"\r":              "takes line 3 into its field",
		a + "bobby,1,DCT,\"dear bobby,\nthis is for May, June, and July,\n2 of them, as we said\"\n": "",
		a + "bobby,1,DCT,\"a\nb, c, d, 2\"\n":                                                        "",
	} {
		if got, rows := faultsOf(text); want == "" && (got != "" || len(rows) != 1) || !strings.Contains(got, want) || want != "" && len(rows) > 1 {
			t.Errorf("%q: %s (%d rows), want %s", text, got, len(rows), want)
		}
	}
}

// What other programs write is read as it is meant, or refused with what it is, once for each mistake.
func TestFilesOfOtherPrograms(t *testing.T) {
	const a, b = "account,amount,asset,memo\n", "account;amount;asset;memo\n"
	tab := strings.ReplaceAll(a, ",", "\t")
	for text, want := range map[string]string{
		a + "bobby, 1 , \"DCT\" ,\t\"x, y\"  \n": "", tab + "bobby\t1\t \"DCT\" \t\"x\ty\"\n": "", a + "bobby,1,DCT,\"x\" \r\n": "",
		a + "bobby,1,DCT,x,\n":                          "line 2: 5 fields, but the header has 4: the line ends with a comma too many",
		b + "bobby;1;DCT;x;;\n":                         "line 2: 6 fields, but the header has 4: the line ends with a semicolon too many",
		b + "bobby;1;DCT;x;y\n":                         "line 2: 5 fields, but the header has 4; put a field that has a semicolon in it between quotes",
		tab + "bobby\t1\tDCT\tx\ty\n":                   "put a field that has a tab in it between quotes",
		a + "bobby,1,5,DCT,x\n":                         "put a field that has a comma in it between quotes, and write amounts with a point",
		a + "bobby,1,DCT,\"=\"\"0012\"\"\"\n":           "line 2: a field like =\"0012\" is a formula of a spreadsheet; write its value alone",
		a + "bobby,1,DCT,=\"0012\"\n":                   "line 2: a field like =\"0012\" is a formula of a spreadsheet; write its value alone",
		a + "bobby,1,DCT,\"x\"y\n":                      "line 2: a quote is out of place",
		"{\"account\": \"bobby\"}":                      "the file is JSON, and no CSV",
		"<?xml version='1.0'?>\n":                       "the file is XML, and no CSV",
		"<!DOCTYPE html><html>":                         "it is a web page (HTML), and no text",
		`{\rtf1\ansi account`:                           "it is a document of a word processor (RTF), and no text",
		"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml": "it is a spreadsheet (.xlsx), and no text",
		"PK\x03\x04\x14\x00mimetypeapplication/vnd.oasis.opendocument.spreadsheet": "it is a spreadsheet or document (.ods, .odt), and no text",
		"PK\x03\x04\x14\x00pay.csv": "it is a zip archive", "\x1f\x8b\x08": "it is compressed (gzip)", "%PDF-1.7": "it is a PDF",
		"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1":         "an old Office (.xls, .doc)",
		a + "bobby,1,DCT,x\nbobby,2,DCT,caf\xe9\n": "line 3: byte 16 of the line (0xE9) is not UTF-8 text",
		"acount,amount,asset\nbobby,1,DCT\n":       "line 1: there is no column \"acount\"; did you mean account?",
		"sep=:\n" + a:                              "line 1: the separator \":\" is not read",
		"\"sep=~\"\n" + a:                          "line 1: the separator \"~\" is not read",
		"sep=\n" + a:                               "line 1: the separator \"\" is not read",
		a + "#BEZUG!,1,DCT,x\n":                    "line 2: the account \"#BEZUG!\" is what a spreadsheet shows",
		a + "bobby,1,#NOM?,x\n":                    "the asset \"#NOM?\" is what a spreadsheet shows",
		a + "bobby,#\u00a1REF!,DCT,x\n":            "the amount \"#\u00a1REF!\" is what a spreadsheet shows",
		a + "bobby,Err:508,DCT,x\n":                "the amount \"Err:508\" is what a spreadsheet shows",
		a + "bobby,1,DCT,#NV\n":                    "the memo \"#NV\" is what a spreadsheet shows",
		a + "bobby,1,DCT,#N/D\n":                   "the memo \"#N/D\" is what a spreadsheet shows",
		a + "bobby,1,DCT,#VALEUR !\n":              "the memo \"#VALEUR !\" is what a spreadsheet shows",
		a + "bobby,1,DCT,#INVOICE 12\n":            "", a + "bobby,1,DCT,#A7\n": "", a + "bobby,1,DCT,Room: 512\n": "",
	} {
		got, rows := faultsOf(text)
		switch {
		case want == "" && (got != "" || len(rows) != 1):
			t.Errorf("%q: %s, %+v", text, got, rows)
		case want != "" && (!strings.Contains(got, want) || strings.Contains(got, "\n")):
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}
