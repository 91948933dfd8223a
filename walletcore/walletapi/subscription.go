package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/txbuild"
)

type subscriptionsParams struct {
	Account string `json:"account_id_or_name" role:"account" help:"account name or id"`
	Count   uint32 `json:"count" help:"at most 100"`
}

// subscriptionList declares an operation that lists the subscriptions by or to an account.
func subscriptionList(name, help string, list work[subscriptionsParams, rawList[ledger.Subscription]]) *Method {
	return read(name, doc{Help: help, Examples: []string{"alice 10"}}, list)
}

func subscriptionMethods() []*Method {
	return []*Method{
		subscriptionList("list_active_subscriptions_by_consumer", "Lists the subscriptions of an account that have not run out.",
			func(ctx context.Context, w *Core, p subscriptionsParams) (rawList[ledger.Subscription], error) {
				return w.View.Subscriptions.By(ctx, p.Account, true, p.Count)
			}),
		subscriptionList("list_subscriptions_by_consumer", "Lists the subscriptions of an account.",
			func(ctx context.Context, w *Core, p subscriptionsParams) (rawList[ledger.Subscription], error) {
				return w.View.Subscriptions.By(ctx, p.Account, false, p.Count)
			}),
		subscriptionList("list_active_subscriptions_by_author", "Lists the subscriptions to an author that have not run out.",
			func(ctx context.Context, w *Core, p subscriptionsParams) (rawList[ledger.Subscription], error) {
				return w.View.Subscriptions.To(ctx, p.Account, true, p.Count)
			}),
		subscriptionList("list_subscriptions_by_author", "Lists the subscriptions to an author.",
			func(ctx context.Context, w *Core, p subscriptionsParams) (rawList[ledger.Subscription], error) {
				return w.View.Subscriptions.To(ctx, p.Account, false, p.Count)
			}),
		spend("subscribe_to_author", doc{Help: "Subscribes to an author for the period and price that the author set.",
			Examples: []string{"alice bobby 5 DCT true"}}, txbuild.SubscribeToAuthor),
		spend("subscribe_by_author", doc{Help: "Subscribes to an author without payment; the subscriber signs.",
			Examples: []string{"alice bobby true"}}, txbuild.SubscribeByAuthor),
		spend("set_subscription", doc{Help: "Sets whether an account can be subscribed to, for how long and for what price.",
			Examples: []string{"alice true 30 5 DCT true"}}, txbuild.SetSubscription),
		spend("set_automatic_renewal_of_subscription", doc{Help: "Sets whether a subscription is paid again when it runs out.",
			Examples: []string{"alice 2.15.0 true true"}}, txbuild.SetAutomaticRenewal),
	}
}
