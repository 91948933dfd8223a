package format

import (
	"fmt"
	"strconv"
	"time"

	"billfold/ledger"
)

// Block shows a block number with its sign: #18,204,511.
func Block(n uint32) string { return "#" + group(strconv.FormatUint(uint64(n), 10)) }

// Serial shows the number of a request: #31.
func Serial(n int64) string { return "#" + strconv.FormatInt(n, 10) }

// Count shows a number with thousands separators.
func Count(n int) string { return group(strconv.Itoa(n)) }

// Many shows a number of things whose plural ends in s: "1 row", "1,204 rows".
func Many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Count(n) + " " + what + "s"
}

// Bytes shows a number of bytes.
func Bytes(n int) string { return Many(n, "byte") }

// Age shows a length of time: 3 s, 9 min, 2 h, 4 d.
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d/time.Hour))
	}
	return fmt.Sprintf("%d d", int(d/(24*time.Hour)))
}

// Wait shows a length of time to come, rounded: ~40 s, ~2 min.
func Wait(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("~%d s", max(int(d.Round(5*time.Second)/time.Second), 1))
	}
	return "~" + Age(d.Round(time.Minute))
}

// Countdown shows the time that is left: 9:41; from 100 minutes on, whole hours.
func Countdown(d time.Duration) string {
	s := max(int(d/time.Second), 0)
	if s >= 6000 {
		return fmt.Sprintf("%d h", s/3600)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Clock shows the time of day in UTC; empty for the zero time.
func Clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("15:04:05")
}

// ClockOn shows the time of day, with the date before it if that is not today's.
func ClockOn(t, now time.Time) string {
	if t, now := t.UTC(), now.UTC(); t.Year() != now.Year() || t.YearDay() != now.YearDay() {
		return t.Format("2006-01-02 15:04:05")
	}
	return Clock(t)
}

// Local shows the time of day where the person is, with its zone, and in UTC, like all other times: 15:02:10 CET (14:02:10 UTC).
func Local(t time.Time, zone *time.Location) string {
	utc := Clock(t) + " UTC"
	if _, off := t.In(zone).Zone(); off == 0 {
		return utc
	}
	return t.In(zone).Format("15:04:05 MST") + " (" + utc + ")"
}

// Stamp shows date and time in UTC, 2026-11-20 14:02:10; "not known" for 0.
func Stamp(t ledger.Time) string {
	if t == 0 {
		return "not known"
	}
	return t.Time().UTC().Format("2006-01-02 15:04:05")
}

// Moment shows the time of a row in a list, with or without seconds: 11-20 14:02:10, 11-20 14:02. A time in another year than now's
// is shown as its date.
func Moment(t ledger.Time, now time.Time, seconds bool) string {
	u := t.Time().UTC()
	switch {
	case t == 0:
		return "–"
	case u.Year() != now.UTC().Year():
		return u.Format("2006-01-02")
	case seconds:
		return u.Format("01-02 15:04:05")
	}
	return u.Format("01-02 15:04")
}

// RoundTrip shows how long an answer takes, in milliseconds.
func RoundTrip(d time.Duration) string {
	if d < time.Millisecond {
		return "<1 ms"
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}
