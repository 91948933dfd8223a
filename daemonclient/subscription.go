package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
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

func readSubscription(raw json.RawMessage) (row ledger.Subscription, err error) {
	m, err := fields(raw, "id", "from", "to", "expiration")
	if err != nil {
		return row, err
	}
	for _, member := range m {
		if member == nil {
			return row, fmt.Errorf("%s is not a subscription", quoted(raw))
		}
	}
	return row, codec.Unmarshal(raw, &row)
}

// checkSubscription expects the subscription asked for, or null.
func checkSubscription(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	row, err := readSubscription(result)
	if err == nil && row.ID.Object() != q.object(0) {
		err = fmt.Errorf("asked for %s, got %s", q.object(0), row.ID)
	}
	return err
}

// checkSubscriptionsOf expects subscriptions with the account on this side, none twice. Of active ones a node sends
// all, regardless of the limit.
func checkSubscriptionsOf(side func(ledger.Subscription) ledger.AccountID, active bool) func(question, json.RawMessage) error {
	return func(q question, result json.RawMessage) error {
		most := q.number(1)
		if active {
			most = blockSize
		}
		list, err := rows(result, most)
		if err != nil {
			return err
		}
		seen := map[ledger.SubscriptionID]bool{}
		for _, raw := range list {
			row, err := readSubscription(raw)
			switch {
			case err != nil:
				return err
			case side(row).Object() != q.object(0):
				return fmt.Errorf("got %s, from %s to %s, for %s", row.ID, row.From, row.To, q.object(0))
			case seen[row.ID]:
				return fmt.Errorf("%s occurs twice", row.ID)
			}
			seen[row.ID] = true
		}
		return nil
	}
}

func subscriber(s ledger.Subscription) ledger.AccountID { return s.From }
func author(s ledger.Subscription) ledger.AccountID     { return s.To }
