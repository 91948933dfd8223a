package messages

import (
	"context"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
)

// Box reads messages, and remembers up to where.
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

// Core is what the page needs of the wallet.
type Core struct {
	Box    Box
	Writer Writer
	Finder Finder
}
