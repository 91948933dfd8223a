package token

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/walletapi"
)

// What a token may do is shown whole: nothing that limits it is left out, whether there is one of it or several.
func TestAScopeIsShownWhole(t *testing.T) {
	five, ten := Limit{"5", "DCT"}, Limit{"10", "ALX.GOLD"}
	for want, s := range map[string]Scope{
		"everything":                           {},
		"methods transfer":                     {Methods: []string{"transfer"}},
		"methods transfer, get_account":        {Methods: []string{"transfer", "get_account"}},
		"accounts alice":                       {Accounts: []string{"alice"}},
		"assets DCT, 1.3.5":                    {Assets: []string{"DCT", "1.3.5"}},
		"paying bobby":                         {Destinations: []string{"bobby"}},
		"per payment 5 DCT":                    {PerPayment: []Limit{five}},
		"per day 5 DCT, 10 ALX.GOLD":           {PerDay: []Limit{five, ten}},
		"unasked up to 5 DCT":                  {AskAbove: []Limit{five}},
		"unasked in 24 hours up to 5 DCT":      {AskAboveDay: []Limit{five}},
		"from 10.0.0.0/8; from 192.0.2.7/32":   {Sources: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32")}},
		"until 2026-11-27 12:30:00 UTC":        {Expires: time.Date(2026, 11, 27, 12, 30, 0, 0, time.UTC)},
		"accounts alice; per payment 5 DCT":    {Accounts: []string{"alice"}, PerPayment: []Limit{five}},
		"accounts alice; assets DCT; paying x": {Accounts: []string{"alice"}, Assets: []string{"DCT"}, Destinations: []string{"x"}},
	} {
		if got := s.String(); got != want {
			t.Errorf("%+v is shown as %q, want %q", s, got, want)
		}
	}
	groups := Scope{Groups: []string{"reads"}}.String()
	if !strings.HasPrefix(groups, "methods ") || len(groups) < len("methods reads") {
		t.Errorf("a group is shown as %q", groups)
	}
}

// A limit whose number has blanks in it is none: the asset is the last word.
func TestALimitIsANumberAndAnAsset(t *testing.T) {
	for text, want := range map[string]string{"1 000 DCT": "its number has blanks in it", "1\u202f000 DCT": "its number has blanks in it", "100": "write it like", "5 GOLD DCT": "write it like",
		"100  DCT": "write it like", "1.5 DCT": ""} {
		if _, err := ParseLimit(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Tokens are never copied over others, and a copy has them all.
func TestTokensAreCopiedToAnEmptyStoreOnly(t *testing.T) {
	from, to := openStore(t), openStore(t)
	for n := range 3 {
		_, _, err := from.New(fmt.Sprint("till-", n), Scope{Accounts: []string{"alice"}})
		must(t, err)
	}
	if n, err := Copy(from, to); n != 3 || err != nil {
		t.Fatalf("%d were copied, %v", n, err)
	}
	if list, err := to.List(); len(list) != 3 || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
	_, credential, err := to.New("another", Scope{})
	must(t, err)
	if _, err := Copy(from, to); err == nil {
		t.Error("they were copied over others")
	}
	if _, known, err := to.find(idOf(credential)); !known || err != nil {
		t.Errorf("what was there is gone: %v", err)
	}
}

// A token that cannot be written is not made.
func TestATokenThatCannotBeWrittenIsNone(t *testing.T) {
	s := openStore(t)
	_, _, err := s.New("till", Scope{})
	must(t, err)
	folder := filepath.Dir(pathOf(s))
	err = s.change(func(there []Token) ([]Token, error) { return there[:0], os.RemoveAll(folder) }) // a disk that goes away in the middle
	if err == nil {
		t.Error("a change that was not written is told as made")
	}
	must(t, os.WriteFile(folder, nil, 0o600))
	if _, _, err := s.New("another", Scope{}); err == nil {
		t.Error("a token that was not written is told as made")
	}
}

// What a token of a group may call is what the group says.
func TestGroupsAreFound(t *testing.T) {
	words := describeGroups([]string{"accounts", "ACCOUNTS:spends", "all", "All:all", "deposits:all"})
	if want := []string{"reads of the group accounts", "all of every group"}; len(words) != 5 || words[0] != want[0] || words[2] != "reads of every group" ||
		words[3] != want[1] || words[4] != "all of the group deposits" || !strings.HasSuffix(words[1], "of the group ACCOUNTS") || words[1] == words[0] {
		t.Errorf("%q", words)
	}
	if (Scope{Methods: []string{"transfer"}}).permits(&walletapi.Method{Name: "get_account"}) {
		t.Error("another method is permitted")
	}
}

// What a token permits is replaced as a whole, by what a new token could be made with, and of that token only.
func TestAScopeIsReplacedWhole(t *testing.T) {
	s := openStore(t)
	till, _, err := s.New("till", Scope{Accounts: []string{"alice"}, PerDay: []Limit{{"5", "DCT"}}})
	must(t, err)
	other, _, err := s.New("other", Scope{Accounts: []string{"bobby"}})
	must(t, err)
	of := func(id string) Scope {
		t.Helper()
		found, known, err := s.find(id)
		if err != nil || !known {
			t.Fatalf("%s is known: %v, %v", id, known, err)
		}
		return found.Scope
	}
	changed, err := s.SetScope(till.ID, Scope{Methods: []string{"accounts", "transfer"}, AskAbove: []Limit{{"2.5", "DCT"}}})
	must(t, err)
	const want = "methods transfer, accounts; unasked up to 2.5 DCT; unasked in 24 hours up to 25 DCT"
	for _, scope := range []Scope{changed.Scope, of(till.ID)} {
		if got := strings.Join(append(scope.Methods, scope.Groups...), ", "); got != "transfer, accounts" || len(scope.Accounts)+len(scope.PerDay) != 0 ||
			!slices.Equal(scope.AskAbove, []Limit{{"2.5", "DCT"}}) || !slices.Equal(scope.AskAboveDay, []Limit{{"25", "DCT"}}) {
			t.Errorf("it permits %s, want %s", scope, want)
		}
	}
	if changed.ID != till.ID || changed.Name != "till" || changed.Hash != till.Hash {
		t.Errorf("%+v is no longer %+v", changed, till)
	}
	for name, scope := range map[string]Scope{"an unknown operation": {Methods: []string{"transfr"}}, "an unknown group": {Groups: []string{"no such"}},
		"no name of an account": {Accounts: []string{""}}, "a time that is over": {Expires: time.Now().Add(-time.Second)}} {
		if _, err := s.SetScope(till.ID, scope); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := s.SetScope("nobody", Scope{}); !errors.Is(err, ErrNoToken) {
		t.Errorf("of a token that there is not: %v", err)
	}
	if got := of(till.ID).String(); got != changed.Scope.String() {
		t.Errorf("after changes that were refused it permits %s", got)
	}
	if got := of(other.ID).String(); got != "accounts bobby" {
		t.Errorf("another token permits %s", got)
	}
}

// A name consists of printing ASCII characters, all of them.
func TestNamesOfTokens(t *testing.T) {
	s := openStore(t)
	for name, ok := range map[string]bool{"!": true, "~": true, "a~!b": true, strings.Repeat("a", maxName): true,
		"": false, "a b": false, "a\x7f": false, "é": false, "a\n": false, strings.Repeat("a", maxName+1): false} {
		if err := s.Check(name, Scope{}); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A scope that a token is made with stays the caller's.
func TestAScopeIsNotChanged(t *testing.T) {
	groups := append(make([]string, 0, 2), "accounts")
	scope := Scope{Groups: groups, Methods: []string{"deposits"}}
	_, _, err := openStore(t).New("till", scope)
	must(t, err)
	if second := groups[:2][1]; second != "" {
		t.Errorf("%q was written into it", second)
	}
}
