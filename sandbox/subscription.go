package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
)

var subscriptionMethods = map[string]method{
	"get_subscription": read1(func(st *chain.State, id ledger.SubscriptionID) (any, error) {
		return st.Subscription(id), nil
	}),
	"list_subscriptions_by_consumer":        listSubscriptions((*chain.State).SubscriptionsFrom, false),
	"list_subscriptions_by_author":          listSubscriptions((*chain.State).SubscriptionsTo, false),
	"list_active_subscriptions_by_consumer": listSubscriptions((*chain.State).SubscriptionsFrom, true),
	"list_active_subscriptions_by_author":   listSubscriptions((*chain.State).SubscriptionsTo, true),
}

// listSubscriptions answers at most count of all subscriptions, but every
// active one: there the node checks the count and does not use it.
func listSubscriptions(of func(*chain.State, ledger.AccountID) []*chain.Subscription, active bool) method {
	return read2(func(st *chain.State, account ledger.AccountID, count uint32) (any, error) {
		if err := within100(count); err != nil {
			return nil, err
		}
		list := of(st, account)
		if active {
			return st.Active(list), nil
		}
		return list[:min(len(list), int(count))], nil
	})
}
