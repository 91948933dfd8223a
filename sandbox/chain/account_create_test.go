package chain

import (
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func TestAccountCreateGivesTheNextIDAndIsFoundByEveryIndex(t *testing.T) {
	b := newBank(t)
	key := keyOf("alice").Public()
	id := b.register("alice", ledger.SingleKeyAuthority(key))
	child := b.register("alices-child", accountsAuthority(id))
	b.c.View(func(s *state.State) {
		a := s.Accounts.Get(id)
		if id != 17 || a.Registrar != nathanID || a.Statistics != 17 || s.Accounts.ByName("alice") != a {
			t.Errorf("the account is %+v", a)
		}
		if got := s.Accounts.OfKey(key); !slices.Equal(got, []ledger.AccountID{id}) {
			t.Errorf("the key belongs to %v", got)
		}
		if got := s.Accounts.OfMember(id); !slices.Equal(got, []ledger.AccountID{child}) {
			t.Errorf("alice is a member of %v", got)
		}
		if got := s.Accounts.Names("a", 2); !slices.Equal(got, []string{"alice", "alices-child"}) {
			t.Errorf("the names are %v", got)
		}
		if got := s.Dynamic().AccountsRegisteredThisInterval; got != 2 {
			t.Errorf("%d accounts were registered", got)
		}
	})
}

func TestAccountCreateRefusals(t *testing.T) {
	b := newBank(t)
	good := ledger.SingleKeyAuthority(keyOf("x").Public())
	tooMany := accountsAuthority(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	options := func(edit func(*ledger.AccountOptions)) *ledger.AccountCreateOp {
		op := create("fresh-name", good, good)
		edit(&op.Options)
		return op
	}
	for name, c := range map[string]struct {
		op   *ledger.AccountCreateOp
		code nodeerr.Code
		text string
	}{
		"bad name": {create("Al", good, good), nodeerr.CodeValidate, "is_valid_name( name )"},
		"taken":    {create("init0", good, good), nodeerr.CodeAssert, "current_account_itr"},
		"empty owner": {create("fresh-name", ledger.Authority{WeightThreshold: 1}, good), nodeerr.CodeValidate,
			"auth.num_auths() > 0"},
		"impossible active": {create("fresh-name", good, twoOf(5, "a", "b")), nodeerr.CodeValidate, "!auth.is_impossible()"},
		"too many members":  {create("fresh-name", good, tooMany), nodeerr.CodeAuthTooLarge, ""},
		"unknown member":    {create("fresh-name", accountsAuthority(999), good), nodeerr.CodeAuthNoAccount, ""},
		"miners without vote": {options(func(o *ledger.AccountOptions) { o.NumMiner = 1 }), nodeerr.CodeValidate,
			"votes.size() >= num_miner"},
		"free subscription": {options(func(o *ledger.AccountOptions) { o.AllowSubscription, o.SubscriptionPeriod = true, 30 }),
			nodeerr.CodeValidate,
			"subscription_period > 0"},
		"unknown proxy": {options(func(o *ledger.AccountOptions) { o.VotingAccount = 999 }), nodeerr.CodeAssert,
			"d.find_object(options.voting_account)"},
	} {
		t.Run(name, func(t *testing.T) {
			before := b.snapshot()
			b.refused(b.push([]ledger.PrivateKey{b.nathan}, c.op), c.code, c.text)
			if b.snapshot() != before {
				t.Error("the refusal changed the state")
			}
		})
	}
}
