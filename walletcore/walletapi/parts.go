package walletapi

import (
	"context"

	"billfold/walletcore/deposit"
)

// Deposits lists incoming transfers, and keeps the position up to which each account's were acknowledged.
type Deposits interface {
	Next(ctx context.Context, account string, limit uint32) ([]deposit.Deposit, error)
	Since(ctx context.Context, account, position string, limit uint32) ([]deposit.Deposit, error)
	Ack(ctx context.Context, account, position string, unread bool) (bool, error)
}

// Subscriber is a connection that events are sent to.
type Subscriber interface {
	// Subscribe adds topics; with a position, the events after it are sent again.
	Subscribe(topics []string, position string) (Subscription, error)
	// Unsubscribe removes topics, or all of them if none is named.
	Unsubscribe(topics []string) (Subscription, error)
}

// Subscription holds the topics that a connection is subscribed to.
type Subscription struct {
	Topics   []string `json:"topics"`
	Position string   `json:"position"` // of the last event that was sent
}
