package page_test

import (
	"context"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui/page/keys"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/paper"
	"billfold/walletcore/vault"
)

// authorities are accounts and what their authorities name, as a ledger has them.
type authorities struct {
	keys.Ledger
	accounts map[ledger.AccountID]*ledger.Account
}

func (a authorities) AuthorityTree(context.Context, ledger.Needs, int) (map[ledger.AccountID]*ledger.Account, error) {
	return a.accounts, nil
}

// oneKey is a vault with one key.
type oneKey struct {
	keys.Vault
	key ledger.PublicKey
}

func (v oneKey) Holds(key ledger.PublicKey) bool { return key == v.key }

// noPapers has no backup of any account.
type noPapers struct{}

func (noPapers) Of(context.Context, ledger.AccountID) (paper.Check, error) { return paper.Check{}, nil }

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
	var none ledger.PublicKey
	carol := ledger.Authority{WeightThreshold: 2, AccountAuths: []ledger.AccountWeight{{Account: 8, Weight: 1}}}
	for name, c := range map[string]struct {
		active ledger.Authority
		flip   ledger.PublicKey // counts the other way round
		want   string
	}{
		"one of two":               {auth(2, 1, 1), none, "the keys here lack weight 1 of 2 for active"},
		"the other one, switched":  {auth(2, 1, 1), key(1), "you can act as active"},
		"never":                    {auth(3, 1, 1), none, "can never act as active, as all its signers together weigh 2 of 3"},
		"never, whoever signs":     {auth(3, 1, 1), key(1), "can never act as active, as all its signers together weigh 2 of 3"},
		"an account of one of two": {carol, none, "can never act as active, as all its signers together weigh 1 of 2"},
	} {
		a := &ledger.Account{ID: 7, Owner: auth(9, 9), Active: c.active}
		a.Owner.KeyAuths[0].Key = key(200)
		core := keys.Core{Vault: oneKey{key: key(0)}, Papers: noPapers{},
			Ledger: authorities{accounts: map[ledger.AccountID]*ledger.Account{7: a, 8: {ID: 8, Active: auth(1, 1)}}}}
		xray, err := keys.ReadXRay(t.Context(), core, []vault.OwnAccount{{AccountRef: ledgerview.AccountRef{ID: 7}}})
		uitest.Must(t, err)
		if c.flip != none {
			xray.Flip(keys.Party{Key: c.flip})
		}
		said, warnings := xray.Verdict(7)
		never := strings.Contains(said, "can never act as active")
		warned := false
		for _, w := range warnings {
			warned = warned || strings.Contains(w.String(), "nobody can sign as active")
		}
		if !strings.Contains(said, c.want) || warned != never {
			t.Errorf("%s: %q, warned that nobody can: %v", name, said, warned)
		}
	}
}
