package state

import (
	"cmp"
	"slices"

	"billfold/ledger"
)

// Subscription is the object 2.15.N: From subscribes to what To publishes.
type Subscription struct {
	ID               ledger.SubscriptionID `json:"id"`
	From             ledger.AccountID      `json:"from"`
	To               ledger.AccountID      `json:"to"`
	Expiration       ledger.Time           `json:"expiration"`
	AutomaticRenewal bool                  `json:"automatic_renewal"`
}

// Subscriptions are the objects 2.15.N, one for each pair of accounts.
type Subscriptions struct {
	table[ledger.SubscriptionID, Subscription]
	between  index[pair, ledger.SubscriptionID]
	from     lists[ledger.AccountID, ledger.SubscriptionID]
	to       lists[ledger.AccountID, ledger.SubscriptionID]
	renewals cell[[]ledger.SubscriptionID]
}

type pair struct{ from, to ledger.AccountID }

func newSubscriptions(j *journal) Subscriptions {
	s := Subscriptions{
		between: newIndex[pair, ledger.SubscriptionID](j), from: newLists[ledger.AccountID, ledger.SubscriptionID](j),
		to: newLists[ledger.AccountID, ledger.SubscriptionID](j),
	}
	s.table.j, s.renewals.j = j, j
	return s
}

// From returns the subscriptions of a consumer, oldest first.
func (s *Subscriptions) From(consumer ledger.AccountID) []*Subscription {
	return s.pick(s.from.of(consumer))
}

// To returns the subscriptions to an author, oldest first.
func (s *Subscriptions) To(author ledger.AccountID) []*Subscription {
	return s.pick(s.to.of(author))
}

// Between returns the subscription of one account to another, or nil.
func (s *Subscriptions) Between(from, to ledger.AccountID) *Subscription {
	if id, ok := s.between.find(pair{from, to}); ok {
		return s.Get(id)
	}
	return nil
}

// Add inserts a subscription under the next id.
func (s *Subscriptions) Add(from, to ledger.AccountID, expiration ledger.Time) ledger.SubscriptionID {
	id := s.Next()
	s.insert(&Subscription{ID: id, From: from, To: to, Expiration: expiration})
	s.between.set(pair{from, to}, id)
	s.from.add(from, id)
	s.to.add(to, id)
	return id
}

// Renewals returns the subscriptions with automatic renewal in the order in which
// it was switched on, which is also the order of renewal.
func (s *Subscriptions) Renewals() []ledger.SubscriptionID { return s.renewals.value }

// SetRenewal switches the automatic renewal on or off.
func (s *Subscriptions) SetRenewal(id ledger.SubscriptionID, on bool) {
	s.Change(id, func(sub *Subscription) { sub.AutomaticRenewal = on })
	next := slices.DeleteFunc(slices.Clone(s.renewals.value), func(other ledger.SubscriptionID) bool { return other == id })
	if on {
		next = append(next, id)
	}
	s.renewals.set(next)
}

// Active returns the subscriptions that have not expired, the latest to expire first.
func Active(list []*Subscription, now ledger.Time) []*Subscription {
	kept := []*Subscription{}
	for _, sub := range list {
		if sub.Expiration > now {
			kept = append(kept, sub)
		}
	}
	slices.SortStableFunc(kept, func(a, b *Subscription) int { return cmp.Compare(b.Expiration, a.Expiration) })
	return kept
}
