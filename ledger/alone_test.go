package ledger

import (
	"strings"
	"testing"
)

// holding is a ledger on which accounts have one key each, or are not known.
type holding struct {
	plain
	keys map[AccountID]PublicKey
}

func (h holding) Account(id AccountID) *Account {
	key, known := h.keys[id]
	if !known {
		return nil
	}
	return &Account{ID: id, Active: SingleKeyAuthority(key), Owner: SingleKeyAuthority(key)}
}

// A key counts once for each place that it stands in, by itself or inside an account: whoever has it has all of them.
func TestWhoActsAloneIsFoundByKeys(t *testing.T) {
	own, his, hers := DeriveKey("own", 0).Public(), DeriveKey("his", 0).Public(), DeriveKey("hers", 0).Public()
	on := holding{keys: map[AccountID]PublicKey{17: his, 18: his, 19: hers}}
	of := func(threshold uint32, accounts []AccountID, keys ...PublicKey) Authority {
		a := Authority{WeightThreshold: threshold}
		for _, id := range accounts {
			a.AccountAuths = append(a.AccountAuths, AccountWeight{Account: id, Weight: 1})
		}
		for _, key := range keys {
			a.KeyAuths = append(a.KeyAuths, KeyWeight{Key: key, Weight: 1})
		}
		return a
	}
	for name, c := range map[string]struct {
		a    Authority
		want string
	}{
		"his account and key":  {of(2, []AccountID{17}, his, own), "can act alone: " + his.String()},
		"two accounts of his":  {of(2, []AccountID{17, 18}, own), "can act alone: " + his.String()},
		"one account":          {of(1, []AccountID{17}), "can act alone: 1.2.17"},
		"three people":         {of(2, []AccountID{17, 19}, own), "nobody can act alone, at least 2 have to sign"},
		"two by three":         {of(3, []AccountID{17, 18, 19}, own), "nobody can act alone, at least 2 have to sign"},
		"one that is not read": {of(2, []AccountID{20}, own), "at least 2 have to sign; but who acts for 1.2.20 is not known here"},
		"anybody":              {of(1, []AccountID{TempAccount}, own), "ANYBODY can act"},
		"not enough":           {of(3, nil, own), "nobody can ever act"},
	} {
		if got := c.a.aloneWords(on, on); !strings.Contains(got, c.want) || strings.HasPrefix(c.want, "can act") && got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	one := SingleKeyAuthority(own)
	if got := of(2, []AccountID{17}, his, own).besideOwner(&one, on, on); got != "can act alone: "+his.String() {
		t.Errorf("active: %q", got)
	}
}
