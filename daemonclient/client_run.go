package daemonclient

import (
	"cmp"
	"context"
	"errors"
	"sync"
)

// Run keeps the connections to the daemons until ctx ends, and then returns nil. It fails at once if an address is
// unusable, or with ErrRunning. When it returns, every goroutine it started has ended.
func (c *Client) Run(ctx context.Context) error {
	if err := c.pool.start(); err != nil {
		return err
	}
	defer c.pool.stop()
	var keepers sync.WaitGroup
	for _, n := range c.pool.nodes {
		keepers.Go(func() { newKeeper(c.pool, n).run(ctx) })
	}
	if len(c.pool.nodes) > 1 {
		sleep(ctx, settleTime)
		if ctx.Err() == nil {
			c.pool.change(func() { c.pool.decided = true })
		}
	}
	<-ctx.Done()
	keepers.Wait()
	return nil
}

// Status returns the client's state.
func (c *Client) Status() Status { return c.pool.Status() }

// InUse returns the part of the state that each payment needs; it is quicker than Status.
func (c *Client) InUse() InUse { return c.pool.inUse() }

// Epoch returns a number that changes with every new head block, daemon in use and connection, before anybody is
// notified of them: answers requested at the same number are of one head block, as one daemon sees it.
func (c *Client) Epoch() uint64 { return c.pool.epoch.Load() }

// Subscribe returns the events from now on; read Status after it for the state to start from. A subscriber that does
// not keep up loses older events, never the latest state and the latest block. cancel closes the channel and may be
// called more than once.
func (c *Client) Subscribe() (events <-chan Event, cancel func()) { return c.pool.Subscribe() }

// Pin makes the daemon with this address (as given in Config) the one to use whenever it can be reached, answers and is
// not stale; "" leaves the choice to the client again. It applies to the next broadcast already.
func (c *Client) Pin(address string) error { return c.pool.Pin(address) }

// Check probes every daemon now, and redials at once those that are away; the results are in Status soon after. A
// daemon that was refused for belonging to another chain is not tried again.
func (c *Client) Check() {
	for _, n := range c.pool.nodes {
		n.requestProbe()
	}
}

// WaitOnline waits until calls can be made. It returns early with ErrWrongChain, because waiting does not help then; if
// ctx ends first, the error is ErrUnavailable and contains why the daemon is away.
func (c *Client) WaitOnline(ctx context.Context) error {
	_, err := c.pool.connAfter(ctx, nil)
	return c.unavailable(err)
}

// Trusted returns nil if a daemon would be trusted with a payment now, else the error with which a broadcast would fail
// at once: ErrUnavailable (including ErrStale) or ErrWrongChain.
func (c *Client) Trusted() error {
	_, err := c.pool.current(NetworkBroadcast)
	return c.unavailable(err)
}

// unavailable turns a missing answer into an UnavailableError with the daemon's address.
func (c *Client) unavailable(err error) error {
	if u, ok := errors.AsType[*noAnswerError](err); ok {
		return &UnavailableError{URL: cmp.Or(u.url, c.pool.shownAddress()), Err: u.cause}
	}
	return err
}

// Quorum returns how many daemons AskQuorum asks; 1 means only the one in use.
func (c *Client) Quorum() int { return max(1, c.cfg.Quorum) }
