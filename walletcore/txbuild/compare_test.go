package txbuild

import (
	"maps"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

const alice, bobby, carol = ledger.AccountID(16), ledger.AccountID(17), ledger.AccountID(18)

func refTo(id ledger.AccountID) ledgerview.AccountRef {
	return ledgerview.AccountRef{ID: id, Name: map[ledger.AccountID]string{alice: "alice", bobby: "bobby", carol: "carol"}[id]}
}

// pays is a move from alice of an asset.
func pays(to ledger.AccountID, amount int64, asset ledger.AssetID) Move {
	return Move{From: alice.Object(), To: to.Object(), Asset: ledgerview.AssetRef{ID: asset}, Amount: amount}
}

// paid is a row of alice's history in which she paid.
func paid(id ledger.HistoryID, to ledger.AccountID, amount int64, at ledger.Time) history.Entry {
	return history.Entry{ID: id, Block: uint32(id), Direction: history.Out, From: refTo(alice), To: refTo(to), Amount: amount, Time: at, Final: true}
}

const headTime = ledger.Time(1_000_000)

func comparing(given ...Move) *comparison {
	return &comparison{r: &Review{Moves: given}, given: given, head: headTime, times: map[ledger.AccountID]int{}, indexed: map[ledger.AccountID]bool{},
		known: map[ledger.AccountID]ledgerview.AccountRef{}, sure: map[ledger.AccountID]bool{}, claims: map[ledger.AccountID][]claim{}}
}

// sentMoves is a payment of alice's that the wallet itself sent.
func sentMoves(at ledger.Time, block uint32, moves ...Move) Underway {
	return Underway{Review: Review{Operation: "transfer (0)", Sentence: "alice paid", Moves: moves}, Time: at, Block: block}
}

// How often a recipient was paid is counted once for each payment, wherever it is known from: the newest rows, the index, and what the
// wallet sent and the rows do not show.
func TestEarlierPaymentsAreCountedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		rows []history.Entry
		paid history.Paid
		sent []Underway
		want map[ledger.AccountID]int
	}{
		"nothing":                  {want: map[ledger.AccountID]int{}},
		"rows":                     {rows: []history.Entry{paid(9, bobby, 5, 1), paid(8, bobby, 6, 1), paid(7, carol, 5, 1)}, want: map[ledger.AccountID]int{bobby: 2}},
		"what came in":             {rows: []history.Entry{{Direction: history.In, To: refTo(bobby), Amount: 5}}, want: map[ledger.AccountID]int{}},
		"content, without a name":  {rows: []history.Entry{{Direction: history.Out, To: ledgerview.AccountRef{ID: bobby}, Amount: 5}}, want: map[ledger.AccountID]int{}},
		"the index alone":          {paid: history.Paid{To: map[ledger.AccountID]history.Dealings{bobby: {Out: 3}}}, want: map[ledger.AccountID]int{bobby: 3}},
		"others in the index":      {paid: history.Paid{To: map[ledger.AccountID]history.Dealings{carol: {Out: 3}}}, want: map[ledger.AccountID]int{}},
		"rows that the index has":  {rows: []history.Entry{paid(9, bobby, 5, 1)}, paid: history.Paid{To: map[ledger.AccountID]history.Dealings{bobby: {Out: 3}}}, want: map[ledger.AccountID]int{bobby: 3}},
		"rows that it has not yet": {rows: []history.Entry{paid(9, bobby, 5, 1), paid(8, bobby, 6, 1)}, paid: history.Paid{To: map[ledger.AccountID]history.Dealings{bobby: {Out: 1}}}, want: map[ledger.AccountID]int{bobby: 2}},
		"rows of others":           {rows: []history.Entry{paid(9, carol, 5, 1)}, paid: history.Paid{To: map[ledger.AccountID]history.Dealings{bobby: {Out: 1}}}, want: map[ledger.AccountID]int{bobby: 1}},
		"sent, in no block":        {sent: []Underway{sentMoves(1, 0, pays(bobby, 5, 0))}, want: map[ledger.AccountID]int{bobby: 1}},
		"sent, and shown":          {rows: []history.Entry{paid(9, bobby, 5, 1)}, sent: []Underway{sentMoves(1, 9, pays(bobby, 5, 0))}, want: map[ledger.AccountID]int{bobby: 1}},
		"sent, and in the index": {paid: history.Paid{To: map[ledger.AccountID]history.Dealings{bobby: {Out: 1}}}, sent: []Underway{sentMoves(1, 3, pays(bobby, 5, 0))},
			want: map[ledger.AccountID]int{bobby: 1}},
		"sent by another account": {sent: []Underway{sentMoves(1, 0, Move{From: carol.Object(), To: bobby.Object(), Amount: 5})}, want: map[ledger.AccountID]int{}},
	} {
		c2 := comparing(pays(bobby, 7, 0))
		c2.countRows(alice, c.rows)
		c2.countOlder(alice, c.rows, c.paid)
		c2.countSent(alice, c.sent, c.rows)
		if !maps.Equal(c2.times, c.want) {
			t.Errorf("%s: %v payments are counted, want %v", name, c2.times, c.want)
		}
	}
}

