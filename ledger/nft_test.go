package ledger

import (
	"math"
	"strings"
	"testing"

	"billfold/ledger/codec"
)

// Token data that a daemon reads as something else than was signed is refused before it is signed.
func TestTokenDataThatJSONChangesIsRefused(t *testing.T) {
	text := "level"
	for name, c := range map[string]struct {
		value any
		valid bool
	}{
		"the largest integer":  {uint64(math.MaxUint32), true},
		"one above it":         {uint64(math.MaxUint32) + 1, false},
		"the largest of all":   {uint64(math.MaxUint64), false},
		"a negative":           {int64(-8589934592), true},
		"a fraction":           {Double(1.5), false},
		"a whole fraction":     {Double(2), false},
		"a fraction as text":   {"1.5", true},
		"true":                 {true, true},
		"nothing":              {nil, true},
		"a list with a large":  {[]Variant{{uint64(1)}, {uint64(1) << 40}}, false},
		"an object with small": {[]VariantMember{{"a", Variant{uint64(1)}}}, true},
	} {
		for _, op := range []Body{
			&NFTIssueOp{Data: []Variant{{text}, {c.value}}},
			&NFTUpdateDataOp{Data: []NamedVariant{{Name: text, Value: Variant{c.value}}}},
		} {
			err := NewOperation(op).Validate()
			if (err == nil) != c.valid || err != nil && !strings.Contains(err.Error(), "integers go up to 4294967295") {
				t.Errorf("%s in %T: %v", name, op, err)
			}
		}
	}
}

// A word of the reference for a type or right of token data is read, and no other.
func TestWordsOfTokenDataAreKnown(t *testing.T) {
	for text, ok := range map[string]bool{`{"type":"string","modifiable":"both"}`: true, `{"type":"text","modifiable":"both"}`: false, `{"type":"string","modifiable":"all"}`: false} {
		var d NFTDataDefinition
		if err := codec.Unmarshal([]byte(text), &d); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// An operation that this program cannot read pays nothing that it knows.
func TestWhatCannotBeReadDoesNotOnlyPay(t *testing.T) {
	pays := NewOperation(&TransferObsoleteOp{Amount: AssetAmount{Amount: 1}})
	unread := pays
	unread.Raw = []byte{1}
	if !pays.OnlyPays() || unread.OnlyPays() || (Operation{Raw: []byte{1}}).OnlyPays() {
		t.Error("it only pays what it moves")
	}
}
