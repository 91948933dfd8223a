package format

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
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

// Times shows times to a person in the zone of Now, and names the zone. All times on screen and in linear mode go through it.
type Times struct{ Now time.Time }

func (t Times) in(at time.Time) time.Time { return at.In(t.Now.Location()) }

// Zone names the zone as it is at a time: UTC, CET, or UTC-03 where it has no letters.
func (t Times) Zone(at time.Time) string {
	name := t.in(at).Format("MST")
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		return "UTC" + name
	}
	return name
}

// Zones names the zones of the times of a list: one, or two if the clocks were changed between them.
func (t Times) Zones(all iter.Seq[ledger.Time]) string {
	var names []string
	for at := range all {
		if name := t.Zone(at.Time()); at != 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return t.Zone(t.Now)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// Bare shows the time of day without its zone, where something else names that; empty for the zero time.
func (t Times) Bare(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return t.in(at).Format("15:04:05")
}

// Minute shows the time of day to the minute, without its zone: 14:02.
func (t Times) Minute(at time.Time) string { return t.in(at).Format("15:04") }

// Clock shows the time of day: 14:02:10 UTC; empty for the zero time.
func (t Times) Clock(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return t.Bare(at) + " " + t.Zone(at)
}

// BareOn is Bare, with the date before it if that is not today's.
func (t Times) BareOn(at time.Time) string {
	if t.Day(at) != t.Day(t.Now) {
		return t.Day(at) + " " + t.Bare(at)
	}
	return t.Bare(at)
}

// ClockOn shows the time of day, with the date before it if that is not today's.
func (t Times) ClockOn(at time.Time) string {
	return t.BareOn(at) + " " + t.Zone(at)
}

// Day shows the date of a time: 2026-11-20.
func (t Times) Day(at time.Time) string { return t.in(at).Format(time.DateOnly) }

// DayIn shows the date of a time with its zone: 2026-11-20 UTC.
func (t Times) DayIn(at time.Time) string { return t.Day(at) + " " + t.Zone(at) }

// Stamp shows date and time, 2026-11-20 14:02:10 UTC; "not known" for 0.
func (t Times) Stamp(at ledger.Time) string {
	if at == 0 {
		return "not known"
	}
	return t.Day(at.Time()) + " " + t.Clock(at.Time())
}

// UTC shows date and time in UTC, with the zone, for what leaves the screen.
func UTC(at ledger.Time) string { return Times{Now: at.Time().UTC()}.Stamp(at) }

// Moment shows the time of a row in a list whose head names the zone, with or without seconds: 11-20 14:02:10, 11-20 14:02. A time in
// another year than now's is shown as its date.
func (t Times) Moment(at ledger.Time, seconds bool) string {
	there := t.in(at.Time())
	switch {
	case at == 0:
		return "–"
	case there.Year() != t.Now.Year():
		return there.Format(time.DateOnly)
	case seconds:
		return there.Format("01-02 15:04:05")
	}
	return there.Format("01-02 15:04")
}

// Since shows date and time to the minute: 2026-11-20 14:02 UTC.
func (t Times) Since(at time.Time) string {
	return t.Day(at) + " " + t.Minute(at) + " " + t.Zone(at)
}

// Axis shows a time at the edge of a chart: with the time of day in the last two days, else the date.
func (t Times) Axis(at time.Time) string {
	there := t.in(at)
	switch {
	case t.Now.Sub(at) < 48*time.Hour:
		return there.Format("01-02 15:04")
	case t.Now.Sub(at) < 300*24*time.Hour:
		return there.Format("2 Jan")
	}
	return there.Format("2 Jan 2006")
}

// LongDay shows a date in words, with its year if that is not this year: Friday 20 November.
func (t Times) LongDay(at time.Time) string {
	there := t.in(at)
	if there.Year() == t.Now.Year() {
		return there.Format("Monday 2 January")
	}
	return there.Format("Monday 2 January 2006")
}

// RoundTrip shows how long an answer takes, in milliseconds.
func RoundTrip(d time.Duration) string {
	if d < time.Millisecond {
		return "<1 ms"
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}