// Whoever a publication of this wallet pays later was paid before, as this wallet knows itself; whom another operation gave something that is no
// amount was not.
func TestWhoAPublicationPaysWasPaidBefore(t *testing.T) {
	for code, want := range map[ledger.OpCode]int{ledger.CodeContentSubmit: 1, ledger.CodeAccountUpdate: 0} {
		c := comparing(pays(bobby, 7, 0))
		c.countSent(alice, []Underway{{Review: Review{Operation: Title(code), Gifts: []Move{pays(bobby, 0, 0), pays(carol, 0, 0)}}, Block: 9}},
			[]history.Entry{{ID: 9, Block: 9, Code: code, Direction: history.Out, From: refTo(alice), Amount: 5}})
		if c.times[bobby] != want || c.sure[bobby] != (want > 0) {
			t.Errorf("%s: %d times, sure: %v", Title(code), c.times[bobby], c.sure[bobby])
		}
	}
}

// A payment repeats one of the last day of the same amount of the same asset to the same account, and nothing else.
func TestWhatRepeatsAPayment(t *testing.T) {
	lately, long := headTime-repeatWindow+1, headTime-repeatWindow
	gold := func(e history.Entry) history.Entry { e.Asset.ID = 1; return e }
	for name, c := range map[string]struct {
		rows []history.Entry
		paid history.Paid
		sent []Underway
		want bool
	}{
		"the same":                  {rows: []history.Entry{paid(9, bobby, 7, lately)}, want: true},
		"a day ago":                 {rows: []history.Entry{paid(9, bobby, 7, long)}},
		"more":                      {rows: []history.Entry{paid(9, bobby, 8, lately)}},
		"another asset":             {rows: []history.Entry{gold(paid(9, bobby, 7, lately))}},
		"to another":                {rows: []history.Entry{paid(9, carol, 7, lately)}},
		"the same in the index":     {paid: history.Paid{Rows: []history.Entry{paid(5, bobby, 7, lately)}}, want: true},
		"a day ago in the index":    {paid: history.Paid{Rows: []history.Entry{paid(5, bobby, 7, long)}}},
		"the same, sent":            {sent: []Underway{sentMoves(lately, 0, pays(bobby, 7, 0))}, want: true},
		"a day ago, sent":           {sent: []Underway{sentMoves(long, 0, pays(bobby, 7, 0))}},
		"more, sent":                {sent: []Underway{sentMoves(lately, 0, pays(bobby, 8, 0))}},
		"another asset, sent":       {sent: []Underway{sentMoves(lately, 0, pays(bobby, 7, 1))}},
		"to another, sent":          {sent: []Underway{sentMoves(lately, 0, pays(carol, 7, 0))}},
		"among others, sent":        {sent: []Underway{sentMoves(lately, 0, pays(carol, 7, 0), pays(bobby, 7, 0))}, want: true},
		"the same, shown elsewhere": {rows: []history.Entry{paid(9, bobby, 7, long)}, sent: []Underway{sentMoves(lately, 8, pays(bobby, 7, 0))}, want: true},
	} {
		c2 := comparing(pays(bobby, 7, 0))
		c2.countRows(alice, c.rows)
		c2.countOlder(alice, c.rows, c.paid)
		c2.countSent(alice, c.sent, c.rows)
		if (c2.r.Repeats != nil) != c.want {
			t.Errorf("%s: it repeats %+v", name, c2.r.Repeats)
		}
	}
}

