package ledger

import (
	"encoding/json"
	"os"
	"testing"
)

// A vector's input gives a message that says the same as the vector's data text.
func TestMessagePayloadsFromInput(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Payloads []struct {
			Input struct {
				From, To AccountID
				WIF, Pub string
				Msg      string
				Nonce    json.Number
			} `json:"input"`
			DataText string `json:"data_text"`
		} `json:"messaging_payloads"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all.Payloads {
		want, err := ReadMessage([]byte(v.DataText))
		if err != nil {
			t.Fatal(err)
		}
		var own PrivateKey
		var other PublicKey
		var nonce uint64
		if v.Input.WIF != "" {
			own, other = mustWIF(t, v.Input.WIF), mustPublic(t, v.Input.Pub)
			nonce = mustUint(t, v.Input.Nonce.String())
		}
		got, err := NewMessage(v.Input.From, own, v.Input.Msg, map[AccountID]PublicKey{v.Input.To: other}, nonce)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := got.Bytes()
		b, _ := want.Bytes()
		if string(a) != string(b) {
			t.Errorf("made %s, want %s", a, b)
		}
		text, err := got.Memo(0).Decrypt(own)
		if err != nil || text != v.Input.Msg {
			t.Errorf("read back %q (%v)", text, err)
		}
	}
}

func TestReadMessageRefusesGarbage(t *testing.T) {
	for _, text := range []string{"", "x", "[]", `{"from":5}`, `{"receivers_data":[{"to":"1.3.0"}]}`} {
		if m, err := ReadMessage([]byte(text)); err == nil {
			t.Errorf("%q was read as %+v", text, m)
		}
	}
}

func TestSignBuffer(t *testing.T) {
	key := DeriveKey("buffer", 0)
	sig := key.SignBuffer([]byte("I am alice"))
	if !VerifyBuffer([]byte("I am alice"), key.Public(), sig) {
		t.Error("the signature does not verify")
	}
	if VerifyBuffer([]byte("I am bobby"), key.Public(), sig) || VerifyBuffer([]byte("I am alice"), DeriveKey("buffer", 1).Public(), sig) {
		t.Error("the signature verifies for other bytes or another key")
	}
}
