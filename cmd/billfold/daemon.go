package main

import (
	"context"
	"time"

	"billfold/walletcore"
)

// daemonWait is the longest wait for the daemon's first answer.
const daemonWait = 5 * time.Second

// awaitDaemon waits until the daemon answers or turns out not to. It returns why it
// does not answer, "" if it does.
func (p *program) awaitDaemon(ctx context.Context) string {
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
