package ledgerview

import (
	"testing"

	"billfold/ledger"
)

func TestRelativeTime(t *testing.T) {
	const minute, hour, day = 60, 3600, 86400
	for _, c := range []struct {
		ago  int64
		want string
	}{
		{0, "0 second old"}, {1, "1 second old"}, {2, "2 seconds old"}, {89, "89 seconds old"}, {90, "2 minutes old"},
		{-1, "1 second in the future"}, {-40 * minute, "40 minutes in the future"},
		{89 * minute, "89 minutes old"}, {90 * minute, "2 hours old"}, {89 * hour, "89 hours old"}, {90 * hour, "4 days old"},
		{89 * day, "89 days old"}, {90 * day, "13 weeks old"}, {480 * day, "69 weeks old"}, {700 * day, "1 year11 months old"},
	} {
		now := int64(1_700_000_000)
		if got := relativeTime(ledger.Time(now-c.ago), ledger.Time(now), " old"); got != c.want {
			t.Errorf("%d s: %q, want %q", c.ago, got, c.want)
		}
	}
}

func TestParticipation(t *testing.T) {
	for slots, want := range map[string]string{
		"0": "0.00000000000000000", "1": "0.78125000000000000", "3": "1.56250000000000000", "": "0.00000000000000000",
		"340282366920938463463374607431768211455": "100.00000000000000000", "not a number": "0.00000000000000000",
		"18446744073709551615": "50.00000000000000000",
	} {
		if got := participation(slots); got != want {
			t.Errorf("%q: %s, want %s", slots, got, want)
		}
	}
}
