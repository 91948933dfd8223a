package walletapi

import (
	"context"

	"billfold/ledger"
)

type subscriptionsParams struct {
	Account string `json:"account_id_or_name" role:"account" help:"account name or id"`
	Count   uint32 `json:"count" help:"at most 100"`
}

// subscriptionList declares a list of the subscriptions by or to an account.
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
	}
}
