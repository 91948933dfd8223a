package ledger

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestDurationsAreWords(t *testing.T) {
	for seconds, want := range map[uint64]string{
		0: "0 seconds", 1: "1 second", 3600: "1 hour", 604800: "7 days", 5400: "1 hour 30 minutes", 86399: "23 hours 59 minutes 59 seconds",
	} {
		if words := DurationWords(seconds); words != want {
			t.Errorf("%d seconds: %q", seconds, words)
		}
	}
	for amount, want := range map[string]string{
		"1 DCT": "1 DCT", "999.5 DCT": "999.5 DCT", "1000.00000000 DCT": "1,000.00000000 DCT", "1234567": "1,234,567", "": "", "x": "x",
	} {
		if got := grouped(amount); got != want {
			t.Errorf("%q grouped: %q", amount, got)
		}
	}
}

// No sentence speaks of seconds where people speak of days.
func TestPermissionsAndPoliciesAreSaidAsPeopleSayThem(t *testing.T) {
	const start = Time(1_700_000_000) // 2023-11-14 22:13:20
	limit := AssetAmount{Amount: 1000_0000_0000}
	for want, op := range map[string]Operation{
		"in each of 4 periods of 7 days, from 2023-11-14 22:13:20 UTC until 2023-12-12 22:13:20 UTC": NewOperation(&WithdrawPermissionCreateOp{
			WithdrawalLimit: limit, WithdrawalPeriodSec: 604800, PeriodsUntilExpiration: 4, PeriodStartTime: start}),
		"in each of 4,294,967,295 periods of 1 hour, from 2023-11-14 22:13:20 UTC until 2106-02-07 06:28:15 UTC": NewOperation(&WithdrawPermissionUpdateOp{
			WithdrawalLimit: limit, WithdrawalPeriodSec: 3600, PeriodsUntilExpiration: 1<<32 - 1, PeriodStartTime: start}),
		"1,000.00000000 DCT in 1 period of 1 hour, from 2023-11-14 22:13:20 UTC until 2023-11-14 23:13:20 UTC": NewOperation(&WithdrawPermissionUpdateOp{
			WithdrawalLimit: limit, WithdrawalPeriodSec: 3600, PeriodsUntilExpiration: 1, PeriodStartTime: start}),
		"evenly over 30 days from 2023-11-14 22:13:20 UTC, none of it before 1 day has passed": NewOperation(&VestingBalanceCreateOp{
			Amount: limit, Policy: VestingPolicy{Linear: &LinearVesting{start, 86400, 2592000}}}),
		"as it ages, all of it after 30 days, from 2023-11-14 22:13:20 UTC": NewOperation(&VestingBalanceCreateOp{
			Amount: limit, Policy: VestingPolicy{CoinDays: &CoinDaysVesting{start, 2592000}}}),
	} {
		if got := Sentence(op, plainNames{}); !strings.Contains(got, want) || !strings.Contains(got, "1,000") {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}

// What is worded as a length of time is one: each number of an operation whose name says so is listed here by hand.
func TestNoCountIsWordedAsTime(t *testing.T) {
	got := map[string]bool{}
	for code := range operations {
		lengthsOfTime(reflect.TypeOf(NewBody(OpCode(code))), got, map[reflect.Type]bool{})
	}
	want := []string{"block_interval", "cashback_vesting_period_seconds", "feed_lifetime_sec", "maintenance_interval",
		"maximum_proposal_lifetime", "maximum_time_until_expiration", "miner_proposal_review_period", "new_feed_lifetime_sec",
		"review_period_seconds", "vesting_cliff_seconds", "vesting_duration_seconds", "vesting_seconds", "withdrawal_period_sec"}
	if found := slices.Sorted(maps.Keys(got)); !slices.Equal(found, want) {
		t.Errorf("%q, want %q", found, want)
	}
}

// lengthsOfTime collects the numbers below a type that are worded as time.
func lengthsOfTime(at reflect.Type, into map[string]bool, seen map[reflect.Type]bool) {
	switch at.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		lengthsOfTime(at.Elem(), into, seen)
	case reflect.Struct:
		if seen[at] {
			return
		}
		seen[at] = true
		for i := range at.NumField() {
			f := at.Field(i)
			kind := f.Type.Kind()
			if kind == reflect.Pointer {
				kind = f.Type.Elem().Kind()
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if kind >= reflect.Int && kind <= reflect.Uint64 && InSeconds(name) {
				into[name] = true
			}
			lengthsOfTime(f.Type, into, seen)
		}
	}
}

// An amount in a warning has its digits in groups, as the sentence beside it has.
func TestAmountsInWarningsAreGrouped(t *testing.T) {
	many := AssetAmount{Amount: 5000, AssetID: 4}
	for _, body := range []Body{&AssetReserveOp{AmountToReserve: many}, &VestingBalanceCreateOp{Amount: many, Policy: VestingPolicy{}}} {
		for _, e := range Effects(NewOperation(body), nil, inUnits{}) {
			if text := e.What + e.Now + e.Careful; strings.Contains(text, "5000") || !strings.Contains(text, "5,000") {
				t.Errorf("%q", text)
			}
		}
	}
}

// inUnits says amounts in digits.
type inUnits struct{ plain }

func (inUnits) AmountText(a AssetAmount) string { return fmt.Sprint(a.Amount, " GOLD") }
