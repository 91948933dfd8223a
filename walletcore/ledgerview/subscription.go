package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// subscriptionReader is the daemon as subscriptions are read from it.
type subscriptionReader interface {
	GetSubscription(ctx context.Context, id ledger.SubscriptionID) (json.RawMessage, error)
	SubscriptionsBy(ctx context.Context, consumer ledger.AccountID, active bool, count uint32) ([]json.RawMessage, error)
	SubscriptionsTo(ctx context.Context, author ledger.AccountID, active bool, count uint32) ([]json.RawMessage, error)
}

// Subscriptions reads who subscribed to whom.
type Subscriptions struct {
	daemon   subscriptionReader
	accounts *Accounts
}

// By lists the subscriptions of an account, by name or id: all, or the active ones; at most 100.
func (s *Subscriptions) By(ctx context.Context, consumer string, active bool, count uint32) ([]json.RawMessage, error) {
	account, err := s.accounts.Get(ctx, consumer)
	if err != nil {
		return nil, err
	}
	found, err := s.daemon.SubscriptionsBy(ctx, account.ID, active, count)
	return found, daemonFault("listing subscriptions", err)
}

// To is By for the subscriptions to an author.
func (s *Subscriptions) To(ctx context.Context, author string, active bool, count uint32) ([]json.RawMessage, error) {
	account, err := s.accounts.Get(ctx, author)
	if err != nil {
		return nil, err
	}
	found, err := s.daemon.SubscriptionsTo(ctx, account.ID, active, count)
	return found, daemonFault("listing subscriptions", err)
}

// Active reports whether an account subscribes to an author now, as far as the first hundred of its subscriptions show.
func (s *Subscriptions) Active(ctx context.Context, consumer, author ledger.AccountID) (bool, error) {
	const most = 100
	found, err := s.By(ctx, consumer.String(), true, most)
	for _, raw := range found {
		var one ledger.Subscription
		if err := codec.Unmarshal(raw, &one); err != nil {
			return false, fault.Daemon("listing subscriptions", err)
		}
		if one.To == author {
			return true, nil
		}
	}
	return false, err
}

// Get reads a subscription. Error: fault.NoSuchSubscription, or the daemon's.
func (s *Subscriptions) Get(ctx context.Context, id ledger.SubscriptionID) (*ledger.Subscription, error) {
	raw, err := s.daemon.GetSubscription(ctx, id)
	raw, err = single([]json.RawMessage{raw}, err, "reading the subscription", &fault.Error{Code: fault.NoSuchSubscription,
		Message: "there is no subscription " + id.String(), Hint: "list_subscriptions_by_consumer shows those of an account"})
	if err != nil {
		return nil, err
	}
	found := new(ledger.Subscription)
	if err := codec.Unmarshal(raw, found); err != nil {
		return nil, fault.Daemon("reading the subscription "+id.String(), err)
	}
	return found, nil
}
