package ledger

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"billfold/ledger/codec"
)

// What becomes free of a vesting balance is what the ledger would pay out: nothing before the cliff, then evenly, then all of it, less
// what was withdrawn; by coin days, what was held long enough, and never more than there is.
func TestWhatBecomesFree(t *testing.T) {
	linear := func(balance int64) *VestingBalance {
		return &VestingBalance{Balance: AssetAmount{Amount: balance}, Policy: VestingState{Linear: &LinearState{BeginTimestamp: 1000,
			VestingCliffSeconds: 10, VestingDurationSeconds: 100, BeginBalance: 1000}}}
	}
	for now, want := range map[Time]int64{999: 0, 1000: 0, 1009: 0, 1010: 100, 1055: 550, 1099: 990, 1100: 1000, 5000: 1000} {
		if got, err := linear(1000).Free(now); got != want || err != nil {
			t.Errorf("at %d %d is free, want %d (%v)", now, got, want, err)
		}
	}
	if got, _ := linear(700).Free(1055); got != 250 {
		t.Errorf("of a balance from which 300 were withdrawn %d is free, want 250", got)
	}
	days := func(seconds uint32, earned string) *VestingBalance {
		return &VestingBalance{Balance: AssetAmount{Amount: 10}, Policy: VestingState{CoinDays: &CoinDaysState{VestingSeconds: seconds, StartClaim: 1000,
			CoinSecondsEarned: earned, LastUpdate: 1000}}}
	}
	for _, c := range []struct {
		of   *VestingBalance
		now  Time
		want int64
	}{
		{days(100, "0"), 1000, 0}, {days(100, "500"), 1000, 0}, {days(100, "0"), 1001, 0}, {days(100, "0"), 1010, 1}, {days(100, "500"), 1010, 6},
		{days(100, "0"), 1100, 10}, {days(100, "1000"), 1100, 10}, {days(0, "0"), 1001, 10}, {days(1, "0"), 1001, 10},
	} {
		if got, err := c.of.Free(c.now); got != c.want || err != nil {
			t.Errorf("%+v at %d: %d is free, want %d (%v)", *c.of.Policy.CoinDays, c.now, got, c.want, err)
		}
	}
	if _, err := days(1, "x").Free(2000); err == nil {
		t.Error("what is no number is free")
	}
	if _, err := new(VestingBalance).Free(2000); err == nil {
		t.Error("without a policy something is free")
	}
}

// What may be withdrawn in a period, and how many are left.
func TestWithdrawalsInPeriods(t *testing.T) {
	p := WithdrawPermission{WithdrawalLimit: AssetAmount{Amount: 10}, WithdrawalPeriodSec: 100, PeriodStartTime: 1000, Expiration: 1300, ClaimedThisPeriod: 4}
	for now, want := range map[Time][2]int64{ // what may be withdrawn, periods left
		900: {6, 3}, 1000: {6, 3}, 1099: {6, 3}, 1100: {10, 2}, 1101: {10, 2}, 1299: {10, 1}, 1300: {10, 0}, 2000: {10, 0},
	} {
		if got := [2]int64{p.Available(now), int64(p.Periods(now))}; got != want {
			t.Errorf("at %d %v, want %v", now, got, want)
		}
	}
	over := p
	over.ClaimedThisPeriod = 11
	if got := over.Available(1000); got != 0 {
		t.Errorf("once more than the limit was withdrawn, %d may be", got)
	}
	for now, want := range map[Time][2]int64{1000: {1000, 7}, 1099: {1000, 7}, 1100: {1100, 3}, 1250: {1200, 3}} { // the period's start, claimed in it
		claimed := p
		claimed.Claim(3, now)
		if got := [2]int64{int64(claimed.PeriodStartTime), claimed.ClaimedThisPeriod}; got != want {
			t.Errorf("3 withdrawn at %d: %v, want %v", now, got, want)
		}
	}
}

