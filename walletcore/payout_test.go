package walletcore_test

import (
	"fmt"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/payout"
)

func TestPayoutFileInAnyOrderAndFormat(t *testing.T) {
	const text = "\uFEFF# salaries\r\nMemo, amount ,ASSET,account\r\n\r\n\"for \"\"May\"\", thanks\",01.50,DCT,bobby\r\n,2,1.3.1,1.2.18\r\n# the end\r\n"
	rows, faults := payout.Parse([]byte(text))
	want := []payout.Row{{Line: 4, Account: "bobby", Amount: "1.5", Asset: "DCT", Memo: `for "May", thanks`},
		{Line: 5, Account: "1.2.18", Amount: "2", Asset: "1.3.1"}}
	for i, r := range rows {
		want[i].Written = r.Written
		rows[i] = payout.Row{Line: r.Line, Account: r.Account, Amount: r.Amount, Asset: r.Asset, Memo: r.Memo, Written: r.Written}
	}
	if len(faults) > 0 || fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Errorf("%v %v", rows, faults)
	}
}

// Every fault is reported with its line and what to write instead.
func TestPayoutFileFaults(t *testing.T) {
	text := "account,amount,asset,memo\n" +
		"bobby,\"1,5\",DCT,\n" + "bobby,1e3,DCT,\n" + "bobby,-1,DCT,\n" + "bobby,\"1,000\",DCT,\n" + "bobby,1 000.5,DCT,\n" +
		"bobby,0.00,DCT,\n" + ",1,DCT,\n" + "bobby,,DCT,\n" + "bobby,1,,\n" + "bobby,1,5,DCT,\n" + "bo\"bby,1,DCT,\n" +
		"bobby,\"1.234,5\",DCT,\n" + "bobby,1,DCT," + strings.Repeat("x", 2000+1) + "\nbobby,$5,DCT,\n"
	_, faults := payout.Parse([]byte(text))
	want := []string{
		`line 2: the amount "1,5" is not decimal text; write 1.5`, `write 1000 if that is meant`, `line 4: the amount "-1" is not decimal text; write an`,
		`line 5: the amount "1,000" is not decimal text; write 1000 or 1, whichever is meant`, `line 6: .*; write 1000.5`,
		"line 7: the amount is zero", "line 8: the account is missing", "line 9: the amount is missing", "line 10: the asset is missing",
		"line 11: 5 fields, but the header has 4", "line 12: a quote is out of place", "write 1234.5", "line 14: the memo has 2001 bytes",
		"line 15: .*digits with a point",
	}
	if len(faults) != len(want) {
		t.Fatalf("%d faults, want %d: %v", len(faults), len(want), faults)
	}
	for i, w := range want {
		parts := strings.Split(w, ".*")
		if !strings.Contains(faults[i].String(), parts[0]) || !strings.Contains(faults[i].String(), parts[len(parts)-1]) {
			t.Errorf("%s, want %s", faults[i], w)
		}
	}
	for text, want := range map[string]string{
		"": "no header line", "account,amount,asset\n": "no payments", "account|amount|asset\n": "not separated by commas", "account;amount;asset\n": "no payments",
		"acount,amount,asset\nx,1,DCT": "did you mean account", "account,amount\n": "column asset is missing",
		"account,amount,asset,account\n": "occurs twice", "account,amount,asset\n\xff,1,DCT\n": "not UTF-8",
	} {
		if _, faults := payout.Parse([]byte(text)); len(faults) == 0 || !strings.Contains(fmt.Sprint(faults), want) {
			t.Errorf("%q: %v, want %s", text, faults, want)
		}
	}
}

