package ledger

import (
	"bytes"
	"testing"

	"billfold/ledger/codec"
)

// What unpacks packs to the same bytes: nothing can be signed under two ids.
func FuzzOperationBytes(f *testing.F) {
	for _, v := range loadVectors(f).Operations {
		f.Add(mustHex(f, v.Hex))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var op Operation
		if err := codec.Unpack(data, &op); err != nil {
			return
		}
		again, err := codec.Pack(op)
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("%x packs to %x (%v)", data, again, err)
		}
		if _, err := codec.Marshal(op); err != nil {
			t.Error(err)
		}
		Sentence(op, plainNames{})
	})
}

func FuzzTransactionBytes(f *testing.F) {
	for _, v := range loadVectors(f).Transactions {
		f.Add(mustHex(f, v.Hex))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var tx Transaction
		if err := codec.Unpack(data, &tx); err != nil {
			return
		}
		if again, err := tx.Pack(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%x packs to %x (%v)", data, again, err)
		}
	})
}

// What is read from JSON is written as JSON that reads as the same.
func FuzzOperationJSON(f *testing.F) {
	for _, v := range loadVectors(f).Operations {
		f.Add([]byte(v.JSON))
	}
	f.Add([]byte(`[77,{"new":[1,{"a":null}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var op, again Operation
		if err := codec.Unmarshal(data, &op); err != nil {
			return
		}
		text, err := codec.Marshal(op)
		if err != nil {
			t.Fatal(err)
		}
		if err := codec.Unmarshal(text, &again); err != nil {
			t.Fatalf("%s was written as %s: %v", data, text, err)
		}
		second, err := codec.Marshal(again)
		if err != nil || !bytes.Equal(text, second) {
			t.Errorf("%s was written as %s, then as %s (%v)", data, text, second, err)
		}
	})
}

func FuzzVariantJSON(f *testing.F) {
	for _, v := range loadVectors(f).JSONNumbers {
		f.Add([]byte(v.Input))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v Variant
		if err := codec.Unmarshal(data, &v); err != nil {
			return
		}
		packed, err := codec.Pack(v)
		if err != nil {
			t.Fatal(err)
		}
		var again Variant
		if err := codec.Unpack(packed, &again); err != nil {
			t.Fatalf("%s packs to %x: %v", data, packed, err)
		}
	})
}

// An amount that is accepted is written back as text that reads as the same.
func FuzzParseAmount(f *testing.F) {
	for _, v := range loadVectors(f).Amounts {
		f.Add(v.Text, v.Precision)
	}
	f.Fuzz(func(t *testing.T, text string, precision uint8) {
		precision %= MaxPrecision + 1
		amount, err := ParseAmount(text, precision)
		if err != nil {
			return
		}
		if amount < 0 || amount > MaxShareSupply {
			t.Fatalf("%q is %d", text, amount)
		}
		for _, shown := range []string{FormatAmount(amount, precision), FormatDecimals(amount, precision)} {
			if again, err := ParseAmount(shown, precision); err != nil || again != amount {
				t.Errorf("%q at %d is %d, shown as %q, which is %d (%v)", text, precision, amount, shown, again, err)
			}
		}
	})
}

func FuzzNames(f *testing.F) {
	for _, v := range loadVectors(f).Names {
		f.Add(v.Name)
	}
	for _, v := range loadVectors(f).Symbols {
		f.Add(v.Symbol)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if ValidAccountName(text) == nil && (len(text) < MinAccountName || len(text) > MaxAccountName) {
			t.Errorf("%q is an account name", text)
		}
		if ValidSymbol(text) == nil && ValidAccountName(text) == nil {
			t.Errorf("%q is both a name and a symbol", text)
		}
		if id, err := ParseObjectID(text); err == nil {
			if again, err := ParseObjectID(id.String()); err != nil || again != id {
				t.Errorf("%q is %s, which is %s (%v)", text, id, again, err)
			}
		}
		if at, err := ParseTime(text); err == nil {
			if again, err := ParseTime(at.String()); err != nil || again != at {
				t.Errorf("%q is %s, which is %s (%v)", text, at, again, err)
			}
		}
	})
}
