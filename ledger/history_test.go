package ledger

import (
	"strconv"
	"strings"
	"testing"
)

// An id is in one of the ranges exactly when it begins with the digits.
func FuzzHistoryIDRanges(f *testing.F) {
	for _, text := range []string{"", "0", "00", "9", "1.7.902", "1.", "9223372036854775807", "92233720368547758079", "-1", "1.7.x",
		"922337203685477580"} {
		f.Add(text, uint64(9021))
	}
	f.Fuzz(func(t *testing.T, text string, n uint64) {
		n &= 1<<63 - 1
		ranges, err := HistoryIDRanges(text)
		digits := strings.TrimPrefix(text, "1.7.")
		if strings.HasPrefix("1.7.", text) && text != "1" {
			digits = ""
		}
		if (err != nil) != (strings.Trim(digits, "0123456789") != "") {
			t.Fatalf("%q: %v", text, err)
		}
		in := 0
		for _, r := range ranges {
			if int64(n) >= r[0] && int64(n) <= r[1] {
				in++
			}
		}
		want := 0
		if err == nil && strings.HasPrefix(strconv.FormatUint(n, 10), digits) {
			want = 1
		}
		if in != want {
			t.Fatalf("%d is in %d ranges of %q: %v", n, in, text, ranges)
		}
	})
}
