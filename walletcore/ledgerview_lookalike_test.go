package walletcore_test

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

func TestLookAlikes(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"alice", "a1ice", true}, {"alice", "allce", true}, {"alice", "aliice", true}, {"alice", "alcie", true}, {"alice", "alic", true},
		{"modern", "modem", true}, {"vvallet", "wallet", true}, {"bob-trade", "bobtrade", true}, {"savings-1", "savings-11", true},
		{"merchant-7", "merchamt-8", true}, {"dave5", "daves", true}, {"decent", "decent-official", true},
		{"alice", "alice", false}, {"alice", "bobby", false}, {"carol", "karla", false}, {"", "a", false}, {"ann", "anna-maria", false},
		{"abcd", "dcba", false},
	} {
		if got := ledgerview.Resemble(c.a, c.b); got != c.want || ledgerview.Resemble(c.b, c.a) != got {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestMeantAccounts(t *testing.T) {
	known := []ledgerview.AccountRef{{ID: 57, Name: "carol"}, {ID: 110, Name: "bob-trade"}, {ID: 111, Name: "merchant-7"}, {ID: 12, Name: "bobby"}}
	for word, want := range map[string]string{
		"crol": "carol", "caorl": "carol", "Carl": "carol", "carrol": "carol", " karol ": "carol", "bobtrde": "", "bobtrades": "bob-trade",
		"mercant7": "", "mercant-7": "merchant-7", "merchnt7-": "merchant-7", "bobbi": "bobby", "nobody": "", "carol": "", "1.2.58": "", "ca": "", "": "",
		"dave": "",
	} {
		if got, near := ledgerview.Meant(word, known); got.Name != want || near != (want != "") {
			t.Errorf("%q: %q, want %q", word, got.Name, want)
		}
	}
}

// Screens compare a name with all known ones for each frame they draw.
func TestComparingNamesAllocatesLittle(t *testing.T) {
	known := map[ledger.AccountID]ledgerview.AccountRef{}
	for n := range 100 {
		known[ledger.AccountID(n)] = ledgerview.AccountRef{ID: ledger.AccountID(n), Name: fmt.Sprintf("savings-%03d", n)}
	}
	if n := testing.AllocsPerRun(10, func() { ledgerview.LookAlikes("merchant-7", known) }); n > 1500 {
		t.Errorf("comparing a name with 100 others makes %.0f objects", n)
	}
}

func TestLookAlikeSymbols(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"ALX.GOLD", "ALX.G0LD", true}, {"ALX.GOLD", "AIX.GOLD", true}, {"USDX", "USDX", false}, {"DCT", "DCTT", true},
		{"DCT", "ART", false}, {"", "DCT", false},
	} {
		if got := ledgerview.SymbolsAlike(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}
