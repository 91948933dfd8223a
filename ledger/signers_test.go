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
		want  []AuthorityKey
	}{
		"the active key":           {Needs{Active: []AccountID{1}}, []PublicKey{active}, []AuthorityKey{{active, 1, "active", 1}}},
		"the owner key instead":    {Needs{Active: []AccountID{1}}, []PublicKey{owner}, []AuthorityKey{{owner, 1, "owner", 1}}},
		"the owner is needed":      {Needs{Owner: []AccountID{1}}, []PublicKey{owner}, []AuthorityKey{{owner, 1, "owner", 1}}},
		"one who acts for another": {Needs{Active: []AccountID{2}}, []PublicKey{active}, []AuthorityKey{{active, 1, "active", 2}}},
		"in both, one holds":       {Needs{Active: []AccountID{3}}, []PublicKey{owner}, []AuthorityKey{{owner, 3, "owner", 3}}},
		"a key that is named":      {Needs{Other: []Authority{one(other)}}, []PublicKey{other}, []AuthorityKey{{Key: other}}},
		"a key that counts not":    {Needs{Active: []AccountID{1}}, []PublicKey{other}, nil},
	} {
		if got := AuthorityKeys(c.keys, c.needs, lookup, 2); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// The keys that sign are the fewest that suffice, in the ledger's order, however many could: the ledger refuses one too many.
func TestTheFewestKeysSign(t *testing.T) {
	var keys []PublicKey
	for n := range 20 {
		keys = append(keys, DeriveKey("fewest", n).Public())
	}
	slices.SortFunc(keys, ComparePublicKeys)
	of := func(threshold uint32, weights ...uint16) Authority {
		a := Authority{WeightThreshold: threshold}
		for i, weight := range weights {
			a.KeyAuths = append(a.KeyAuths, KeyWeight{Key: keys[i], Weight: weight})
		}
		return a
	}
	ones := slices.Repeat([]uint16{1}, 20)
	have := func(n int) func(PublicKey) bool {
		return func(key PublicKey) bool { return slices.Contains(keys[:n], key) }
	}
	for name, c := range map[string]struct {
		of   Authority
		have int
		want []PublicKey
		met  bool
	}{
		"one of one":                  {of(1, 1), 1, keys[:1], true},
		"the heavy one":               {of(2, 1, 1, 2), 3, keys[2:3], true},
		"two light ones":              {of(2, 1, 1, 2), 2, keys[:2], true},
		"all that there are, of some": {of(3, 1, 1, 1), 2, keys[:2], false},
		"none":                        {of(1, 1), 0, nil, false},
		"all of fourteen":             {of(14, ones[:14]...), 14, keys[:14], true},
		"one of twenty":               {of(1, ones...), 20, keys[:1], true},
		"three of twenty":             {of(3, ones...), 20, keys[:3], true},
		"all of twenty":               {of(20, ones...), 20, keys, true},
	} {
		account := &Account{ID: 1, Active: c.of, Owner: Authority{WeightThreshold: 1}}
		got, missing := SmallestKeys(Needs{Active: []AccountID{1}}, have(c.have), func(AccountID) *Account { return account }, 2)
		if !slices.Equal(got, c.want) || missing.Empty() != c.met {
			t.Errorf("%s: %d keys sign, want %d; missing %+v", name, len(got), len(c.want), missing)
		}
	}
}

// Accounts act for others as many levels deep as the ledger follows, and not one deeper: for the judge, for the choice of keys, and where
// a key is shown to count.
func TestAccountsActAsDeepAsTheLedgerFollows(t *testing.T) {
	key := DeriveKey("deep", 0).Public()
	const last = 23 // the account whose key it is; the others name the next one
	lookup := func(id AccountID) *Account {
		a := &Account{ID: id, Owner: Authority{WeightThreshold: 1}, Active: Authority{WeightThreshold: 1, AccountAuths: []AccountWeight{{Account: id + 1, Weight: 1}}}}
		if id == last {
			a.Active = SingleKeyAuthority(key)
		}
		return a
	}
	for first := AccountID(20); first <= last; first++ {
		for depth := range 5 {
			needs := Needs{Active: []AccountID{first}}
			want := int(last-first) <= depth
			s := Signers{Keys: map[PublicKey]bool{key: true}, Lookup: lookup, MaxDepth: depth}
			got, missing := SmallestKeys(needs, func(PublicKey) bool { return true }, lookup, depth)
			places := AuthorityKeys([]PublicKey{key}, needs, lookup, depth)
			if s.Active(first) != want || s.Missing(needs).Empty() != want || AnyCounts(needs, func(PublicKey) bool { return true }, lookup, depth) != want ||
				missing.Empty() != want || (len(got) == 1) != want || (len(places) == 1) != want {
				t.Errorf("for %s, %d deep: %v, %d keys, %d places; want %v", first, depth, s.Active(first), len(got), len(places), want)
			}
		}
	}
}

// How many have to act together is counted exactly for a few, and never told as one where there are many.
func TestHowManyActTogetherIsCounted(t *testing.T) {
	of := func(threshold uint32, n int) Authority {
		a := Authority{WeightThreshold: threshold}
		for i := range n {
			a.KeyAuths = append(a.KeyAuths, KeyWeight{Key: DeriveKey("together", i).Public(), Weight: 1})
		}
		return a
	}
	nobody := func(AccountID) *Account { return nil }
	for _, c := range []struct {
		of   Authority
		want int
	}{
		{of(1, 1), 1}, {of(1, 10), 1}, {of(2, 3), 2}, {of(3, 3), 3}, {of(10, 10), 10}, {of(2, 1), 0}, {of(5, 11), 2},
		{Authority{WeightThreshold: 2, AccountAuths: []AccountWeight{{Account: 20, Weight: 1}, {Account: 21, Weight: 1}}}, 2},
		{Authority{WeightThreshold: 2, AccountAuths: []AccountWeight{{Account: 20, Weight: 2}, {Account: 21, Weight: 1}}}, 1},
	} {
		if got := c.of.Actors(nobody).fewestSigners(); got != c.want {
			t.Errorf("of %d members with the threshold %d, %d act together at least, want %d", c.of.Members(), c.of.WeightThreshold, got, c.want)
		}
	}
}
