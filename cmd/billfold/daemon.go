package main

import (
	"context"
	"time"

	"billfold/walletcore"
)

// daemonWait is for the daemon's first answer.
const daemonWait = 5 * time.Second

// away waits for the daemon, but not longer than it takes to learn that it is
// away, and returns why; "" means that it answers.
func (p *program) away(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, daemonWait)
	defer cancel()
	events, stop := p.wallet.Subscribe()
	defer stop()
	for {
		switch now := p.wallet.Status(); now.Daemon {
		case walletcore.DaemonOnline:
			return ""
		case walletcore.DaemonOffline, walletcore.DaemonWrongChain:
			return now.DaemonURL + ": " + now.DaemonError
		case walletcore.DaemonConnecting:
		}
		select {
		case <-events:
		case <-ctx.Done():
			return "it did not answer in time"
		}
	}
}
