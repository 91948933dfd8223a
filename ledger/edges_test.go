package ledger

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Sums are refused exactly where they do not fit, on both sides.
func TestSumsThatDoNotFitAreRefused(t *testing.T) {
	for _, c := range []struct {
		a, b int64
		fits bool
	}{
		{1, 2, true}, {-1, 1, true}, {0, math.MinInt64, true}, {0, math.MaxInt64, true},
		{math.MaxInt64, 0, true}, {math.MaxInt64 - 1, 1, true}, {math.MaxInt64, 1, false}, {math.MaxInt64, math.MaxInt64, false},
		{math.MinInt64, 0, true}, {math.MinInt64 + 1, -1, true}, {math.MinInt64, -1, false}, {-1, math.MinInt64, false},
		{math.MinInt64, math.MaxInt64, true}, {math.MaxInt64, math.MinInt64, true},
	} {
		sum, fits := AddAmounts(c.a, c.b)
		if fits != c.fits || fits && sum != c.a+c.b || !fits && sum != 0 {
			t.Errorf("%d + %d is %d, %t", c.a, c.b, sum, fits)
		}
	}
}

// A withdrawal counts in its period, and what was claimed before in the same one.
func TestWithdrawalsCountInTheirPeriod(t *testing.T) {
	p := WithdrawPermission{WithdrawalLimit: AssetAmount{Amount: 100}, WithdrawalPeriodSec: 60, PeriodStartTime: 1000, Expiration: 1300}
	for _, c := range []struct {
		at            Time
		amount        int64
		before, after int64 // available
		start         Time
		periods       int
	}{
		{1000, 30, 100, 70, 1000, 5}, {1059, 20, 70, 50, 1000, 5}, {1060, 10, 100, 90, 1060, 4}, {1061, 5, 90, 85, 1060, 4}, {1240, 100, 100, 0, 1240, 1},
	} {
		if got := p.Available(c.at); got != c.before {
			t.Errorf("at %d %d are available, want %d", c.at, got, c.before)
		}
		if got := p.Periods(c.at); got != c.periods {
			t.Errorf("at %d %d periods are left, want %d", c.at, got, c.periods)
		}
		if p.Claim(c.amount, c.at); p.Available(c.at) != c.after || p.PeriodStartTime != c.start {
			t.Errorf("after %d at %d: %+v", c.amount, c.at, p)
		}
	}
}

// Coin days free nothing before the start of claims, then in proportion, and never more than the balance.
func TestCoinDaysFreeInProportion(t *testing.T) {
	v := VestingBalance{Balance: AssetAmount{Amount: 1000}}
	v.Policy.CoinDays = &CoinDaysState{VestingSeconds: 100, StartClaim: 500, CoinSecondsEarned: "20000", LastUpdate: 500}
	for at, want := range map[Time]int64{0: 0, 499: 0, 500: 0, 501: 210, 510: 300, 579: 990, 580: 1000, 10000: 1000} {
		if got, err := v.Free(at); got != want || err != nil {
			t.Errorf("at %d %d are free, want %d (%v)", at, got, want, err)
		}
	}
	v.Policy.CoinDays.VestingSeconds = 0 // all at once
	if got, err := v.Free(501); got != 1000 || err != nil {
		t.Errorf("without a period %d are free (%v)", got, err)
	}
	v.Policy.CoinDays.CoinSecondsEarned = "x"
	if got, err := v.Free(501); got != 0 || err == nil {
		t.Errorf("of what is no number %d are free", got)
	}
	if got, err := (&VestingBalance{Balance: AssetAmount{Amount: 5}}).Free(1); got != 0 || err == nil {
		t.Errorf("without a policy %d are free", got)
	}
}

// What is no id is no object, not even the first.
func TestTextThatIsNoIDIsNoObject(t *testing.T) {
	for _, text := range []string{"", "1", "1.2", "1.2.", ".2.3", "1..3", "1.2.3.4", "1.2.-1", "1.2.+1", "256.2.3", "1.256.3", "1.2.281474976710656", "a.b.c", " 1.2.3",
		"01.02.2017", "1.02.3", "01.2.3", "1.2.03", "1.2.00", "00.2.3"} {
		if id, ok := ObjectIDText(text); ok || id != 0 {
			t.Errorf("%q is %v, %t", text, id, ok)
		}
	}
	const why = "01.02.2017 is no id, as its numbers begin with a zero: it may be a date that a spreadsheet made of one; write the id, such as 1.2.17, and format the column as text"
	var id AccountID
	for _, err := range []error{second(ParseAccountID("01.02.2017")), ValidAccountName("01.02.2017"), ValidSymbol("01.02.2017"), id.UnmarshalJSON([]byte(`"01.02.2017"`))} {
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("a date is refused as %v", err)
		}
	}
	if _, err := ParseVoteID("0:05"); err == nil || IDProblem("1.2.0") != "" || IDProblem("2026.02") != "" || IDProblem("a.02.1") != "" {
		t.Errorf("other texts: %v", err)
	}
	if id, ok := ObjectIDText("1.2.281474976710655"); !ok || id.String() != "1.2.281474976710655" {
		t.Errorf("the last id is %v, %t", id, ok)
	}
}

