package ledger

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// HistoryIDRanges returns the ranges of numbers, both ends included, of the operations whose id begins with text: decimal digits,
// or "1.7." and digits. What may still become "1.7." is the beginning of all.
func HistoryIDRanges(text string) ([][2]int64, error) {
	digits := strings.TrimPrefix(text, "1.7.")
	if strings.HasPrefix("1.7.", text) && text != "1" { // still being typed
		digits = ""
	}
	if digits == "" {
		return [][2]int64{{0, math.MaxInt64}}, nil
	}
	if strings.Trim(digits, "0123456789") != "" {
		return nil, fmt.Errorf("%q is not the beginning of an operation id; write digits, such as 1.7.902", text)
	}
	if digits[0] == '0' {
		if digits != "0" {
			return nil, nil
		}
		return [][2]int64{{0, 0}}, nil
	}
	low, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil, nil //nolint:nilerr // no id has so many digits
	}
	high := low
	var out [][2]int64
	for {
		out = append(out, [2]int64{low, high})
		if low > math.MaxInt64/10 {
			return out, nil
		}
		low = low * 10
		if high > (math.MaxInt64-9)/10 {
			high = math.MaxInt64
		} else {
			high = high*10 + 9
		}
	}
}
