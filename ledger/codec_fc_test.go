package ledger_test

import (
	"bytes"
	"encoding/json"
	"errors"
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

func TestHalfCharacters(t *testing.T) {
	for text, half := range map[string]bool{
		`"\ud83d\ude86"`: false, `"\\ud83d"`: false, `"\\\\ud83d"`: false, `"\ufffd"`: false, `"ud83d"`: false, `"\u00"`: false, ``: false, `\`: false, `"\uD83D\uDE86x"`: false,
		`"\ud83d"`: true, `"\ude86"`: true, `"\ud83d\ud83d\ude86"`: true, `"\ud83dx\ude86"`: true, `{"\uDE86\uD83D":1}`: true, `"\\\ud83d"`: true, `"\n\ud83d\n"`: true,
		`"\ud83d\ude86\ude86"`: true, `"\ud83d\u0041"`: true,
	} {
		if codec.HasHalfCharacter([]byte(text)) != half {
			t.Errorf("%s: not %v", text, half)
		}
		var into string
		if err := codec.UnmarshalExact([]byte(text), &into); half && text[0] == '"' && !errors.Is(err, codec.ErrHalfCharacter) {
			t.Errorf("%s is read as %q, %v", text, into, err)
		}
	}
	var lenient string // of a daemon, whose texts are data
	if err := codec.Unmarshal([]byte(`"a\ud83d"`), &lenient); err != nil || lenient != "a\ufffd" {
		t.Errorf("%q, %v", lenient, err)
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