// One value reads and writes the texts of many keys, and each comes out as alone.
func TestTextsOfManyKeysAreThoseOfEach(t *testing.T) {
	var texts PublicKeyTexts
	for n := range 20 {
		key := DeriveKey("texts", n).Public()
		if got := string(texts.Append(nil, key)); got != key.String() {
			t.Errorf("key %d is written %s, want %s", n, got, key)
		}
		if got, ok := texts.Parse([]byte(key.String())); !ok || got != key {
			t.Errorf("key %d is read as %s, %t", n, got, ok)
		}
		wrong := []byte(key.String())
		wrong[len(wrong)-1] ^= 1
		if got, ok := texts.Parse(wrong); ok {
			t.Errorf("%s is read as %s", wrong, got)
		}
	}
	for _, text := range []string{"", "DCT", "DCT1", "XYZ6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"} {
		if got, ok := texts.Parse([]byte(text)); ok || got != (PublicKey{}) {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}

// Everything that an operation can set of an object is part of its state: two objects that differ in one of them differ.
func TestEveryFieldThatCanBeSetIsInTheState(t *testing.T) {
	plain := (&NFT{}).State()
	for what, n := range map[string]NFT{
		"issuer": {Options: NFTOptions{Issuer: 7}}, "description": {Options: NFTOptions{Description: "x"}},
		"maximum supply": {Options: NFTOptions{MaxSupply: 7}}, "whether the supply is fixed": {Options: NFTOptions{FixedMaxSupply: true}},
	} {
		state := n.State()
		if len(state) != len(plain) || fmt.Sprint(state) == fmt.Sprint(plain) {
			t.Errorf("%s does not show: %v", what, state)
		}
	}
	if m := (&Miner{URL: "x"}).State(); fmt.Sprint(m) == fmt.Sprint((&Miner{}).State()) {
		t.Error("a miner's link does not show")
	}
}

// A signature is canonical where each half takes exactly 32 bytes as a signed number, whatever the other half is.
func TestEachHalfOfACanonicalSignatureFits(t *testing.T) {
	for _, c := range []struct {
		first, second byte
		fits          bool
	}{{0x01, 0, true}, {0x7f, 0xff, true}, {0x80, 0, false}, {0xff, 0xff, false}, {0, 0x80, true}, {0, 0x7f, false}, {0, 0, false}} {
		for half := range 2 {
			var s Signature
			s[0], s[1], s[33] = 31, 1, 1
			s[1+32*half], s[2+32*half] = c.first, c.second
			if s.IsCanonical() != c.fits {
				t.Errorf("half %d that begins %02x %02x: canonical is %t", half, c.first, c.second, s.IsCanonical())
			}
		}
		var s Signature
		s[1], s[32], s[33] = 1, 0xff, 1 // the last byte of r decides nothing
		if !s.IsCanonical() {
			t.Error("the end of r is taken for the beginning of s")
		}
	}
}

// Every kind of id has its own numbers on the ledger, and is read from nothing else.
func TestEveryKindOfIDHasItsNumbers(t *testing.T) {
	seen := map[ObjectID]bool{}
	for want, got := range map[string]ObjectID{
		"1.2.7": AccountID(7).Object(), "1.3.7": AssetID(7).Object(), "1.4.7": MinerID(7).Object(), "1.6.7": ProposalID(7).Object(), "1.7.7": HistoryID(7).Object(),
		"1.8.7": WithdrawPermissionID(7).Object(), "1.9.7": VestingBalanceID(7).Object(), "1.10.7": NFTID(7).Object(), "1.11.7": NFTDataID(7).Object(),
		"2.3.7": AssetDynamicDataID(7).Object(), "2.4.7": AccountBalanceID(7).Object(), "2.5.7": AccountStatisticsID(7).Object(), "2.12.7": BuyingID(7).Object(),
		"2.13.7": ContentID(7).Object(), "2.15.7": SubscriptionID(7).Object(),
	} {
		if got.String() != want || seen[got] {
			t.Errorf("%s is an id of another kind, want %s", got, want)
		}
		seen[got] = true
		if id, err := ParseAccountID(want); (err == nil) != (want == "1.2.7") {
			t.Errorf("%s is read as the account %s, %v", want, id, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