func TestDuplicatesAreReported(t *testing.T) {
	rows, _ := payout.Parse([]byte("account,amount,asset,memo\nbobby,1.50,DCT,\ncarol,1.5,DCT,\nbobby,1.5,DCT,\nbobby,1.5,DCT,x\n"))
	if got := fmt.Sprint(payout.Duplicates(rows)); got != "[line 4: the same payment as in line 2: 1.5 DCT to bobby with the same memo]" {
		t.Error(got)
	}
	byID := []payout.Row{{Line: 2, Account: "bobby", AccountID: "1.2.17", Amount: "1", Asset: "DCT", AssetID: "1.3.0"},
		{Line: 3, Account: "1.2.17", AccountID: "1.2.17", Amount: "1", Asset: "1.3.0", AssetID: "1.3.0"}}
	if got := payout.Duplicates(byID); len(got) != 1 {
		t.Error("a name and its id are two accounts", got)
	}
	if one, other := (&payout.Plan{Rows: byID[:1]}).ID(), (&payout.Plan{Rows: byID[1:]}).ID(); one != other {
		t.Error("a plan with a name is another one than with its id")
	}
}

func planOf(n int, memo string) *payout.Plan {
	p := &payout.Plan{Payer: 17}
	for i := range n {
		p.Rows = append(p.Rows, payout.Row{Line: i + 2, Account: fmt.Sprint("user-", i), Amount: "1", Asset: "DCT", Memo: memo})
	}
	return p
}

// A plan's id and keys depend on its content, not on how the file is formatted.
func TestPlanIDFollowsItsContent(t *testing.T) {
	one, _ := payout.Parse([]byte("account,amount,asset,memo\nbobby,1.50,DCT,hi\n"))
	same, _ := payout.Parse([]byte("# later\r\nmemo,asset,amount,account\r\nhi,DCT,1.5, bobby\r\n"))
	p, q := payout.Plan{Payer: 17, Rows: one}, payout.Plan{Payer: 17, Rows: same}
	if p.ID() != q.ID() {
		t.Error(p.ID(), q.ID())
	}
	seen := map[string]bool{p.ID(): true}
	for _, other := range []payout.Plan{{Payer: 18, Rows: one}, {Payer: 17, Rows: one, Label: "May"},
		{Payer: 17, Rows: append(one, one...)},
		{Payer: 17, Rows: one, Chain: ledger.ChainID{1}}} {
		if seen[other.ID()] {
			t.Errorf("%+v has the id of another plan", other)
		}
		seen[other.ID()] = true
	}
}

func TestBatchesHoldEveryRowOnce(t *testing.T) {
	for _, p := range []*payout.Plan{
		planOf(1, ""), planOf(101, ""), planOf(1000, "a memo of some length"), planOf(7, strings.Repeat("x", 2000)),
	} {
		next, id := 1, p.ID()
		for i, b := range p.Batches() {
			if b.Number != i+1 || b.First != next || len(b.Rows) == 0 || len(b.Rows) > 50 {
				t.Errorf("batch %d begins with row %d and has %d", b.Number, b.First, len(b.Rows))
			}
			for attempt := 1; attempt < 3; attempt++ {
				if first, ok := payout.FirstRowOf(b.Key(id, attempt), id); !ok || first != next {
					t.Errorf("%s: row %d, %v", b.Key(id, attempt), first, ok)
				}
			}
			next += len(b.Rows)
		}
		if next != len(p.Rows)+1 {
			t.Errorf("%d rows of %d are in batches", next-1, len(p.Rows))
		}
	}
}

func signedReceipt(t *testing.T) (text string, key ledger.PrivateKey) {
	t.Helper()
	key = ledger.DeriveKey("payer", 0)
	r := payout.Receipt{Head: payout.NewHead(planOf(3, ""), "alice"),
		Rows: []payout.ReceiptRow{
			{Row: 1, Account: "bobby", Amount: "1", Asset: "DCT", Block: 7, State: "irreversible"},
			{Row: 3, Account: "carol", Amount: "2", Asset: "DCT", Operation: 1, Block: 7, State: "in_block"},
		}}
	text, err := r.Sign(key.Public(), func(b []byte) (ledger.Signature, error) { return key.SignBuffer(b), nil })
	must(t, err)
	return text, key
}

