package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// SubscriptionQueries are the questions about who subscribed to whom; see Queries.
type SubscriptionQueries struct{ ask asker }

// GetSubscription returns a subscription, nil when there is none.
func (q SubscriptionQueries) GetSubscription(ctx context.Context, id ledger.SubscriptionID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_subscription", id)
}

// SubscriptionsBy lists the subscriptions of a consumer, all or the active ones; at most 100.
func (q SubscriptionQueries) SubscriptionsBy(ctx context.Context, consumer ledger.AccountID, active bool,
	count uint32) ([]json.RawMessage, error) {
	if active {
		return queryList(ctx, q.ask, Database, "list_active_subscriptions_by_consumer", consumer, count)
	}
	return queryList(ctx, q.ask, Database, "list_subscriptions_by_consumer", consumer, count)
}

// SubscriptionsTo is SubscriptionsBy for those to an author.
func (q SubscriptionQueries) SubscriptionsTo(ctx context.Context, author ledger.AccountID, active bool,
	count uint32) ([]json.RawMessage, error) {
	if active {
		return queryList(ctx, q.ask, Database, "list_active_subscriptions_by_author", author, count)
	}
	return queryList(ctx, q.ask, Database, "list_subscriptions_by_author", author, count)
}
