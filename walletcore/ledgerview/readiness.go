package ledgerview

import (
	"context"
	"fmt"

	"billfold/daemonclient"
	"billfold/walletcore/fault"
)

// NotReady returns why the ledger cannot be relied on now, in one sentence; "" when it
// can. It changes within 2 s of what happens to the daemon, and names no address:
// whoever reaches a port may ask for it.
func (c *Chain) NotReady() string {
	s := c.daemon.Status()
	switch s.Condition {
	case daemonclient.LoggedOut:
		return "login refused: the daemon does not know this user or password"
	case daemonclient.Restricted:
		return "login refused: the daemon takes no payments from this login"
	case daemonclient.Missing:
		return "the wallet waits for its daemon"
	case daemonclient.Foreign:
		return "the daemon belongs to another chain"
	case daemonclient.Frozen:
		return "the daemon is connected but does not answer"
	case daemonclient.Distrusted:
		return "the daemon gave a false answer within the last minute"
	case daemonclient.TooOld:
		return fmt.Sprintf("the daemon is stale: its newest block, #%d, is from %s UTC", s.Head.Num(), s.HeadTime)
	case daemonclient.Ahead:
		return fmt.Sprintf("the daemon's newest block, #%d, is in the future: %s UTC", s.Head.Num(), s.HeadTime)
	case daemonclient.Ready, daemonclient.Behind, daemonclient.RolledBack:
	}
	if l := c.position.lacked(); l != (LackedBlock{}) && l.Daemon == s.URL {
		return fmt.Sprintf("the daemon's chain lacks block %d, which is proven irreversible", l.Block)
	}
	return ""
}

// WhileAnswered returns a context that ends when the daemon is found frozen, so that
// a caller is told so instead of waiting for an answer. stop must be called.
func (c *Chain) WhileAnswered(ctx context.Context) (limited context.Context, stop func()) {
	limited, cancel := context.WithCancelCause(ctx)
	events, end := c.daemon.Subscribe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range events {
			if c.daemon.Status().Condition == daemonclient.Frozen {
				cancel(errFrozen)
			}
		}
	}()
	if c.daemon.Status().Condition == daemonclient.Frozen { // before anybody listened
		cancel(errFrozen)
	}
	return limited, func() {
		end()
		cancel(nil)
		<-done
	}
}

var errFrozen = &fault.Error{
	Code: fault.DaemonAway, Op: "daemon", Message: "the daemon is connected but does not answer",
	Hint: "add another daemon with --daemon-url; an open wallet keeps trying",
}
