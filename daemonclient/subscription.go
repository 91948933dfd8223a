package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// SubscriptionQueries are the queries about subscriptions; see Queries.
type SubscriptionQueries struct{ ask asker }

// GetSubscription returns a subscription, nil if there is none.
func (q SubscriptionQueries) GetSubscription(ctx context.Context, id ledger.SubscriptionID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_subscription", id)
}

// SubscriptionsBy lists at most 100 subscriptions of a consumer, all of them or only the active ones.
func (q SubscriptionQueries) SubscriptionsBy(ctx context.Context, consumer ledger.AccountID, active bool,
	count uint32) ([]json.RawMessage, error) {
	if active {
		return queryList(ctx, q.ask, Database, "list_active_subscriptions_by_consumer", consumer, count)
	}
	return queryList(ctx, q.ask, Database, "list_subscriptions_by_consumer", consumer, count)
}

// SubscriptionsTo is SubscriptionsBy for the subscriptions to an author.
func (q SubscriptionQueries) SubscriptionsTo(ctx context.Context, author ledger.AccountID, active bool,
	count uint32) ([]json.RawMessage, error) {
	if active {
		return queryList(ctx, q.ask, Database, "list_active_subscriptions_by_author", author, count)
	}
	return queryList(ctx, q.ask, Database, "list_subscriptions_by_author", author, count)
}
