package ledger

import (
	"strings"
	"testing"
)

func TestDurationsAreWords(t *testing.T) {
	for seconds, want := range map[uint64][2]string{
		0: {"0 seconds", "every 0 seconds"}, 1: {"1 second", "every second"}, 3600: {"1 hour", "every hour"}, 604800: {"7 days", "every 7 days"},
		5400: {"1 hour 30 minutes", "every 1 hour 30 minutes"}, 86399: {"23 hours 59 minutes 59 seconds", "every 23 hours 59 minutes 59 seconds"},
	} {
		if words, every := DurationWords(seconds), everyWords(seconds); words != want[0] || every != want[1] {
			t.Errorf("%d seconds: %q, %q", seconds, words, every)
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
		"every 7 days, from 2023-11-14 22:13:20 UTC until 2023-12-12 22:13:20 UTC": NewOperation(&WithdrawPermissionCreateOp{
			WithdrawalLimit: limit, WithdrawalPeriodSec: 604800, PeriodsUntilExpiration: 4, PeriodStartTime: start}),
		"every hour, from 2023-11-14 22:13:20 UTC until 2106-02-07 06:28:15 UTC": NewOperation(&WithdrawPermissionUpdateOp{
			WithdrawalLimit: limit, WithdrawalPeriodSec: 3600, PeriodsUntilExpiration: 1<<32 - 1, PeriodStartTime: start}),
		"evenly over 30 days from 2023-11-14 22:13:20 UTC, nothing of it before 1 day has passed": NewOperation(&VestingBalanceCreateOp{
			Amount: limit, Policy: VestingPolicy{Linear: &LinearVesting{start, 86400, 2592000}}}),
		"as it ages, all of it after 30 days, from 2023-11-14 22:13:20 UTC": NewOperation(&VestingBalanceCreateOp{
			Amount: limit, Policy: VestingPolicy{CoinDays: &CoinDaysVesting{start, 2592000}}}),
	} {
		if got := Sentence(op, plainNames{}); !strings.Contains(got, want) || !strings.Contains(got, "1,000") {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}
