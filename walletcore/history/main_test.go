package history_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"

	"billfold/ledger"
)

// usualDraws is how many cases a property is tried with in the everyday suite;
// make properties tries many more.
const usualDraws = "40"

// TestMain lowers the number of draws unless the command line names one.
func TestMain(m *testing.M) {
	flag.Parse()
	named := false
	flag.Visit(func(f *flag.Flag) { named = named || f.Name == "rapid.checks" })
	if !named {
		if err := flag.Set("rapid.checks", usualDraws); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

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
