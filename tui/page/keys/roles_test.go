package keys

import (
	"strings"
	"testing"

	"billfold/ledger"
)

// What if and the result say the same of the same authority: how much is lacking, or that nobody can ever act.
func TestVerdictsAgreeOnTheArithmetic(t *testing.T) {
	key := func(n byte) ledger.PublicKey { return ledger.PublicKey{2, n} }
	auth := func(needs uint32, weights ...uint16) ledger.Authority {
		a := ledger.Authority{WeightThreshold: needs}
		for i, w := range weights {
			a.KeyAuths = append(a.KeyAuths, ledger.KeyWeight{Key: key(byte(i)), Weight: w})
		}
		return a
	}
	carol := ledger.Authority{WeightThreshold: 2, AccountAuths: []ledger.AccountWeight{{Account: 8, Weight: 1}}}
	for name, c := range map[string]struct {
		active ledger.Authority
		flip   string
		want   string
	}{
		"one of two":               {auth(2, 1, 1), "", "the keys here lack weight 1 of 2 for active"},
		"the other one, switched":  {auth(2, 1, 1), key(1).String(), "you can act as active"},
		"never":                    {auth(3, 1, 1), "", "can never act as active, as all its signers together weigh 2 of 3"},
		"never, whoever signs":     {auth(3, 1, 1), key(1).String(), "can never act as active, as all its signers together weigh 2 of 3"},
		"an account of one of two": {carol, "", "can never act as active, as all its signers together weigh 1 of 2"},
	} {
		a := &ledger.Account{ID: 7, Owner: auth(9, 9), Active: c.active}
		a.Owner.KeyAuths[0].Key = key(200)
		tr := &tree{depth: 2, keysHere: map[ledger.PublicKey]bool{key(0): true}, flipped: map[string]bool{},
			accounts: map[ledger.AccountID]*ledger.Account{7: a, 8: {ID: 8, Active: auth(1, 1)}}}
		if c.flip != "" {
			tr.flipped[c.flip] = true
		}
		said := tr.verdict(a)
		never := strings.Contains(said, "can never act as active")
		warned := false
		for _, w := range tr.warnings(7) {
			warned = warned || strings.Contains(w.String(), "nobody can sign as active")
		}
		if !strings.Contains(said, c.want) || warned != never {
			t.Errorf("%s: %q, warned that nobody can: %v", name, said, warned)
		}
	}
}
