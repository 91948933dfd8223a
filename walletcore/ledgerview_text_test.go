package walletcore_test

import (
	"testing"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
)

// Authorities that differ in anything have different texts: pins are compared by them.
func TestTextsOfAuthoritiesDiffer(t *testing.T) {
	alice, bobby := testwallet.Key("alice").Public(), testwallet.Key("bobby").Public()
	key := func(k ledger.PublicKey, weight uint16) ledger.KeyWeight {
		return ledger.KeyWeight{Key: k, Weight: weight}
	}
	seen := map[string]int{}
	for i, a := range []ledger.Authority{
		{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{key(alice, 1)}},
		{WeightThreshold: 2, KeyAuths: []ledger.KeyWeight{key(alice, 1)}},
		{WeightThreshold: 3, KeyAuths: []ledger.KeyWeight{key(alice, 1)}},
		{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{key(alice, 2)}},
		{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{key(bobby, 1)}},
		{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{key(alice, 1), key(bobby, 1)}},
		{WeightThreshold: 2, KeyAuths: []ledger.KeyWeight{key(alice, 1), key(bobby, 1)}},
		{WeightThreshold: 1, AccountAuths: []ledger.AccountWeight{{Account: 17, Weight: 1}}},
		{WeightThreshold: 1},
		{WeightThreshold: 2},
	} {
		text := ledgerview.AuthorityText(a)
		if other, twice := seen[text]; twice {
			t.Errorf("authorities %d and %d are both %q", other, i, text)
		}
		seen[text] = i
	}
	if _, plain := seen[alice.String()]; !plain {
		t.Error("the authority of a single key is not its text")
	}
}

// From nine letters on, names that differ in two are alike.
func TestLongNamesAreAlikeWithTwoLetters(t *testing.T) {
	for names, alike := range map[[2]string]bool{
		{"abcdefghj", "abxdexghj"}: true, {"abcdefgh", "abxdexgh"}: false, {"abcdefghj", "abxdexxhj"}: false, {"abcdefgh", "abxdefgh"}: true,
	} {
		if ledgerview.Resemble(names[0], names[1]) != alike {
			t.Errorf("%v: alike is not %t", names, alike)
		}
	}
}
