package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/layout"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// opened returns the page of a review.
func opened(r txbuild.Review) review.Page {
	return review.New(screen.Env{}, r, review.Prompt{Key: "S", Word: "Sign"})
}

// rowsBetween returns the rows of a page from the one with the label from up to, but without, the next one with the label to.
func rowsBetween(page *review.Page, from, to string) (out []review.Row) {
	rows := page.Rows(screen.Env{})
	at := slices.IndexFunc(rows, func(r review.Row) bool { return r.Label == from })
	if at < 0 {
		return nil
	}
	for _, row := range rows[at:] {
		if row.Label == to {
			return out
		}
		out = append(out, row)
	}
	return out
}

// shownIn returns what a page shows within its frame in a window, row by row.
func shownIn(page *review.Page, w, h int) []string {
	class, rows := layout.ClassOf(w), h-2
	if class == layout.Tiny { // it has no lower edge
		rows++
	}
	c := canvas.New(w-2, rows)
	page.Draw(screen.Env{W: w, H: h, Class: class}, c.All())
	return strings.Split(strings.TrimSuffix(c.Plain(), "\n"), "\n")
}

func TestConfirmationLimits(t *testing.T) {
	dct := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}
	for amount, want := range map[int64][]string{1000_00000000: nil, 1000_00000001: {"1000.00000001"}} {
		if got := wants(opened(txbuild.Review{Asset: dct, Amount: amount, Available: 1 << 60})); !slices.Equal(got, want) {
			t.Errorf("of an amount of %d it asks for %q", amount, got)
		}
	}
	for amount, want := range map[int64][]string{50_00000000: nil, 50_00000001: {"1.2.9"}} {
		to := ledgerview.AccountRef{ID: 9, Name: "x"}
		got := wants(opened(txbuild.Review{Asset: dct, Amount: amount, FirstTime: true, To: to, ToObject: to.ID.Object()}))
		if !slices.Equal(got, want) {
			t.Errorf("of a first payment of %d it asks for %q", amount, got)
		}
	}
}

// The wallet builds no payment that exceeds the balance, but the balance may have shrunk by the time a program's request is reviewed.
func TestReviewShowsThatTheBalanceIsTooLow(t *testing.T) {
	dct := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}
	r := txbuild.Review{
		ToObject: ledger.AccountID(17).Object(), Asset: dct, Amount: 250_00000000, FeeAsset: dct, Fee: 500000, Available: 250_00499999,
	}
	p := opened(r)
	text := strings.Join(shownIn(&p, 84, 60), "\n")
	if !strings.Contains(text, "▲ more than you have: 250.00499999 DCT") || strings.Contains(text, "After this") {
		t.Error(text)
	}
}

// The fee counts in the limits of confirmations, because it leaves the account as well.
func TestFeeCountsInTheChecks(t *testing.T) {
	dct, gold := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}, ledgerview.AssetRef{ID: 12, Symbol: "GOLD", Precision: 4}
	const much = 1 << 60
	for name, c := range map[string]struct {
		review txbuild.Review
		want   string
	}{
		"amount and fee are large":    {txbuild.Review{Asset: dct, Amount: 999_00000000, FeeAsset: dct, Fee: 1_00000001, Available: much}, "amount"},
		"amount and fee are not":      {txbuild.Review{Asset: dct, Amount: 999_00000000, FeeAsset: dct, Fee: 1_00000000, Available: much}, ""},
		"more than half with the fee": {txbuild.Review{Asset: dct, Amount: 50, FeeAsset: dct, Fee: 1, Available: 100}, "amount"},
		"half without the fee":        {txbuild.Review{Asset: dct, Amount: 50, Available: 100}, ""},
		"large fee for another asset": {txbuild.Review{Asset: gold, Amount: 1, FeeAsset: dct, Fee: 1000_00000001, Available: much}, "amount"},
		"large fee for no payment":    {txbuild.Review{FeeAsset: dct, Fee: 1000_00000001}, "fee"},
		"small fee for no payment":    {txbuild.Review{FeeAsset: dct, Fee: 1000_00000000}, ""},
		"the largest amount":          {txbuild.Review{Asset: dct, Amount: 1<<63 - 1, FeeAsset: dct, Fee: 1<<63 - 1, Available: 1}, "amount"},
	} {
		r := c.review
		r.To = ledgerview.AccountRef{ID: 9, Name: "x"}
		got := ""
		page := opened(r)
		if checks := page.Remaining(); len(checks) > 0 {
			got = checks[0].What
		}
		if got != c.want {
			t.Errorf("%s: %q is asked for, want %q", name, got, c.want)
		}
	}
}