// What is paid for a value is paid for each of its bytes in its packed form; what is paid for a symbol is the more the shorter it is.
func TestPricesPerSize(t *testing.T) {
	f := FeeParameters{Fee: 7, PricePerKByte: 1024}
	size := func(v any) uint64 {
		packed, err := codec.Pack(v)
		if err != nil {
			t.Fatal(err)
		}
		return uint64(len(packed))
	}
	texts := []string{"a", "some text", string(make([]byte, 2000))}
	if got, err := f.plus(1024, &texts[2]); got != 7+size(&texts[2]) || err != nil {
		t.Errorf("2000 bytes cost %d, %v", got, err)
	}
	memo := &Memo{Message: make(Bytes, 16)}
	for _, m := range []any{nil, &memo} {
		want := 7 + size(&texts[0]) + size(&texts[1]) + size(&texts[2])
		if m != nil {
			want += size(&memo)
		}
		if got, err := f.plusEach(3, func(i int) any { return &texts[i] }, m); got != want || err != nil {
			t.Errorf("three texts cost %d, want %d (%v)", got, want, err)
		}
	}
	f.PricePerKByte = 1
	if got, err := f.plusEach(3, func(i int) any { return &texts[i] }, nil); got != 8 || err != nil {
		t.Errorf("each item is rounded down: %d, %v", got, err)
	}
	for symbol, want := range map[string]uint64{"ABC": 5000, "ABCD": 200, "ABCDE": 5, "ABCDEFGH": 5} {
		if got := symbolFactor(symbol); got != want {
			t.Errorf("%s costs %d fees, want %d", symbol, got, want)
		}
	}
}

// Of each part that operations can set of an object a change is seen, as a difference of that part.
func TestEveryPartOfAnObjectIsCompared(t *testing.T) {
	key, other := DeriveKey("a", 0).Public(), DeriveKey("b", 0).Public()
	differ := func(what string, was, now ObjectState, want string) {
		t.Helper()
		if got := was.Differences(now); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q differ, want %q", what, got, want)
		}
		if got := was.Differences(was.With(now)); !slices.Equal(got, []string{want}) {
			t.Errorf("%s, set: %q differ, want %q", what, got, want)
		}
	}
	miner := Miner{URL: "a", SigningKey: key}
	differ("a miner's link", miner.State(), (&Miner{URL: "b", SigningKey: key}).State(), "link")
	differ("a miner's key", miner.State(), (&Miner{URL: "a", SigningKey: other}).State(), "block signing key")
	kind := NFT{}
	for want, change := range map[string]func(*NFT){"issuer": func(n *NFT) { n.Options.Issuer = 1 }, "description": func(n *NFT) { n.Options.Description = "x" },
		"maximum supply": func(n *NFT) { n.Options.MaxSupply = 1 }, "whether the supply is fixed": func(n *NFT) { n.Options.FixedMaxSupply = true }} {
		now := kind
		change(&now)
		differ("a kind of tokens", kind.State(), now.State(), want)
	}
	asset := Asset{MonitoredAssetOpts: &MonitoredAssetOptions{}}
	for want, change := range map[string]func(*Asset){"issuer": func(a *Asset) { a.Issuer = 1 }, "description": func(a *Asset) { a.Description = "x" },
		"maximum supply": func(a *Asset) { a.Options.MaxSupply = 1 }, "core exchange rate": func(a *Asset) { a.Options.CoreExchangeRate.Base.Amount = 1 },
		"whether fees may be paid in it": func(a *Asset) { a.Options.IsExchangeable = true }, "precision": func(a *Asset) { a.Precision = 1 },
		"lifetime of a feed": func(a *Asset) { m := *a.MonitoredAssetOpts; m.FeedLifetimeSec = 1; a.MonitoredAssetOpts = &m },
		"minimum of feeds":   func(a *Asset) { m := *a.MonitoredAssetOpts; m.MinimumFeeds = 1; a.MonitoredAssetOpts = &m }} {
		now := asset
		change(&now)
		differ("an asset", asset.State(), now.State(), want)
	}
	account := Account{ID: 16, Name: "alice", Owner: SingleKeyAuthority(key), Active: SingleKeyAuthority(key), Options: NewAccountOptions(key)}
	for want, change := range map[string]func(*Account){
		PartOwner: func(a *Account) { a.Owner = SingleKeyAuthority(other) }, PartActive: func(a *Account) { a.Active = SingleKeyAuthority(other) },
		PartMemoKey: func(a *Account) { a.Options.MemoKey = other }, "voting proxy": func(a *Account) { a.Options.VotingAccount = 17 },
		"number of miners wanted": func(a *Account) { a.Options.NumMiner = 1 }, "votes": func(a *Account) { a.Options.Votes = []VoteID{257} },
		"whether it can be subscribed to": func(a *Account) { a.Options.AllowSubscription = true },
		"price of a subscription":         func(a *Account) { a.Options.PricePerSubscribe.Amount = 1 },
		"days of a subscription":          func(a *Account) { a.Options.SubscriptionPeriod = 1 },
	} {
		now := account
		change(&now)
		differ("an account", account.State(), now.State(), want)
		back, err := account.WithState(now.State())
		if err != nil || !reflect.DeepEqual(back.State(), now.State()) || back.ID != account.ID || back.Name != account.Name {
			t.Errorf("an account with another %s is %+v, %v", want, back, err)
		}
		if _, err := account.WithState(ObjectState{want: "{"}); err == nil {
			t.Errorf("what is no %s is taken", want)
		}
	}
}

