package payout_test

import (
	"fmt"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/payout"
)

// planOf returns a plan whose rows have memos of these lengths, in bytes; 0 is none.
func planOf(memos ...int) *payout.Plan {
	p := &payout.Plan{Payer: 17}
	for i, n := range memos {
		p.Rows = append(p.Rows, payout.Row{Line: i + 2, Account: fmt.Sprint("user-", i), Amount: "1", Asset: "DCT", Memo: strings.Repeat("x", n)})
	}
	return p
}

// repeat returns n memos of a length.
func repeat(n, length int) (out []int) {
	for range n {
		out = append(out, length)
	}
	return out
}

// A request key stands for the rows of its batch, in this version and in the next: where a file is cut, and how keys are
// written, is the same for ever. Each case is at an edge, on both sides.
func TestWhereAPlanIsCutNeverChanges(t *testing.T) {
	for _, c := range []struct {
		memos []int
		want  string // rows in each batch
	}{
		{repeat(1, 0), "1"}, {repeat(50, 0), "50"}, {repeat(51, 0), "50 1"}, {repeat(100, 0), "50 50"}, {repeat(101, 0), "50 50 1"},
		{repeat(20, 14), "20"},               // 20 × (40 + 96 + 14) = 3000 bytes
		{repeat(21, 14), "20 1"},             // one row more
		{append(repeat(19, 14), 15), "19 1"}, // 3001 bytes
		{append(repeat(19, 14), 13), "20"},
		{[]int{2864, 0}, "1 1"}, {[]int{2824, 0}, "2"}, {[]int{2825, 0}, "1 1"}, // a memo and a row without one
		{[]int{5000, 0, 0}, "1 2"}, // a row that is too large alone is a batch
	} {
		var sizes []string
		for _, b := range planOf(c.memos...).Batches() {
			sizes = append(sizes, fmt.Sprint(len(b.Rows)))
		}
		if got := strings.Join(sizes, " "); got != c.want {
			t.Errorf("memos %v are cut into %s, want %s", c.memos, got, c.want)
		}
	}
}

func TestKeysOfBatchesNeverChange(t *testing.T) {
	second := planOf(repeat(60, 0)...).Batches()[1]
	for attempt, want := range map[int]string{1: "payout/3b1c/2/51", 2: "payout/3b1c/2/51/r2", 3: "payout/3b1c/2/51/r3"} {
		if got := second.Key("3b1c", attempt); got != want {
			t.Errorf("attempt %d has the key %s, want %s", attempt, got, want)
		}
	}
	if got := planOf(repeat(60, 0)...).ID(); got != planOf(repeat(60, 0)...).ID() || len(got) < 16 {
		t.Errorf("the id is %q", got)
	}
	for key, want := range map[string]int{"payout/3b1c/2/51": 51, "payout/3b1c/2/51/r2": 51, "payout/3b1c/1/1": 1,
		"payout/3b1c/2/0": 0, "payout/3b1c/2/-1": 0, "payout/3b1c/2/x": 0, "payout/3b1c/2": 0, "payout/other/2/51": 0, "3b1c/2/51": 0, "payout/3b1c/2/99999999999999999999": 0} {
		first, ok := payout.FirstRowOf(key, "3b1c")
		if ok != (want > 0) || ok && first != want {
			t.Errorf("%s begins with row %d, %t", key, first, ok)
		}
	}
	for key, want := range map[string]bool{"payout/3b1c/2/51": true, "payout/3b1c": false, "order/3b1c/2": false} {
		if plan, ok := payout.PlanOf(key); ok != want || ok && plan != "3b1c" {
			t.Errorf("%s belongs to plan %q, %t", key, plan, ok)
		}
	}
}

// A claim brings a request key as text: only what a payout asks under is one, and only where a plan can have such a transaction.
func TestOnlyKeysOfPayoutsAreRead(t *testing.T) {
	for number := -1; number < 5; number++ {
		for first := -1; first < 205; first++ {
			for attempt := range 4 {
				key := payout.Key{Plan: "3b1c", Number: number, First: first, Attempt: attempt}
				got, ok := payout.ParseKey(key.String())
				before := number - 1 // batches of 1 to 50 rows each
				want := before >= 0 && first-1 >= before && first-1 <= 50*before
				if ok != want || ok && (got.Number != number || got.First != first || got.Attempt != max(attempt, 1)) {
					t.Errorf("%s is read as %+v, %t", key, got, ok)
				}
			}
		}
	}
	for _, text := range []string{"", "payout/", "payout/3b1c", "payout/3b1c/1", "payout//1/1", "order/3b1c/1/1", "3b1c/1/1", "payout/3b1c/1/1/", "payout/3b1c/1/1/2",
		"payout/3b1c/1/1/r1", "payout/3b1c/1/1/r0", "payout/3b1c/1/1/r-2", "payout/3b1c/1/1/rr2", "payout/3b1c/1/1/r2/r3", "payout/3b1c/01/1", "payout/3b1c/+1/1",
		"payout/3b1c/x/1", "payout/3b1c/1/1 ", " payout/3b1c/1/1"} {
		if k, ok := payout.ParseKey(text); ok {
			t.Errorf("%q is read as %+v", text, k)
		}
	}
}

