package history

import (
	"testing"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

// FuzzMessage reads arbitrary payloads. Anybody who pays the fee can send a message, so
// reading one must never fail badly, nor claim that a text was decrypted without a key.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		`{"from":"1.2.0","pub_from":"DCT1111111111111111111111111111111114T1Anm","receivers_data":[{"to":"1.2.5","pub_to":"DCT1111111111111111111111111111111114T1Anm","nonce":0,"data":"00000000706c61"}]}`,
		`{"receivers_data":[{"data":"","to":"1.2.5"},{"data":"00"}]}`, `{"receivers_data":[null]}`, `[]`, ``, `{"receivers_data":{}}`, "\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, ok := messageOf(&ledger.CustomOp{ID: ledger.MessageID, Data: data})
		if ok && len(m.Receivers) == 0 {
			t.Fatal("a message for nobody")
		}
		text, copies := openMessage(func(m *ledger.Memo) (string, vault.MemoState) {
			if text, plain, err := m.Plain(); plain && err == nil {
				return text, vault.MemoPlain
			}
			return "", vault.MemoLocked
		}, m)
		for _, c := range copies {
			if c.state == vault.MemoOpen {
				t.Fatalf("%q was decrypted without a key", text)
			}
		}
	})
}