// An operation that this program does not know is not read from bytes, nor written to them.
func TestUnknownOperationsHaveNoBytes(t *testing.T) {
	known, err := codec.Pack(NewOperation(&AssertOp{}))
	if err != nil {
		t.Fatal(err)
	}
	unknown := slices.Clone(known)
	unknown[0] = 120
	var op Operation
	if err := codec.Unpack(unknown, &op); !errors.Is(err, ErrUnknownOperation) {
		t.Errorf("operation 120 is read as %+v, %v", op, err)
	}
	for _, op := range []Operation{{Code: 120}, {Code: 120, Raw: []byte("{}")}} {
		if packed, err := codec.Pack(op); !errors.Is(err, ErrUnknownOperation) {
			t.Errorf("operation 120 is %x, %v", packed, err)
		}
		if err := op.Validate(); !errors.Is(err, ErrUnknownOperation) {
			t.Errorf("operation 120 is valid: %v", err)
		}
	}
}

// A duration is told exactly, in the largest units that it has; what is no duration by its name is a number.
func TestDurationsInWords(t *testing.T) {
	for seconds, want := range map[uint64]string{0: "0 seconds", 1: "1 second", 2: "2 seconds", 60: "1 minute", 61: "1 minute 1 second", 3600: "1 hour",
		7200: "2 hours", 5400: "1 hour 30 minutes", 86400: "1 day", 7 * 86400: "7 days", 90061: "1 day 1 hour 1 minute 1 second"} {
		if got := DurationWords(seconds); got != want {
			t.Errorf("%d seconds are %q, want %q", seconds, got, want)
		}
	}
	for name, want := range map[string]string{"withdrawal_period_sec": "1 minute 30 seconds", "maintenance_interval": "1 minute 30 seconds", "maximum_size": "90", "seconds_ago": "90"} {
		if got := memberWords(name, reflect.ValueOf(uint32(90))); got != want {
			t.Errorf("%s of 90 is %q, want %q", name, got, want)
		}
	}
	if got := memberWords("maintenance_interval", reflect.ValueOf(true)); got != "true" {
		t.Errorf("what is no number is %q", got)
	}
}

// The only id that begins with 0 is 0 itself.
func TestIDsThatBeginWithZero(t *testing.T) {
	for text, want := range map[string][][2]int64{"0": {{0, 0}}, "1.7.0": {{0, 0}}, "00": nil, "1.7.01": nil} {
		if got, err := HistoryIDRanges(text); !slices.Equal(got, want) || err != nil {
			t.Errorf("%q is the beginning of %v, want %v (%v)", text, got, want, err)
		}
	}
}

// Approvals reach as many levels deep as the ledger follows, for an owner authority as for an active one.
func TestApprovalsReachAsDeepAsTheLedgerFollows(t *testing.T) {
	const last = 23 // the account that approves; the others name the next one
	lookup := func(id AccountID) *Account {
		named := Authority{WeightThreshold: 1, AccountAuths: []AccountWeight{{Account: id + 1, Weight: 1}}}
		return &Account{ID: id, Owner: named, Active: named}
	}
	for first := AccountID(20); first <= last; first++ {
		for depth := range 5 {
			j := ApprovalJudge{Lookup: lookup, MaxDepth: depth, Given: Approvals{Active: []AccountID{last}}}
			want := int(last-first)-1 <= depth
			verdict := j.Judge(Needs{Active: []AccountID{first}})
			if got := j.Active(first); got != want || (len(verdict.Open) == 0) != want {
				t.Errorf("for %s, %d deep: active %v, open %v, want %v", first, depth, got, verdict.Open, want)
			}
			owns := want && first != last // the owner approves only as its members do
			if got := j.Owner(first); got != owns {
				t.Errorf("for %s, %d deep: owner %v, want %v", first, depth, got, owns)
			}
		}
	}
}
