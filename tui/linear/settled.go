package linear

import (
	"context"
	"time"

	"billfold/walletcore"
)

// firstAnswer is how long the conversation waits for the first answer of a node, once.
const firstAnswer = 5 * time.Second

// settled waits while the first node is being called: nobody is told that none answers before one could.
func (d *Desk) settled(ctx context.Context) error {
	if !d.calling() {
		return ctx.Err()
	}
	if d.until.IsZero() {
		d.until = time.Now().Add(firstAnswer)
	}
	ctx, cancel := context.WithDeadline(ctx, d.until)
	defer cancel()
	_, err := waiting(ctx, d, "Calling a node", func(ctx context.Context) (bool, error) {
		for d.calling() && ctx.Err() == nil {
			select {
			case <-time.After(20 * time.Millisecond):
			case <-ctx.Done():
			}
		}
		return true, nil
	})
	return err
}

// calling reports that no node was reached yet, and that it is not known either whether one can be.
func (d *Desk) calling() bool {
	return d.opt.Core.Session.Status().Daemon == walletcore.DaemonConnecting
}