// Every sent payment is matched with one row at most: in its block, or while it is in none, with a row that is not final and has the same
// content.
func TestWhatWasSentIsMatchedWithOneRow(t *testing.T) {
	open := func(e history.Entry) history.Entry { e.Final = false; return e }
	waits := Underway{Review: Review{Operation: "transfer (0)", To: refTo(bobby), Amount: 7}}
	in := func(block uint32) Underway { u := waits; u.Block = block; return u }
	for name, c := range map[string]struct {
		rows []history.Entry
		sent []Underway
		want int // that no row shows
	}{
		"in its block":         {[]history.Entry{paid(9, bobby, 7, 1)}, []Underway{in(9)}, 0},
		"in another block":     {[]history.Entry{paid(8, bobby, 7, 1)}, []Underway{in(9)}, 1},
		"waiting":              {[]history.Entry{open(paid(9, bobby, 7, 1))}, []Underway{waits}, 0},
		"waiting, a final row": {[]history.Entry{paid(9, bobby, 7, 1)}, []Underway{waits}, 1},
		"waiting, another sum": {[]history.Entry{open(paid(9, bobby, 8, 1))}, []Underway{waits}, 1},
		"waiting, another one": {[]history.Entry{open(paid(9, carol, 7, 1))}, []Underway{waits}, 1},
		"two wait, one row":    {[]history.Entry{open(paid(9, bobby, 7, 1))}, []Underway{waits, waits}, 1},
		"the row of another":   {[]history.Entry{open(paid(9, bobby, 7, 1))}, []Underway{waits, in(9)}, 1},
		"two wait, two rows":   {[]history.Entry{open(paid(9, bobby, 7, 1)), open(paid(8, bobby, 7, 1))}, []Underway{waits, waits}, 0},
		"nothing was sent":     {[]history.Entry{paid(9, bobby, 7, 1)}, nil, 0},
		"nothing is shown":     {nil, []Underway{waits, in(9)}, 2},
	} {
		if got := notShown(c.rows, c.sent); len(got) != c.want {
			t.Errorf("%s: %d are not shown, want %d", name, len(got), c.want)
		}
	}
}

// Others gain by a lower threshold, a new member of theirs, or more weight of one; not by what this wallet gains or they lose.
func TestWhatOthersGain(t *testing.T) {
	key := func(name string) ledger.PublicKey { return ledger.DeriveKey("gain "+name, 0).Public() }
	of := func(threshold uint32, weights map[string]uint16) ledger.Authority {
		a := ledger.Authority{WeightThreshold: threshold}
		for _, name := range slices.Sorted(maps.Keys(weights)) {
			if id := map[string]ledger.AccountID{"our account": 20, "his account": 21}[name]; id != 0 {
				a.AccountAuths = append(a.AccountAuths, ledger.AccountWeight{Account: id, Weight: weights[name]})
				continue
			}
			a.KeyAuths = append(a.KeyAuths, ledger.KeyWeight{Key: key(name), Weight: weights[name]})
		}
		return a
	}
	h := holders{here: func(k ledger.PublicKey) bool { return k == key("ours") }, depth: 2, lookup: func(id ledger.AccountID) *ledger.Account {
		by := ledger.SingleKeyAuthority(key(map[ledger.AccountID]string{20: "ours", 21: "his"}[id]))
		return &ledger.Account{ID: id, Owner: by, Active: by}
	}}
	was := of(2, map[string]uint16{"ours": 1, "his": 1, "her": 1, "his account": 1})
	for name, c := range map[string]struct {
		next ledger.Authority
		want bool
	}{
		"the same":             {was, false},
		"a lower threshold":    {of(1, map[string]uint16{"ours": 1, "his": 1, "her": 1, "his account": 1}), true},
		"a higher one":         {of(3, map[string]uint16{"ours": 1, "his": 1, "her": 1, "his account": 1}), false},
		"one less":             {of(2, map[string]uint16{"ours": 1, "her": 1}), false},
		"a new key":            {of(2, map[string]uint16{"ours": 1, "its": 1}), true},
		"more weight":          {of(2, map[string]uint16{"ours": 1, "his": 2}), true},
		"less weight":          {of(2, map[string]uint16{"ours": 1, "his": 0}), false},
		"our weight":           {of(2, map[string]uint16{"ours": 2, "his": 1}), false},
		"our account":          {of(2, map[string]uint16{"ours": 1, "our account": 1}), false},
		"his account, lighter": {of(2, map[string]uint16{"ours": 1, "his account": 0}), false},
		"his account, heavier": {of(2, map[string]uint16{"ours": 1, "his account": 2}), true},
	} {
		if got := h.othersGain(was, c.next); got != c.want {
			t.Errorf("%s: others gain %v", name, got)
		}
	}
	if !h.othersGain(of(1, map[string]uint16{"ours": 1}), of(1, map[string]uint16{"ours": 1, "his account": 1})) {
		t.Error("others gain nothing by an account of theirs")
	}
}

