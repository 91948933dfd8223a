package ledger

import (
	"fmt"
	"math"
	"strings"
)

// Words returns the time as people write it: 2019-05-28 13:32:34 UTC.
func (t Time) Words() string { return t.Time().Format("2006-01-02 15:04:05") + " UTC" }

// After returns the time some seconds later, or the last possible time if that is earlier.
func (t Time) After(seconds uint64) Time {
	return Time(min(uint64(t)+min(seconds, math.MaxUint32), math.MaxUint32))
}

// DurationWords returns a duration in words, exactly: 7 days, 1 hour 30 minutes.
func DurationWords(seconds uint64) string {
	var parts []string
	for _, unit := range []struct {
		name string
		of   uint64
	}{{"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}} {
		n := seconds / unit.of
		seconds %= unit.of
		switch {
		case n == 1:
			parts = append(parts, "1 "+unit.name)
		case n > 1 || unit.of == 1 && len(parts) == 0:
			parts = append(parts, fmt.Sprintf("%d %ss", n, unit.name))
		}
	}
	return strings.Join(parts, " ")
}

// InSeconds reports whether a member of the ledger's JSON is, by its name, a duration in seconds.
func InSeconds(member string) bool {
	for _, end := range []string{"_sec", "_seconds", "_interval", "_review_period", "_lifetime", "_time_until_expiration"} {
		if strings.HasSuffix(member, end) {
			return true
		}
	}
	return false
}

// grouped returns an amount with the digits of its whole part in groups of three: 12,250.5 DCT.
func grouped(amount string) string {
	end := strings.IndexFunc(amount, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(amount)
	}
	out := amount[end:]
	for ; end > 3; end -= 3 {
		out = "," + amount[end-3:end] + out
	}
	return amount[:end] + out
}
