package ledger

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"billfold/ledger/codec"
)

func TestKeyTextIsTheWIFAndCanBeWiped(t *testing.T) {
	key := DeriveKey("key text", 0)
	text := key.KeyText()
	out, err := codec.Marshal(struct {
		Key KeyText `json:"key"`
	}{text})
	if err != nil || string(out) != `{"key":"`+key.WIF()+`"}` {
		t.Errorf("%s, %v", out, err)
	}
	if out, err := json.Marshal(text); err != nil || string(out) != `"`+key.WIF()+`"` {
		t.Errorf("%s, %v", out, err)
	}
	for _, verb := range []string{"%v", "%s", "%x", "%q", "%#v"} {
		if shown := fmt.Sprintf(verb, text); shown != hiddenSecret {
			t.Errorf("%s shows %s", verb, shown)
		}
	}
	number, _ := new(big.Int).SetString(strings.Repeat("9", 150), 10)
	if got := BigKeyText(number); string(got) != BigText(number) {
		t.Errorf("%s", []byte(got))
	}
	if text.Wipe(); strings.Trim(string(text), "\x00") != "" {
		t.Errorf("%q is left", []byte(text))
	}
}
