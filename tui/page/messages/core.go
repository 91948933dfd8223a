package messages

import (
	"context"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/draft"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
)

// Box reads messages and marks conversations as read, unread or hidden.
type Box interface {
	Conversations(ctx context.Context, account ledger.AccountID, most uint32) ([]message.Conversation, error)
	Mark(ctx context.Context, mark message.Mark) error
}

// Writer builds messages.
type Writer interface {
	Write(ctx context.Context, req build.MessageParams, plain bool) (screen.Built, error)
}

// Finder finds accounts on the ledger.
type Finder interface {
	Named(ctx context.Context, nameOrID string) (ledgerview.AccountRef, error)
}

// Keeper keeps messages that were not sent as drafts; it needs no node.
type Keeper interface {
	SaveMessage(ctx context.Context, account ledger.AccountID, m draft.Message) (int64, error)
	Messages(ctx context.Context, account ledger.AccountID) ([]draft.Message, error)
	Drop(ctx context.Context, number int64) (draft.Dropped, error)
}

// Core is what the page needs of the wallet.
type Core struct {
	Box    Box
	Writer Writer
	Finder Finder
	Drafts Keeper
}
