package history_test

import (
	"flag"
	"testing"

	"billfold/ledger"

	"go.uber.org/goleak"
)

// usualDraws is the number of cases that the everyday suite draws for a property; make
// properties draws many more.
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

// keyOf returns the only key of a demo account.
func keyOf(name string) ledger.PrivateKey { return ledger.DeriveKey("billfold sandbox "+name, 0) }

func encrypted(t testing.TB, from, to ledger.PrivateKey, text string) *ledger.Memo {
	t.Helper()
	memo, err := ledger.EncryptMemo(from, to.Public(), 0, text)
	must(t, err)
	return &memo
}
