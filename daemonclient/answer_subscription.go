package daemonclient

import (
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

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
