package tui

import (
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/message"
	"context"
)

// Letters are the messages between accounts, as whole texts.
type Letters interface {
	Received(ctx context.Context, receiver string, most uint32) ([]message.Message, error)
	Sent(ctx context.Context, sender string, most uint32) ([]message.Message, error)
	Write(ctx context.Context, text build.MessageParams, plain bool) (screen.Built, error)
}
