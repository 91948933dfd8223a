package tui

import (
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/message"
	"context"
)

// letters reads messages of a wallet's accounts and builds new ones.
type letters struct {
	*message.Reader
	payer payer
}

// Write implements Letters.
func (l letters) Write(ctx context.Context, text build.MessageParams, plain bool) (screen.Built, error) {
	return l.payer.Write(ctx, text, plain)
}