// Two transactions are of one plan only if the batches between them can have the rows between them.
func TestKeysOfOnePlanFit(t *testing.T) {
	key := func(number, first int) payout.Key {
		return payout.Key{Plan: "3b1c", Number: number, First: first, Attempt: 1}
	}
	for between := range 4 {
		for rows := 1; rows <= 50; rows += 7 {
			for gap := -2; gap < 160; gap++ {
				one, other := key(3, 101), key(4+between, 101+rows+gap)
				want := gap >= between && gap <= 50*between
				if got := one.Fits(rows, other, 9); got != want || other.Fits(9, one, rows) != want {
					t.Errorf("%d batches between them with %d rows: they fit is %t", between, gap, got)
				}
			}
		}
	}
	for again, want := range map[[2]int]bool{{101, 9}: true, {101, 8}: false, {102, 9}: false, {102, 8}: false} { // first row, rows
		if got := key(3, 101).Fits(9, key(3, again[0]), again[1]); got != want {
			t.Errorf("two attempts, of 9 rows from 101 on and of %d from %d on: they fit is %t", again[1], again[0], got)
		}
	}
}

// Journals keep marks and fingerprints, so their form is the same for ever.
func TestMarksNeverChange(t *testing.T) {
	chain := ledger.ChainID{1}
	for label, want := range map[string]string{"": "", "  ": "", "May": "MARK", " mAY ": "MARK", "May  2026": "MARK2",
		"\u200bＭay\u00ad": "MARK", "May\u00a0２026": "MARK2"} {
		got := payout.LabelMark(chain, 17, label)
		if want != "" {
			want = map[string]string{"MARK": mayMark, "MARK2": may2026Mark}[want]
		}
		if got != want {
			t.Errorf("the mark of %q is %s, want %s", label, got, want)
		}
	}
	if payout.LabelMark(chain, 17, "Ju\u0308li") != payout.LabelMark(chain, 17, "J\u00fcli") {
		t.Error("an accent that is encoded in another way makes another label")
	}
	for label, want := range map[string]string{"März": marchMark, "ΜΆΙΟΣ": greekMark, "Straße": streetMark} {
		if got := payout.LabelMark(chain, 17, label); got != want {
			t.Errorf("the mark of %q is %s, want %s", label, got, want)
		}
	}
	payer, to := ledger.AccountID(17).Object(), ledger.AccountID(18).Object()
	amount := ledger.AssetAmount{Amount: 5}
	if got := payout.Fingerprint(chain, payer, to, amount); got != fingerprint {
		t.Errorf("the fingerprint is %s, want %s", got, fingerprint)
	}
	seen := map[string]bool{fingerprint: true}
	for _, got := range []string{payout.Fingerprint(ledger.ChainID{2}, payer, to, amount), payout.Fingerprint(chain, to, payer, amount),
		payout.Fingerprint(chain, payer, payer, amount), payout.Fingerprint(chain, payer, to, ledger.AssetAmount{Amount: 6}),
		payout.Fingerprint(chain, payer, to, ledger.AssetAmount{Amount: 5, AssetID: 1})} {
		if seen[got] {
			t.Errorf("two payments have the fingerprint %s", got)
		}
		seen[got] = true
	}
}

const (
	mayMark     = "6abf11fe3c523a1ae4cc70baea552a54"
	may2026Mark = "3bf01a3aac0f17c82cff6f1405335abc"
	marchMark   = "a043ec017c5fc0201b4d0a478ca5e053"
	greekMark   = "a158928a7a3eaf4d290e561b0f897ec5"
	streetMark  = "b4af76f77f825c5c80ac371b4371b6c0"
	fingerprint = "b175d0b21dc4558e581c8a751ccfdec6"
)

func TestLinesOfABatch(t *testing.T) {
	batches := planOf(repeat(51, 0)...).Batches()
	if got := batches[0].Lines() + ", " + batches[1].Lines(); got != "lines 2 to 51, line 52" {
		t.Error(got)
	}
}

// A plan's id stands for all that it pays, by whom, on which chain, and under which label, and has the same form in every version: two
// payouts of the same file by different payers are never taken for one.
func TestAPlanIDStandsForAllOfIt(t *testing.T) {
	row := payout.Row{Line: 2, Account: "bobby", AccountID: "1.2.17", Amount: "1.5", Asset: "DCT", Memo: "rent"}
	plan := func(change func(*payout.Plan)) string {
		p := &payout.Plan{Chain: ledger.ChainID{1}, Payer: 16, Label: "May", Rows: []payout.Row{row, row}}
		change(p)
		return p.ID()
	}
	base := plan(func(*payout.Plan) {})
	seen := map[string]string{base: "nothing"}
	for name, change := range map[string]func(*payout.Plan){
		"the chain":       func(p *payout.Plan) { p.Chain = ledger.ChainID{2} },
		"the payer":       func(p *payout.Plan) { p.Payer = 18 },
		"the label":       func(p *payout.Plan) { p.Label = "June" },
		"no label":        func(p *payout.Plan) { p.Label = "" },
		"one row less":    func(p *payout.Plan) { p.Rows = p.Rows[:1] },
		"another memo":    func(p *payout.Plan) { p.Rows[1].Memo = "rents" },
		"another account": func(p *payout.Plan) { p.Rows[1].AccountID = "1.2.18" },
		"another asset":   func(p *payout.Plan) { p.Rows[1].Asset = "GOLD" },
		"another amount":  func(p *payout.Plan) { p.Rows[1].Amount = "1.50000001" },
	} {
		id := plan(change)
		if seen[id] != "" {
			t.Errorf("with %s it has the id of that with %s", name, seen[id])
		}
		seen[id] = name
	}
	const always = "70590d19542861ec9f311c73b5174489"
	if base != always {
		t.Errorf("its id is %s, and was %s in earlier versions", base, always)
	}
}
