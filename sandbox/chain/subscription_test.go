package chain

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

const dayTime = ledger.Time(24 * 3600)

// authors is a chain where nathan takes 5 DCT for 30 days.
func authors(t *testing.T) (*bank, []ledger.PrivateKey, []ledger.PrivateKey) {
	t.Helper()
	b := newBank(t)
	nathan, reader := []ledger.PrivateKey{b.nathan}, []ledger.PrivateKey{b.init}
	b.fund(init0ID)
	b.fund(init0ID)
	b.must(b.push(nathan, offer(5_0000_0000, 30)))
	b.mine()
	return b, nathan, reader
}

func offer(price int64, days uint32) *ledger.AccountUpdateOp {
	o := ledger.NewAccountOptions(ledger.PublicKey{})
	o.AllowSubscription, o.SubscriptionPeriod = days > 0, days
	o.PricePerSubscribe.Amount = price
	return &ledger.AccountUpdateOp{Account: nathanID, NewOptions: &o}
}

func toNathan(price int64) *ledger.SubscribeOp {
	return &ledger.SubscribeOp{From: init0ID, To: nathanID, Price: ledger.AssetAmount{Amount: price}}
}

func (b *bank) subscription() (sub state.Subscription) {
	b.c.View(func(s *state.State) { sub = *s.Subscriptions.Get(0) })
	return sub
}

func TestSubscriptionIsPaidAndProlonged(t *testing.T) {
	b, nathan, reader := authors(t)
	before := b.balance(nathanID)
	begin := b.now()
	b.must(b.push(reader, toNathan(5_0000_0000)))
	b.must(b.push(reader, toNathan(6_0000_0000)))
	b.mine()
	sub := b.subscription()
	if sub.Expiration != begin+60*dayTime || sub.AutomaticRenewal || b.balance(nathanID) != before+11_0000_0000 {
		t.Errorf("the subscription is %+v, the author has %d more", sub, b.balance(nathanID)-before)
	}
	b.must(b.push(nathan, &ledger.SubscribeByAuthorOp{From: nathanID, To: nathanID}))
	b.mine()
	b.c.View(func(s *state.State) {
		if got := len(s.Subscriptions.To(nathanID)); got != 2 {
			t.Errorf("nathan has %d subscriptions", got)
		}
		if got := state.Active(s.Subscriptions.To(nathanID), s.HeadTime()); len(got) != 2 || got[0].From != init0ID {
			t.Errorf("the longest is not first: %+v", got)
		}
		d := s.Details.Search(init0ID, "-time", 0, 1)[0]
		if d.Kind != state.DetailSubscription || d.Description != "30 days" || d.Amount.Amount != 6_0000_0000 {
			t.Errorf("the detail is %+v", d)
		}
	})
	b.mineAt(sub.Expiration)
	b.c.View(func(s *state.State) {
		if got := state.Active(s.Subscriptions.From(init0ID), s.HeadTime()); len(got) != 0 || len(s.Subscriptions.From(init0ID)) != 1 {
			t.Errorf("active are %v", got)
		}
	})
	b.mineAt(sub.Expiration + 100)
	now := b.now()
	b.must(b.push(reader, toNathan(5_0000_0000)))
	b.mine()
	if got := b.subscription().Expiration; got != now+30*dayTime {
		t.Errorf("it begins anew until %s, want %s", got, now+30*dayTime)
	}
}

