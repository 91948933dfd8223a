package tui

import (
	"billfold/tui/screen"
	"billfold/walletcore"
	"billfold/walletcore/build"
	"billfold/walletcore/message"
	"context"
)

// LettersOf are the messages of a wallet's accounts.
func LettersOf(w *walletcore.Wallet) Letters { return letters{w.Messages, payer{w.Payments}} }

// letters reads messages and builds new ones.
type letters struct {
	*message.Reader
	payer payer
}

// Write implements Letters.
func (l letters) Write(ctx context.Context, text build.MessageParams, plain bool) (screen.Built, error) {
	return l.payer.Write(ctx, text, plain)
}
