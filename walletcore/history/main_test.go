package history_test

import (
	"testing"

	"go.uber.org/goleak"

	"billfold/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keyOf is the one key that a demo account has.
func keyOf(name string) ledger.PrivateKey { return ledger.DeriveKey("billfold sandbox "+name, 0) }

func encrypted(t testing.TB, from, to ledger.PrivateKey, text string) *ledger.Memo {
	t.Helper()
	memo, err := ledger.EncryptMemo(from, to.Public(), 0, text)
	must(t, err)
	return &memo
}
