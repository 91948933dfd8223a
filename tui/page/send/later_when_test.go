package send

import (
	"testing"
	"time"
)

// A time is read as people write it; one that is over, more than a year ahead or no time is refused.
func TestWhenAPaymentLeaves(t *testing.T) {
	zone := time.FixedZone("here", 2*3600)
	now := time.Date(2026, 11, 13, 22, 30, 0, 0, zone)
	for text, want := range map[string]string{
		"in 2h": "11-14 00:30", "In 90 min": "11-14 00:00", "in 1h30m": "11-14 00:00", "in 3 days": "11-16 22:30", "in 1 hour": "11-13 23:30", "in 10d": "11-23 22:30",
		"23:15": "11-13 23:15", "9:05": "11-14 09:05", "22:30": "11-14 22:30", "tomorrow 09:00": "11-14 09:00", "tomorrow  23:15": "11-14 23:15",
		"2026-12-24 09:00": "12-24 09:00",
		"":                 "", "soon": "", "in": "", "in 0m": "", "in -5m": "", "in 367 days": "", "in 99999 days": "", "2026-11-13 22:30": "", "2025-12-24 09:00": "",
		"2028-12-24 09:00": "", "24:00": "", "tomorrow": "", "in 2 fortnights": "", "2026-02-30 09:00": "",
	} {
		at, err := parseWhen(text, now)
		if (err == nil) != (want != "") || err == nil && at.In(zone).Format("01-02 15:04") != want {
			t.Errorf("%q is %s, %v; want %q", text, at, err, want)
		}
	}
}
