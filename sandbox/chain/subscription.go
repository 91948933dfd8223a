package chain

import (
	"cmp"
	"fmt"
	"slices"

	"billfold/ledger"
)

// Subscription is the object 2.15.N: From reads what To publishes.
type Subscription struct {
	ID               ledger.SubscriptionID `json:"id"`
	From             ledger.AccountID      `json:"from"`
	To               ledger.AccountID      `json:"to"`
	Expiration       ledger.Time           `json:"expiration"`
	AutomaticRenewal bool                  `json:"automatic_renewal"`
}

// between names the two sides of a subscription; there is one per pair.
type between struct{ from, to ledger.AccountID }

const daySeconds = 24 * 3600

// Subscription gives 2.15.N, or nil.
func (s *State) Subscription(id ledger.SubscriptionID) *Subscription {
	return s.subscriptions.get(uint64(id))
}

// SubscriptionsFrom gives the subscriptions of a consumer, oldest first.
func (s *State) SubscriptionsFrom(consumer ledger.AccountID) []*Subscription {
	return s.subscriptionRows(s.subscribed[consumer])
}

// SubscriptionsTo gives the subscriptions to an author, oldest first.
func (s *State) SubscriptionsTo(author ledger.AccountID) []*Subscription {
	return s.subscriptionRows(s.subscribers[author])
}

func (s *State) subscriptionRows(ids []ledger.SubscriptionID) []*Subscription {
	list := make([]*Subscription, len(ids))
	for i, id := range ids {
		list[i] = s.Subscription(id)
	}
	return list
}

// Active keeps the subscriptions that have not expired, the longest first.
func (s *State) Active(list []*Subscription) []*Subscription {
	active := []*Subscription{}
	for _, sub := range list {
		if sub.Expiration > s.HeadTime() {
			active = append(active, sub)
		}
	}
	slices.SortStableFunc(active, func(a, b *Subscription) int { return cmp.Compare(b.Expiration, a.Expiration) })
	return active
}

// subscribe begins a subscription, or prolongs the one there is: from now when
// it has expired, else from its end. The answer names a new one.
func (s *State) subscribe(from, to ledger.AccountID, days uint32) ledger.OperationResult {
	now, period := s.HeadTime(), ledger.Time(days*daySeconds)
	if id, ok := s.subscriptionOf[between{from, to}]; ok {
		s.subscriptions.change(uint64(id), func(sub *Subscription) { sub.Expiration = max(sub.Expiration, now) + period })
		return voidResult()
	}
	id := ledger.SubscriptionID(s.subscriptions.next())
	s.subscriptions.insert(&Subscription{ID: id, From: from, To: to, Expiration: now + period})
	setKey(&s.j, s.subscriptionOf, between{from, to}, id)
	appendKey(&s.j, s.subscribed, from, id)
	appendKey(&s.j, s.subscribers, to, id)
	return objectResult(id.Object())
}

// setRenewal switches the automatic renewal. The subscriptions with one are
// kept in the order in which it was switched on: that is the order they are
// renewed in.
func (s *State) setRenewal(id ledger.SubscriptionID, on bool) {
	s.subscriptions.change(uint64(id), func(sub *Subscription) { sub.AutomaticRenewal = on })
	old := s.renewals
	next := slices.DeleteFunc(slices.Clone(old), func(other ledger.SubscriptionID) bool { return other == id })
	if on {
		next = append(next, id)
	}
	s.renewals = next
	s.j.add(func() { s.renewals = old })
}

func detailOfSubscription(from, to ledger.AccountID, days uint32, price, fee ledger.AssetAmount) TransactionDetail {
	text := fmt.Sprintf("%d day", days)
	if days > 1 {
		text += "s"
	}
	return TransactionDetail{From: from, To: to, Kind: detailSubscription, Amount: price, Fee: fee, Description: text}
}
