package ledger_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"billfold/ledger/codec"
)

func TestToFCAndFromFC(t *testing.T) {
	for _, c := range []struct{ json, fc string }{
		{`{"a":"plain"}`, `{"a":"plain"}`},
		{`"\u0041\u20ac\ud83c\udf89"`, `"A€🎉"`},
		{`"a\u0022b\u005cc"`, `"a\"b\\c"`},
		{`"tab\t \u0001"`, "\"tab\\t \x01\""},
	} {
		if got := codec.ToFC([]byte(c.json)); string(got) != c.fc {
			t.Errorf("ToFC(%s) = %s, want %s", c.json, got, c.fc)
		}
		var before, after string
		if err := json.Unmarshal([]byte(c.json), &before); err == nil {
			if err := json.Unmarshal(codec.FromFC(codec.ToFC([]byte(c.json))), &after); err != nil || before != after {
				t.Errorf("%s came back as %q (%v)", c.json, after, err)
			}
		}
	}
	if got := codec.FromFC([]byte("{\"a\":\"bell\\a, raw\x01\ttab\"}")); !json.Valid(got) || !bytes.Contains(got, []byte(`\u0007`)) {
		t.Errorf("FromFC left %s", got)
	}
}

func FuzzFCText(f *testing.F) {
	f.Add([]byte(`{"a":"\u0041\n\\u"}`))
	f.Add([]byte("{\"a\":\"\\a\x01\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		codec.ToFC(data)
		codec.FromFC(data)
	})
}