// Text is an amount, or an error that says what is wrong with it; zero is one only where it is asked for.
func TestTextsAreAmounts(t *testing.T) {
	asset := ledgerview.AssetRef{ID: 1, Symbol: "GOLD", Precision: 2}
	for text, c := range map[string]struct {
		want   int64
		code   fault.Code
		orZero bool
	}{
		"1": {100, "", true}, "0.01": {1, "", true}, ".5": {50, "", true}, "1.50": {150, "", true}, "1.500": {150, "", true},
		"0": {0, fault.InvalidOperation, true}, "0.00": {0, fault.InvalidOperation, true},
		"": {0, fault.InvalidOperation, false}, ".": {0, fault.InvalidOperation, false}, "-": {0, fault.InvalidOperation, false},
		"-1": {0, fault.InvalidOperation, false}, "1.234": {0, fault.BadAmount, false}, "x": {0, fault.BadAmount, false}, "1e3": {0, fault.BadAmount, false},
		"73197775774568.91": {0, fault.AmountLimit, false}, "99999999999999999999": {0, fault.AmountOverflow, false},
	} {
		if got, err := ParseAmount(text, asset); got != c.want || (err != nil) != (c.code != "") || err != nil && fault.CodeOf(err) != c.code {
			t.Errorf("%q is %d, %v", text, got, err)
		}
		if got, err := parseAmountOrZero(text, asset); got != c.want || (err == nil) != c.orZero {
			t.Errorf("%q, or zero, is %d, %v", text, got, err)
		}
	}
}

// A member is new that was in no authority of the account, and it acts alone where its weight alone is enough.
func TestNewMembersOfAnAuthority(t *testing.T) {
	key := func(name string, weight uint16) ledger.Authority {
		return ledger.Authority{KeyAuths: []ledger.KeyWeight{{Key: ledger.DeriveKey(name, 0).Public(), Weight: weight}}}
	}
	member := func(id ledger.AccountID, weight uint16) ledger.Authority {
		return ledger.Authority{AccountAuths: []ledger.AccountWeight{{Account: id, Weight: weight}}}
	}
	account := &ledger.Account{Owner: key("owner", 1), Active: key("active", 1)}
	account.Owner.AccountAuths = member(bobby, 1).AccountAuths
	for name, c := range map[string]struct {
		next        ledger.Authority
		some, alone bool
	}{
		"the owner's key":              {key("owner", 9), false, false},
		"the active key":               {key("active", 9), false, false},
		"the owner's account":          {member(bobby, 9), false, false},
		"a new key":                    {key("new", 2), true, true},
		"a new key of more weight":     {key("new", 3), true, true},
		"a new key of less weight":     {key("new", 1), true, false},
		"a new account":                {member(carol, 2), true, true},
		"a new account of less weight": {member(carol, 1), true, false},
		"nobody":                       {ledger.Authority{}, false, false},
	} {
		c.next.WeightThreshold = 2
		if some, alone := newMembers(c.next, account); some != c.some || alone != c.alone {
			t.Errorf("%s: some %v, alone %v", name, some, alone)
		}
	}
	if some, alone := newMembers(key("owner", 1), nil); !some || !alone {
		t.Errorf("of an account that is not known: some %v, alone %v", some, alone)
	}
}
