package ledger

import (
	"slices"
	"testing"
)

func TestKeySignsInTheNameOfTheAuthorityThatHolds(t *testing.T) {
	owner, active, other := DeriveKey("owner", 0).Public(), DeriveKey("active", 0).Public(), DeriveKey("other", 0).Public()
	one := func(keys ...PublicKey) Authority {
		a := Authority{WeightThreshold: uint32(len(keys))}
		for _, key := range keys {
			a.KeyAuths = append(a.KeyAuths, KeyWeight{Key: key, Weight: 1})
		}
		return a
	}
	accounts := map[AccountID]*Account{
		1: {ID: 1, Owner: one(owner), Active: one(active)},
		2: {ID: 2, Owner: one(owner), Active: Authority{WeightThreshold: 1, AccountAuths: []AccountWeight{{Account: 1, Weight: 1}}}},
		3: {ID: 3, Owner: one(owner), Active: one(owner, other)},
	}
	lookup := func(id AccountID) *Account { return accounts[id] }
	for name, c := range map[string]struct {
		needs Needs
		keys  []PublicKey
		want  []KeyPlace
	}{
		"the active key":           {Needs{Active: []AccountID{1}}, []PublicKey{active}, []KeyPlace{{active, 1, "active", 1}}},
		"the owner key instead":    {Needs{Active: []AccountID{1}}, []PublicKey{owner}, []KeyPlace{{owner, 1, "owner", 1}}},
		"the owner is needed":      {Needs{Owner: []AccountID{1}}, []PublicKey{owner}, []KeyPlace{{owner, 1, "owner", 1}}},
		"one who acts for another": {Needs{Active: []AccountID{2}}, []PublicKey{active}, []KeyPlace{{active, 1, "active", 2}}},
		"in both, one holds":       {Needs{Active: []AccountID{3}}, []PublicKey{owner}, []KeyPlace{{owner, 3, "owner", 3}}},
		"a key that is named":      {Needs{Other: []Authority{one(other)}}, []PublicKey{other}, []KeyPlace{{Key: other}}},
		"a key that counts not":    {Needs{Active: []AccountID{1}}, []PublicKey{other}, nil},
	} {
		if got := KeyPlaces(c.keys, c.needs, lookup, 2); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
