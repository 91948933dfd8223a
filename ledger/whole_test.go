package ledger

import (
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"billfold/ledger/codec"
)

// Whole numbers in every member of every operation may be written with a point or an exponent: the operation is the same.
func TestWholeNumbersOfOperations(t *testing.T) {
	inJSON := regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?`)
	walked := 0
	for _, v := range loadVectors(t).Operations {
		var want Operation
		if err := codec.UnmarshalExact(v.JSON, &want); err != nil {
			t.Logf("%s: %v", v.Name, err)
			continue // recorded with members that callers may not send
		}
		for _, form := range []string{".0", "e0", "0E-1", "000.00e-3"} {
			other := inJSON.ReplaceAllStringFunc(string(v.JSON), func(text string) string {
				if text[0] == '"' || text == "0" || strings.Contains(text, ".") {
					return text
				}
				walked++
				return text + form
			})
			var op Operation
			if err := codec.UnmarshalExact([]byte(other), &op); err != nil {
				t.Errorf("%s with %s: %v", v.Name, form, err)
				continue
			}
			packed, err := codec.Pack(&op)
			again, _ := codec.Pack(&want)
			if err != nil || hex.EncodeToString(packed) != hex.EncodeToString(again) {
				t.Errorf("%s with %s is another operation: %x (%v), not %x", v.Name, form, packed, err, again)
			}
		}
	}
	if walked < 1000 {
		t.Errorf("only %d numbers", walked)
	}
}