func TestSubscriptionRefusals(t *testing.T) {
	b, _, reader := authors(t)
	b.must(b.push(reader, toNathan(5_0000_0000)))
	b.mine()
	renewal := func(consumer ledger.AccountID, id ledger.SubscriptionID, on bool) *ledger.AutomaticRenewalOfSubscriptionOp {
		return &ledger.AutomaticRenewalOfSubscriptionOp{Consumer: consumer, Subscription: id, AutomaticRenewal: on}
	}
	b.refuses(t, []refusal{
		{"negative price", reader, toNathan(-1), nodeerr.CodeValidate, "price.amount >= 0"},
		{"too cheap", reader, toNathan(4_9999_9999), nodeerr.CodeAssert, "op.price >= dct_price"},
		{"too dear", reader, toNathan(21_0000_0000), nodeerr.CodeAssert, "op.price <= db().get_balance"},
		{"nobody", reader, &ledger.SubscribeOp{From: init0ID, To: 999}, nodeerr.CodeAssert, "to_account != idx.end()"},
		{"no offer", reader, &ledger.SubscribeOp{From: init0ID, To: init1ID}, nodeerr.CodeAssert, "to_account->options.allow_subscription"},
		{"no offer, unpaid", reader, &ledger.SubscribeByAuthorOp{From: init0ID, To: init1ID}, nodeerr.CodeAssert,
			"to_account->options.allow_subscription"},
		{"renewal of nothing", reader, renewal(init0ID, 9, true), nodeerr.CodeAssert, "subscription != idx2.end()"},
		{"another's renewal", reader, renewal(init1ID, 0, true), nodeerr.CodeAssert, "subscription->from == op.consumer"},
		{"renewal as it is", reader, renewal(init0ID, 0, false), nodeerr.CodeAssert,
			"subscription->automatic_renewal != op.automatic_renewal"},
	})
}

// lastRecord is the newest in the consumer's history.
func (b *bank) lastRecord() (r ledger.HistoryRecord) {
	b.c.View(func(s *state.State) { r = *s.History.Page(init0ID, 0, 1, 0)[0] })
	return r
}

func TestRenewalAtMaintenanceIsVirtual(t *testing.T) {
	b, _, reader := authors(t)
	b.must(b.push(reader, toNathan(5_0000_0000)))
	b.must(b.push(reader, &ledger.AutomaticRenewalOfSubscriptionOp{Consumer: init0ID, AutomaticRenewal: true}))
	b.mine()
	sub := b.subscription()
	b.mineAt(sub.Expiration - 3*dayTime)
	if got := b.subscription(); got.Expiration != sub.Expiration {
		t.Fatalf("it was renewed days too early: %+v", got)
	}
	had := b.balance(init0ID)
	b.must(b.push([]ledger.PrivateKey{b.nathan}, pay(nathanID, init1ID, 1)))
	b.mineAt(sub.Expiration - 3600)
	if got := b.subscription(); got.Expiration != sub.Expiration+30*dayTime || !got.AutomaticRenewal ||
		b.balance(init0ID) != had-5_0000_0000 {
		t.Fatalf("it was not renewed: %+v, %d paid", got, had-b.balance(init0ID))
	}
	r := b.lastRecord()
	if _, ok := r.Op.Body.(*ledger.RenewalOfSubscriptionOp); !ok || r.TrxInBlock != 1 || r.OpInTrx != 1 || r.VirtualOp != 0 {
		t.Errorf("the record is %+v", r)
	}
	b.c.View(func(s *state.State) {
		if c := s.BalanceChanges(init0ID, state.BalanceFilter{}, 0, 1); c[0].Record.ID == r.ID {
			t.Error("the renewal is shown as a change of balance; the node hides it")
		}
	})
	b.must(b.push(reader, pay(init0ID, nathanID, b.balance(init0ID)-100000)))
	b.mineAt(sub.Expiration + 30*dayTime - 3600)
	if got := b.subscription(); got.AutomaticRenewal || got.Expiration != sub.Expiration+30*dayTime {
		t.Errorf("without money it is %+v", got)
	}
	if r := b.lastRecord(); fmt.Sprintf("%T", r.Op.Body) != "*ledger.DisallowAutomaticRenewalOfSubscriptionOp" {
		t.Errorf("the record is %+v", r)
	}
}

func TestChangedOfferEndsRenewals(t *testing.T) {
	b, nathan, reader := authors(t)
	b.must(b.push(reader, toNathan(5_0000_0000)))
	b.must(b.push(reader, &ledger.AutomaticRenewalOfSubscriptionOp{Consumer: init0ID, AutomaticRenewal: true}))
	b.must(b.push(nathan, offer(6_0000_0000, 30)))
	b.mine()
	if got := b.subscription(); got.AutomaticRenewal {
		t.Errorf("the subscription is %+v", got)
	}
	r := b.lastRecord()
	if _, ok := r.Op.Body.(*ledger.DisallowAutomaticRenewalOfSubscriptionOp); !ok || r.TrxInBlock != 2 {
		t.Errorf("the record is %+v", r)
	}
}