func TestReviewShowsWhoseKeysSign(t *testing.T) {
	keys := []ledger.PublicKey{{2, 1}, {2, 2}, {2, 3}}
	alice, carol := ledgerview.AccountRef{ID: 9, Name: "alice"}, ledgerview.AccountRef{ID: 10, Name: "carol"}
	r := txbuild.Review{From: alice, SignsWith: keys, SignsAs: []txbuild.AuthorityKey{
		{Key: keys[0], Account: alice, Role: "owner", For: alice}, {Key: keys[1], Account: carol, Role: "active", For: alice},
	}}
	page := opened(r)
	var got []string
	for _, row := range rowsBetween(&page, "Signs with", "Expires") {
		got = append(got, row.Label+"|"+row.Line.String())
	}
	want := []string{
		"Signs with|owner key of alice 1.2.9", "|" + keys[0].String(), "|active key of carol 1.2.10, who acts for alice 1.2.9", "|" + keys[1].String(),
		"|" + keys[2].String(),
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i, row := range want { // in 80 columns as well, where no key has room beside its authority
		label, line, _ := strings.Cut(row, "|")
		want[i] = strings.TrimRight(fmt.Sprintf("  %-12s%s", label, line), " ")
	}
	shown := shownIn(&page, 86, 60)
	for i := range shown {
		shown[i] = strings.TrimRight(shown[i], " ")
	}
	at := slices.Index(shown, want[0])
	if at < 0 || !slices.Equal(shown[at:at+len(want)], want) || !strings.HasPrefix(shown[at+len(want)], "  Expires") {
		t.Errorf("%s\nlacks %q", strings.Join(shown, "\n"), want)
	}
}

// A fee in another asset than the payment is listed under Takes as well; if it is the only loss, it is only under Fee.
func TestReviewShowsEveryAssetTaken(t *testing.T) {
	alice := ledgerview.AccountRef{ID: 9, Name: "alice"}
	dct, gold := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}, ledgerview.AssetRef{ID: 4, Symbol: "GOLD", Precision: 4}
	fee := txbuild.Outgoing{Account: alice, Asset: dct, Amount: 500_000, Fee: 500_000}
	for _, c := range []struct {
		outgoing []txbuild.Outgoing
		want     []string
	}{
		{[]txbuild.Outgoing{fee}, nil},
		{[]txbuild.Outgoing{{Account: alice, Asset: gold, Amount: 70_000}, fee},
			[]string{"7.0000 GOLD from alice 1.2.9", "0.00500000 DCT from alice 1.2.9  for fees"}},
		{[]txbuild.Outgoing{{Account: alice, Asset: dct, Amount: 700_000, Fee: 500_000}}, []string{"0.00700000 DCT from alice 1.2.9  fees included"}},
	} {
		page := opened(txbuild.Review{Outgoing: c.outgoing})
		var got []string
		for _, row := range rowsBetween(&page, "Takes", "Expires") {
			got = append(got, row.Line.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// inFile returns the review of a payment in a file to bob, who is new.
func inFile(amount int64) txbuild.Review {
	dct, bob := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}, []ledgerview.AccountRef{{ID: 30, Name: "bob"}}
	return txbuild.Review{Operation: txbuild.Title(ledger.CodeTransferObsolete), Gets: bob, New: bob, FirstTime: true, Sentences: []string{"a"},
		Moves: []txbuild.Move{{To: bob[0].ID.Object(), Asset: dct, Amount: amount}}, FeeAsset: dct,
		Outgoing: []txbuild.Outgoing{{Asset: dct, Amount: amount, Available: 1 << 60}}}
}

func feeOf(r txbuild.Review, fee int64) txbuild.Review {
	r.Fee = fee
	return r
}

// beside returns the review with a second operation and with the recipients gets.
func beside(r txbuild.Review, gets ...ledgerview.AccountRef) txbuild.Review {
	r.Operation, r.Sentences, r.Gets = "2 operations", []string{"a", "b"}, gets
	return r
}

// alike returns the review with a name that resembles bobby.
func alike(r txbuild.Review) txbuild.Review {
	r.LooksLike = []ledgerview.AccountRef{{ID: 60, Name: "bobby"}}
	return r
}

func presumed(r txbuild.Review) txbuild.Review {
	r.Presumed = true
	return r
}

// An account that gets rights, a token or an amount over time is checked like one that is paid.
func TestRecipientsAreChecked(t *testing.T) {
	dct := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}
	gold := ledgerview.AssetRef{ID: 12, Symbol: "GOLD", Precision: 4}
	bob, others := ledgerview.AccountRef{ID: 30, Name: "bob"}, make([]ledgerview.AccountRef, 5)
	for i := range others {
		others[i] = ledgerview.AccountRef{ID: ledger.AccountID(40 + i), Name: "x"}
	}
	one, moves := []ledgerview.AccountRef{bob}, []txbuild.Move{{Amount: 1}}
	const much = 1 << 60
	for name, c := range map[string]struct {
		review txbuild.Review
		want   string // what must be typed, in order
	}{
		"a right for somebody new":              {txbuild.Review{Gets: one, New: one}, "1.2.30"},
		"keys that can be guessed":              {txbuild.Review{Guessable: "weak"}, "guessable"},
		"a right for somebody known":            {txbuild.Review{Gets: one}, ""},
		"a name that resembles another":         {txbuild.Review{Gets: one, LooksLike: one}, "1.2.30"},
		"the same again":                        {txbuild.Review{Gets: one, Repeats: &history.Entry{}}, "1.2.30"},
		"much for somebody new":                 {txbuild.Review{Gets: one, New: one, Asset: dct, Amount: 51_00000000, Available: much}, "1.2.30"},
		"little for somebody new":               {txbuild.Review{Gets: one, New: one, Asset: dct, Amount: 50_00000000, Available: much}, ""},
		"rights for many":                       {txbuild.Review{Gets: others, New: others, Sentences: []string{"a", "b"}}, "1.2.40 1.2.41 1.2.42 5"},
		"several small payments":                {beside(inFile(7), one...), "0.00000007"},
		"several payments":                      {beside(inFile(900_00000000), one...), "900 1.2.30"},
		"one of them to a known":                {beside(inFile(900_00000000), bob, others[0]), "900 1.2.30"},
		"one that resembles, of many":           {alike(beside(inFile(7), append(others, ledgerview.AccountRef{ID: 50, Name: "bobby1"})...)), "0.00000007 1.2.50"},
		"where nobody can be asked":             {presumed(inFile(51_00000000)), "1.2.30"},
		"a payment from a file to somebody new": {inFile(51_00000000), "1.2.30"},
		"a small one":                           {inFile(50_00000000), ""},
		"a small one of which the fee is more":  {feeOf(inFile(50_00000000), 1), "1.2.30"},
		"more than is asked":                    {txbuild.Review{Asset: dct, Amount: 7, Available: much, Effects: []ledger.Effect{{Overpaid: true}}}, "0.00000007"},
		"more than is asked, among others": {txbuild.Review{Moves: moves, Effects: []ledger.Effect{{Overpaid: true}},
			Outgoing: []txbuild.Outgoing{{Asset: dct, Amount: 4, Available: much}}}, "0.00000004"},
		"power for somebody known": {txbuild.Review{Gets: one, Effects: []ledger.Effect{{Whom: []ledger.AccountID{30}}}}, "1.2.30"},
		"power for somebody new":   {txbuild.Review{Gets: one, New: one, Effects: []ledger.Effect{{Whom: []ledger.AccountID{30}}}}, "1.2.30"},
		"the second of two amounts is large": {txbuild.Review{Gets: one, Moves: moves, Sentences: []string{"a"}, Outgoing: []txbuild.Outgoing{
			{Asset: gold, Amount: 1, Available: much}, {Asset: dct, Amount: 1000_00000001, Available: much}}}, "1000.00000001"},
		"a second amount beside a payment": {txbuild.Review{Asset: gold, Amount: 1, Available: much, Moves: moves, Outgoing: []txbuild.Outgoing{
			{Asset: gold, Amount: 1, Available: much}, {Asset: dct, Amount: 51, Available: 100}}}, "0.00000051"},
		"the same twice in one transaction": {txbuild.Review{Moves: moves, Sentences: []string{"a", "b", "a"}, Outgoing: []txbuild.Outgoing{
			{Asset: dct, Amount: 4, Available: much}}}, "0.00000004"},
	} {
		want := strings.Fields(c.want)
		if got := wants(opened(c.review)); !slices.Equal(got, want) {
			t.Errorf("%s: %q is asked for, want %q", name, got, want)
		}
	}
}

// If two accounts lose something, the question names the account, the gravest reason comes first, and a mismatch is reported.
func TestTotalNamesItsAccount(t *testing.T) {
	dct := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}
	alice, bob := ledgerview.AccountRef{ID: 9, Name: "alice"}, ledgerview.AccountRef{ID: 30, Name: "bob"}
	r := txbuild.Review{From: alice, Operation: "2 operations", Moves: []txbuild.Move{{Amount: 1}}, Sentences: []string{"a", "a"},
		Outgoing: []txbuild.Outgoing{{Account: alice, Asset: dct, Amount: 7}, {Account: bob, Asset: dct, Amount: 9000_00000000}}}
	page := opened(r)
	env := screen.Env{Now: time.Unix(1, 0)} // the page has stood still
	for _, want := range []struct{ what, why, text string }{
		{"total in DCT from alice 1.2.9", "the same payment is made more than once", "0.00000007"},
		{"total in DCT from bob 1.2.30", "a large payment, and the same payment is made more than once", "9000"},
	} {
		what, why, _ := page.Question()
		if what != want.what || why != want.why {
			t.Errorf("%q because of %q, want %q because of %q", what, why, want.what, want.why)
		}
		page.Text(env, uitest.Key("8"))
		if text := strings.Join(shownIn(&page, 100, 60)[55:], "\n"); !strings.Contains(text, "▲ it does not match ") {
			t.Errorf("for a mismatch it shows %q", text)
		}
		page.Do(env, "clear")
		page.Text(env, uitest.Key(want.text[:1]))
		text := strings.Join(shownIn(&page, 100, 60)[55:], "\n")
		if strings.Contains(text, "▲") || !strings.Contains(text, strings.ToUpper(why[:1])+why[1:]+": S stays off until it matches.") {
			t.Errorf("for a correct beginning it shows %q", text)
		}
		if wrong := page.Answer(want.text); wrong != "" {
			t.Errorf("%s: %s", want.text, wrong)
		}
	}
}

// The reason why something must be typed is shown in full even on the smallest terminal.
func TestReasonOfACheckIsShownInFullEverywhere(t *testing.T) {
	dct := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}
	r := txbuild.Review{Asset: dct, Amount: 5, Available: 1 << 40, Repeats: &history.Entry{Name: "transfer"}}
	for w := 40; w <= 80; w++ {
		p := review.New(screen.Env{W: w, H: 15}, r, review.Prompt{Key: "S"})
		shown := shownIn(&p, w, 15)
		const want = "The same payment was made within 24 h: S "
		got := strings.Join(strings.Fields(strings.Join(shown[len(shown)-3:], " ")), " ")
		if !strings.Contains(got, want) || !strings.HasSuffix(got, " off.") && !strings.HasSuffix(got, " until it matches.") {
			t.Errorf("%d columns: %q", w, got)
		}
	}
}

