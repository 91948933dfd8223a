package daemonclient

import (
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

func subscription(raw json.RawMessage) (row ledger.Subscription, err error) {
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

// checkSubscription: the subscription that was requested, or nothing.
func checkSubscription(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	row, err := subscription(result)
	if err == nil && row.ID.Object() != q.object(0) {
		err = fmt.Errorf("asked for %s, %s came", q.object(0), row.ID)
	}
	return err
}

// subscriptionsOf: subscriptions whose account is a side, none twice. Of active ones a
// node sends all, whatever was asked for.
func subscriptionsOf(side func(ledger.Subscription) ledger.AccountID, active bool) func(question, json.RawMessage) error {
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
			row, err := subscription(raw)
			switch {
			case err != nil:
				return err
			case side(row).Object() != q.object(0):
				return fmt.Errorf("%s, from %s to %s, came for %s", row.ID, row.From, row.To, q.object(0))
			case seen[row.ID]:
				return fmt.Errorf("%s is there twice", row.ID)
			}
			seen[row.ID] = true
		}
		return nil
	}
}

func subscriber(s ledger.Subscription) ledger.AccountID { return s.From }
func author(s ledger.Subscription) ledger.AccountID     { return s.To }
