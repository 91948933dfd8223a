package api

import (
	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

var subscriptionMethods = map[string]Method{
	"get_subscription": read1(func(st *state.State, id ledger.SubscriptionID) (any, error) {
		return st.Subscriptions.Get(id), nil
	}),
	"list_subscriptions_by_consumer":        listSubscriptions(subscriptionsFrom, false),
	"list_subscriptions_by_author":          listSubscriptions(subscriptionsTo, false),
	"list_active_subscriptions_by_consumer": listSubscriptions(subscriptionsFrom, true),
	"list_active_subscriptions_by_author":   listSubscriptions(subscriptionsTo, true),
}

func subscriptionsFrom(st *state.State, consumer ledger.AccountID) []*state.Subscription {
	return st.Subscriptions.From(consumer)
}

func subscriptionsTo(st *state.State, author ledger.AccountID) []*state.Subscription {
	return st.Subscriptions.To(author)
}

// listSubscriptions makes a method that returns at most count subscriptions, or all
// active ones: for those the node checks count but does not use it.
func listSubscriptions(of func(*state.State, ledger.AccountID) []*state.Subscription, active bool) Method {
	return read2(func(st *state.State, account ledger.AccountID, count uint32) (any, error) {
		if err := within100(count); err != nil {
			return nil, err
		}
		list := of(st, account)
		if active {
			return state.Active(list, st.HeadTime()), nil
		}
		return list[:min(len(list), int(count))], nil
	})
}