// What was typed for operations is not asked again if the same ones are reviewed again; for others it is.
func TestConfirmationsAreKeptForTheSameOperations(t *testing.T) {
	dct := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}
	paying := func(amount int64) txbuild.Review {
		return txbuild.Review{Operation: "transfer (0)", Amount: amount, Asset: dct, FeeAsset: dct, PaidBefore: 3,
			To: ledgerview.AccountRef{ID: 18, Name: "carol"}, ToObject: ledger.AccountID(18).Object()}
	}
	page := opened(paying(2000_00000000))
	if wrong := page.Answer("2000"); wrong != "" {
		t.Fatal(wrong)
	}
	for amount, asked := range map[int64]bool{2000_00000000: false, 3000_00000000: true} {
		again := opened(paying(amount))
		again.Keep(page)
		if what, _, left := again.Question(); left != asked {
			t.Errorf("for %d it asks for %q: %v", amount, what, left)
		}
	}
}

// If not all of the history was searched, the review does not state how often a recipient was paid, only a lower bound.
func TestReviewDoesNotUnderstateEarlierPayments(t *testing.T) {
	r := txbuild.Review{ToObject: ledger.AccountID(30).Object(), To: ledgerview.AccountRef{ID: 30, Name: "bobby"}, Amount: 5, PaidBefore: 93}
	for more, want := range map[bool]string{false: "paid 93 times", true: "paid at least 93 times"} {
		r.PaidMore = more
		page := opened(r)
		if text := rowsBetween(&page, "To", "Amount")[0].Line.String(); !strings.Contains(text, want) {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

// The warnings give no advice, because somebody else may have chosen the change; they also say what is not known.
func TestWarningsAboutTheActiveAuthority(t *testing.T) {
	alice := ledgerview.AccountRef{ID: 9, Name: "alice"}
	for want, c := range map[string]txbuild.Control{
		"; whether they do as owner is not known here":                       {Account: alice, Role: "active", NoOwner: true},
		"; ANYBODY could act, without any signature":                         {Account: alice, Role: "active", Here: true, Others: true, Anybody: true},
		"do NOT suffice for the new one":                                     {Account: alice, Role: "active"},
		"the owner keys here can still do everything alone, and change this": {Account: alice, Role: "active", Here: true, ByOwner: true},
	} {
		if got := review.Warnings(txbuild.Review{Control: []txbuild.Control{c}}); len(got) != 1 || !strings.HasSuffix(got[0], want) {
			t.Errorf("%q does not end with %q", got, want)
		}
	}
}

// If several accounts pay fees, each is shown with its own.
func TestFeesNameWhoPaysThem(t *testing.T) {
	dct := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}
	alice, bobby := ledgerview.AccountRef{ID: 16, Name: "alice"}, ledgerview.AccountRef{ID: 17, Name: "bobby"}
	r := txbuild.Review{From: alice, FeeAsset: dct, Fee: 300_000, Outgoing: []txbuild.Outgoing{
		{Account: alice, Asset: dct, Amount: 100_000, Fee: 100_000}, {Account: bobby, Asset: dct, Amount: 200_000, Fee: 200_000}}}
	rows := func() (text string) {
		page := opened(r)
		for _, row := range rowsBetween(&page, "Fee", "Expires") {
			text += row.Label + ": " + row.Line.String() + "; "
		}
		return text
	}
	if got, want := rows(), "Fee: 0.00100000 DCT  1.3.0 from alice 1.2.16; : 0.00200000 DCT  1.3.0 from bobby 1.2.17; "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Outgoing = r.Outgoing[:1]
	if got, want := rows(), "Fee: 0.00100000 DCT  1.3.0; Paid by: alice 1.2.16; "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// If anybody could act for an account, its name must be typed.
func TestAccountOpenToAnybodyNeedsConfirmation(t *testing.T) {
	alice := ledgerview.AccountRef{ID: 16, Name: "alice"}
	r := txbuild.Review{Control: []txbuild.Control{{Account: alice, Role: "active", Here: true, Others: true, Anybody: true}}}
	page := opened(r)
	checks := page.Remaining()
	if len(checks) != 1 || checks[0].Want != "alice" || checks[0].Why != "ANYBODY could act, without any signature" {
		t.Errorf("it asks %+v", checks)
	}
}

// held returns what a review shows as the contents of the operations of a transaction in JSON.
func held(text string) string {
	page := opened(txbuild.Review{JSON: text})
	var out []string
	for _, row := range rowsBetween(&page, "Holds", "Fee") {
		out = append(out, row.Line.String())
	}
	return strings.Join(out, "\n")
}

func TestReviewListsOperationContents(t *testing.T) {
	for text, want := range map[string][]string{
		`{"ref_block_num":7,"operations":[[1,{"fee":{"amount":100,"asset_id":"1.3.0"},"registrar":"1.2.16","name":"newcomer",
		"owner":{"weight_threshold":1,"account_auths":[],"key_auths":[["DCT5a",1],["DCT5b",2]]},"rights":{"is_manager":true,"is_other":false},
		"options":{"memo_key":"DCT5c","num_miner":0,"note":null,"extensions":[]}}]]}`: {"registrar  1.2.16", "name  newcomer", "owner.weight_threshold  1",
			"owner.key_auths  DCT5a, 1, DCT5b, 2", "rights.is_manager  yes", "options.memo_key  DCT5c"},
		`{"operations":[[0,{"fee":{"amount":5},"to":"1.2.17"}],
		[12,{"withdrawal_period_sec":604800,"periods_until_expiration":1000,"period_start_time":"2023-11-14T22:13:20"}]]}`: {"1. to  1.2.17",
			"2. withdrawal_period_sec  7 days", "2. periods_until_expiration  1,000 periods of 7 days, from 2023-11-14 22:13:20 UTC until 2043-01-13 22:13:20 UTC",
			"2. period_start_time  2023-11-14 22:13:20 UTC"},
		`{"operations":[[2,{"active":{"weight_threshold":0,"key_auths":[["DCT5a",0]]}}]]}`: {"active.weight_threshold  0", "active.key_auths  DCT5a, 0"},
		"": nil, "{}": nil, `{"operations":[]}`: nil, `{"operations":[[0]]}`: nil, "7": nil,
	} {
		if got := held(text); got != strings.Join(want, "\n") {
			t.Errorf("%s\nholds %s\nwant %s", text, got, strings.Join(want, "\n"))
		}
	}
}

// What is left after an approved payment lacks the fee of the approval too, if the same account pays it.
func TestWhatIsLeftLacksTheFeeOfTheApproval(t *testing.T) {
	dct := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}
	alice, carol := ledgerview.AccountRef{ID: 34, Name: "alice"}, ledgerview.AccountRef{ID: 57, Name: "carol"}
	for payer, want := range map[ledgerview.AccountRef]string{alice: "97.99800000 DCT", carol: "97.99900000 DCT"} {
		approved := txbuild.Review{Operation: "transfer (0)", From: alice, To: carol, ToObject: carol.ID.Object(), Asset: dct, Amount: 2_00000000, FeeAsset: dct, Fee: 100000,
			Available: 100_00000000}
		page := opened(txbuild.Review{Operation: "proposal update (18)", FeeAsset: dct, Fee: 100000, Approves: &approved,
			Outgoing: []txbuild.Outgoing{{Account: payer, Asset: dct, Amount: 100000, Fee: 100000, Available: 100_00000000}}})
		after := rowsBetween(&page, "After this", "Signs with")
		if len(after) == 0 || !strings.HasPrefix(after[0].Line.String(), want) {
			t.Errorf("paid by %s: %v", payer.Name, after)
		}
	}
}

// What many operations come to, whom they repeat and what signs them stands before their list, which may be longer than any screen.
func TestWhatManyOperationsComeToStandsFirst(t *testing.T) {
	for n, sumFirst := range map[int]bool{2: false, 4: false, 5: true, 40: true} {
		alice := ledgerview.AccountRef{ID: 34, Name: "alice"}
		v := txbuild.Review{Operation: fmt.Sprint(n, " operations"), From: alice, Fee: 1, FeeAsset: ledgerview.DCT(), Repeats: &history.Entry{},
			Outgoing:  []txbuild.Outgoing{{Account: alice, Asset: ledgerview.DCT(), Amount: 7, Fee: 1, Available: 9}},
			SignsWith: []ledger.PublicKey{{}}}
		for i := range n {
			v.Sentences = append(v.Sentences, fmt.Sprint("sentence ", i))
		}
		page := review.New(screen.Env{}, v, review.Prompt{Key: "S"})
		at := map[string]int{}
		for i, row := range page.Rows(screen.Env{}) {
			at[row.Label] = i
		}
		for _, label := range []string{"Takes", "Fee", "Repeats", "Signs with", "Expires"} {
			if where, there := at[label]; !there || (where < at["If signed"]) != sumFirst {
				t.Errorf("%d operations: %s is row %d, and their list row %d (%v)", n, label, where, at["If signed"], at)
			}
		}
	}
}

// A person who is asked again reads what is different: the operation itself, what it changes, or only what is warned of.
func TestWhyAPersonIsAskedAgain(t *testing.T) {
	buys := func(price string, fee int64) txbuild.Review {
		return txbuild.Review{Operation: "request_to_buy (21)", Again: true, Sentences: []string{"bobby bought a song for " + price}, Intents: []string{"bobby buys a song for " + price},
			Fee: fee, FeeAsset: ledgerview.DCT(), SignsWith: []ledger.PublicKey{{}}}
	}
	was := buys("1 DCT", 1)
	for name, c := range map[string]struct {
		agreed *txbuild.Review
		now    txbuild.Review
		want   string
	}{
		"warnings":  {nil, buys("1 DCT", 1), "You agreed to this; its warnings have changed since."},
		"its price": {&was, buys("50 DCT", 1), "You agreed to: bobby buys a song for 1 DCT. Now it is: bobby buys a song for 50 DCT."},
		"its fee":   {&was, buys("1 DCT", 3_00000000), "You agreed to this before something about it changed."},
	} {
		c.now.Agreed = c.agreed
		page := opened(c.now)
		again := rowsBetween(&page, "Again", "Operation")
		if len(again) == 0 || !strings.Contains(again[0].Line.String(), c.want) {
			t.Errorf("%s: %v", name, again)
		}
		if is := slices.ContainsFunc(again, func(r review.Row) bool {
			return r.Label == "New" && strings.Contains(r.Line.String(), "Fee: 3.00000000 DCT")
		}); is != (name == "its fee") {
			t.Errorf("%s: what is new: %v", name, again)
		}
	}
}
