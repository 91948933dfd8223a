package ledger

import (
	"fmt"
	"math"
	"strings"
	"time"

	"billfold/ledger/codec"
	"billfold/ledger/printable"
)

// Time is a time in UTC, in seconds since 1970. Its JSON has no zone:
// "2019-05-28T13:32:34" (docs/protocol/ledger.md 2).
type Time uint32

const (
	timeLayout        = "2006-01-02T15:04:05"
	timeLayoutCompact = "20060102T150405"
)

// TimeOf converts t, truncated to seconds; times outside 1970–2106 are clamped.
func TimeOf(t time.Time) Time {
	return Time(min(max(t.Unix(), 0), 1<<32-1))
}

// Time returns t as a time.Time in UTC.
func (t Time) Time() time.Time { return time.Unix(int64(t), 0).UTC() }

// String returns the JSON form without quotes.
func (t Time) String() string { return t.Time().Format(timeLayout) }

// ParseTime reads "2019-05-28T13:32:34" or "20190528T133234"; a fraction of a
// second is dropped, a zone letter is an error.
func ParseTime(text string) (Time, error) {
	for _, layout := range []string{timeLayout, timeLayoutCompact} {
		if t, err := time.Parse(layout, text); err == nil && t.Unix() >= 0 && t.Unix() <= 1<<32-1 {
			return Time(t.Unix()), nil
		}
	}
	return 0, fmt.Errorf("%q is not a time: write it in UTC without zone, such as 2019-05-28T13:32:34", printable.Clip(text))
}

// MarshalJSON writes the time without zone.
func (t Time) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// UnmarshalJSON reads what ParseTime reads.
func (t *Time) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, t) }

// AppendJSON appends the JSON form.
func (t Time) AppendJSON(b []byte) []byte {
	b = append(b, '"')
	b = t.Time().AppendFormat(b, timeLayout)
	return append(b, '"')
}

// ReadJSON reads the JSON form.
func (t *Time) ReadJSON(p *codec.Parser) error {
	text, err := p.Text()
	if err != nil {
		return err
	}
	*t, err = ParseTime(text)
	return err
}

// AppendBinary appends the bytes.
func (t Time) AppendBinary(b []byte) ([]byte, error) { return codec.AppendUint32(b, uint32(t)), nil }

// ReadBinary reads the bytes.
func (t *Time) ReadBinary(r *codec.Reader) error {
	v, err := r.Uint32()
	*t = Time(v)
	return err
}

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
