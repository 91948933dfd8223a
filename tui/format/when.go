package format

import (
	"fmt"
	"strconv"
	"time"

	"billfold/ledger"
)

// Block is a block number with its sign: #18,204,511.
func Block(n uint32) string { return "#" + group(strconv.FormatUint(uint64(n), 10)) }

// Serial is the number of a request: #31.
func Serial(n int64) string { return "#" + strconv.FormatInt(n, 10) }

// Count groups a number of rows.
func Count(n int) string { return group(strconv.Itoa(n)) }

// Many is so many of something that has its plural with an s: "1 row", "1,204 rows".
func Many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Count(n) + " " + what + "s"
}

// Bytes is how many bytes something has.
func Bytes(n int) string { return Many(n, "byte") }

// Age is a length of time in words: 3 s, 9 min, 2 h, 4 d.
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

// Wait is a length of time to come, rounded: ~40 s, ~2 min.
func Wait(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("~%d s", max(int(d.Round(5*time.Second)/time.Second), 1))
	}
	return "~" + Age(d.Round(time.Minute))
}

// Left is a countdown: 9:41.
func Left(d time.Duration) string {
	s := max(int(d/time.Second), 0)
	if s >= 6000 {
		return fmt.Sprintf("%d h", s/3600)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Clock is the time of day in UTC, or dots for no time.
func Clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("15:04:05")
}

// ClockOn is the time of day, with the day before it when that is not today's.
func ClockOn(t, now time.Time) string {
	if t, now := t.UTC(), now.UTC(); t.Year() != now.Year() || t.YearDay() != now.YearDay() {
		return t.Format("2006-01-02 15:04:05")
	}
	return Clock(t)
}

// Local is the time of day where the person is, with its zone, and in UTC, which
// all other times are in: 15:02:10 CET (14:02:10 UTC).
func Local(t time.Time, zone *time.Location) string {
	utc := Clock(t) + " UTC"
	if _, off := t.In(zone).Zone(); off == 0 {
		return utc
	}
	return t.In(zone).Format("15:04:05 MST") + " (" + utc + ")"
}

// Stamp is date and time in UTC, 2026-11-20 14:02:10; empty when not known.
func Stamp(t ledger.Time) string {
	if t == 0 {
		return "not known"
	}
	return t.Time().UTC().Format("2006-01-02 15:04:05")
}

// Moment is how a row of a list says when, in full or short form: 11-20
// 14:02:10, 11-20 14:02. Another year than now's shows its date instead.
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

// Trip writes how long an answer takes, in milliseconds.
func Trip(d time.Duration) string {
	if d < time.Millisecond {
		return "<1 ms"
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}
