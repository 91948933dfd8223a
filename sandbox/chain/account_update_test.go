package chain

import (
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func TestNewOwnerNeedsTheOwner(t *testing.T) {
	b := newBank(t)
	owner, active, next := keyOf("owner"), keyOf("active"), keyOf("next")
	b.by(b.nathan, create("careful", ledger.SingleKeyAuthority(owner.Public()), ledger.SingleKeyAuthority(active.Public())))
	b.mine()
	b.fund(17)
	auth := ledger.SingleKeyAuthority(next.Public())
	b.refused(b.push([]ledger.PrivateKey{active}, &ledger.AccountUpdateOp{Account: 17, Owner: &auth}), nodeerr.CodeMissingOwner, "")
	b.refused(b.push(nil, &ledger.AccountUpdateOp{Account: 17, Owner: &auth}), nodeerr.CodeMissingActive, "")
	b.by(active, &ledger.AccountUpdateOp{Account: 17, Active: &auth})
	b.by(owner, &ledger.AccountUpdateOp{Account: 17, Owner: &auth})
	b.mine()
	b.refused(b.push([]ledger.PrivateKey{owner}, pay(17, nathanID, 1)), nodeerr.CodeMissingActive, "")
	b.by(next, pay(17, nathanID, 1))
}

func TestWhoNamesAKeyFollowsTheUpdate(t *testing.T) {
	b := newBank(t)
	old, next := keyOf("old").Public(), keyOf("next").Public()
	first := b.register("first-one", ledger.SingleKeyAuthority(old))
	second := b.register("second-one", ledger.SingleKeyAuthority(next))
	b.fund(first)
	members := accountsAuthority(second)
	options := ledger.NewAccountOptions(next)
	b.by(keyOf("old"), &ledger.AccountUpdateOp{Account: first, Owner: &members, Active: &members, NewOptions: &options})
	b.c.View(func(s *state.State) {
		if got := s.Accounts.OfKey(old); len(got) != 0 {
			t.Errorf("the old key still belongs to %v", got)
		}
		if got := s.Accounts.OfKey(next); !slices.Equal(got, []ledger.AccountID{first, second}) {
			t.Errorf("the new key belongs to %v", got)
		}
		if got := s.Accounts.OfMember(second); !slices.Equal(got, []ledger.AccountID{first}) {
			t.Errorf("the member belongs to %v", got)
		}
	})
}

func TestAccountUpdateRefusals(t *testing.T) {
	b := newBank(t)
	b.by(b.nathan, gold("GOLDX", false))
	good := ledger.SingleKeyAuthority(keyOf("x").Public())
	tooMany, unknown := accountsAuthority(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), accountsAuthority(999)
	impossible := twoOf(5, "a", "b")
	nathan := []ledger.PrivateKey{b.nathan}
	options := func(edit func(*ledger.AccountOptions)) *ledger.AccountUpdateOp {
		o := ledger.NewAccountOptions(b.nathan.Public())
		edit(&o)
		return &ledger.AccountUpdateOp{Account: nathanID, NewOptions: &o}
	}
	b.refuses(t, []refusal{
		{"nothing to do", nathan, &ledger.AccountUpdateOp{Account: nathanID}, nodeerr.CodeValidate, "has_action"},
		{"temporary account", nathan, &ledger.AccountUpdateOp{Account: ledger.TempAccount, Owner: &good}, nodeerr.CodeValidate,
			"account != GRAPHENE_TEMP_ACCOUNT"},
		{"impossible", nathan, &ledger.AccountUpdateOp{Account: nathanID, Active: &impossible}, nodeerr.CodeValidate,
			"!auth.is_impossible()"},
		{"too many members", nathan, &ledger.AccountUpdateOp{Account: nathanID, Active: &tooMany}, nodeerr.CodeUpdateTooLarge, ""},
		{"unknown member", nathan, &ledger.AccountUpdateOp{Account: nathanID, Active: &unknown}, nodeerr.CodeUpdateNoAccount, ""},
		{"unknown proxy", nathan, options(func(o *ledger.AccountOptions) { o.VotingAccount = 999 }), nodeerr.CodeAssert,
			"d.find_object(options.voting_account)"},
		{"unknown vote", nathan, options(func(o *ledger.AccountOptions) { o.Votes = []ledger.VoteID{99 << 8} }), nodeerr.CodeAssert,
			"id < max_vote_id"},
		{"too few votes", nathan, options(func(o *ledger.AccountOptions) { o.NumMiner = 1 }), nodeerr.CodeValidate,
			"votes.size() >= num_miner"},
		{"priced in gold", nathan, options(func(o *ledger.AccountOptions) { o.PricePerSubscribe = amount(1, 1) }), nodeerr.CodeAssert,
			"price_per_subscribe.asset_id == asset_id_type(0)"},
		{"priced in nothing", nathan, options(func(o *ledger.AccountOptions) { o.PricePerSubscribe = amount(1, 9) }),
			nodeerr.CodeObjectNotFound,
			"Object ID: 1.3.9"},
	})
}

// Subscribers agreed to an offer; when it changes, they are not renewed any more,
// and the history says so.
func TestNewOfferEndsRenewals(t *testing.T) {
	b := newBank(t)
	offer := ledger.NewAccountOptions(b.nathan.Public())
	offer.AllowSubscription, offer.PricePerSubscribe, offer.SubscriptionPeriod = true, amount(5, 0), 30
	b.by(b.nathan, &ledger.AccountUpdateOp{Account: nathanID, NewOptions: &offer}, pay(nathanID, init0ID, 100_0000_0000))
	b.by(b.init, &ledger.SubscribeOp{From: init0ID, To: nathanID, Price: amount(5, 0)},
		&ledger.AutomaticRenewalOfSubscriptionOp{Consumer: init0ID, Subscription: 0, AutomaticRenewal: true})
	b.mine()
	renewed := func() (on bool, last ledger.OpCode) {
		b.c.View(func(s *state.State) {
			on, last = s.Subscriptions.Get(0).AutomaticRenewal, s.History.Page(init0ID, 0, 1, 0)[0].Op.Code
		})
		return on, last
	}
	voted := offer
	voted.Votes = []ledger.VoteID{0}
	b.by(b.nathan, &ledger.AccountUpdateOp{Account: nathanID, NewOptions: &voted})
	b.mine()
	if on, last := renewed(); !on || last != 28 {
		t.Errorf("a vote changed the renewal to %v, after operation %d", on, last)
	}
	dearer := offer
	dearer.PricePerSubscribe.Amount = 6
	b.by(b.nathan, &ledger.AccountUpdateOp{Account: nathanID, NewOptions: &dearer})
	b.mine()
	if on, last := renewed(); on || last != 46 {
		t.Errorf("a new price left the renewal %v, after operation %d", on, last)
	}
}