// Any change in a receipt is detected.
func TestChangedReceiptIsRefused(t *testing.T) {
	text, key := signedReceipt(t)
	r, err := payout.ReadReceipt([]byte(text))
	must(t, err)
	if len(r.Rows) != 2 || r.End.Key != key.Public() || r.Head.Payer != "alice" {
		t.Errorf("%+v", r)
	}
	for name, change := range map[string]func(string) string{
		"amount":     func(s string) string { return strings.Replace(s, `"amount":"2"`, `"amount":"3"`, 1) },
		"state":      func(s string) string { return strings.Replace(s, "in_block", "irreversible", 1) },
		"line":       func(s string) string { lines := strings.SplitAfter(s, "\n"); return lines[0] + lines[2] + lines[3] },
		"cut":        func(s string) string { return s[:len(s)-10] },
		"head alone": func(s string) string { return strings.SplitAfter(s, "\n")[0] },
		"member":     func(s string) string { return strings.Replace(s, `"row":1`, `"row":1,"paid":true`, 1) },
		"order":      func(s string) string { return strings.Replace(s, `"row":3`, `"row":1`, 1) },
		"key": func(s string) string {
			return strings.Replace(s, key.Public().String(), ledger.DeriveKey("other", 0).Public().String(), 1)
		},
		"end":            func(s string) string { return strings.TrimRight(s, "\n") + " {}\n" },
		"nothing at all": func(string) string { return "" },
		"another file":   func(string) string { return "account,amount,asset\n" },
	} {
		if _, err := payout.ReadReceipt([]byte(change(text))); err == nil {
			t.Errorf("a receipt with another %s was accepted", name)
		}
	}
}

func FuzzPayoutFile(f *testing.F) {
	f.Add([]byte("account,amount,asset,memo\nbobby,1.5,DCT,\"a \"\"b\"\"\"\n"))
	f.Add([]byte("\uFEFFmemo,account,asset,amount\r\n#x\r\n,bobby,DCT,1e9\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, faults := payout.Parse(text)
		if len(faults) > 0 {
			return
		}
		for _, r := range rows {
			if r.Account == "" || r.Asset == "" || !readAgain(r.Amount) || payout.Plain(r.Amount) != r.Amount {
				t.Errorf("%+v was accepted", r)
			}
		}
	})
}

func FuzzReadReceipt(f *testing.F) {
	key := ledger.DeriveKey("payer", 0)
	r := payout.Receipt{Head: payout.NewHead(planOf(3, ""), "alice"),
		Rows: []payout.ReceiptRow{{Row: 2, Account: "bobby", Amount: "1", Asset: "DCT"}}}
	text, err := r.Sign(key.Public(), func(b []byte) (ledger.Signature, error) { return key.SignBuffer(b), nil })
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(text))
	f.Fuzz(func(t *testing.T, changed []byte) {
		read, err := payout.ReadReceipt(changed)
		if err == nil && strings.TrimSuffix(string(changed), "\n") != strings.TrimSuffix(text, "\n") {
			// The last line is not signed: it may be formatted differently with the same content.
			if read.End != (payout.ReceiptEnd{Digest: read.End.Digest, Key: key.Public(), Signature: read.End.Signature}) {
				t.Errorf("%q was accepted", changed)
			}
			lines := strings.SplitAfter(string(changed), "\n")
			want := strings.SplitAfter(text, "\n")
			if lines[0] != want[0] || lines[1] != want[1] {
				t.Errorf("%q was accepted", changed)
			}
		}
	})
}

// readAgain reports whether an amount, written as it was parsed, parses to the same.
func readAgain(amount string) bool {
	rows, faults := payout.Parse([]byte("account,asset,amount\nbobby,DCT,0.5\nbobby,DCT," + amount + "\n"))
	return len(faults) == 0 && len(rows) == 2 && rows[1].Amount == amount
}
