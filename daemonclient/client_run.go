package daemonclient

import (
	"cmp"
	"context"
	"errors"
	"sync"
)

// Run keeps the connections to the daemons until ctx ends, and then returns nil. It
// returns an error at once when an address cannot be used at all, or ErrRunning.
// When it returns, every goroutine it started has ended.
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

// Status reads the client's state.
func (c *Client) Status() Status { return c.pool.Status() }

// InUse reads what each payment asks of the state, which is quicker.
func (c *Client) InUse() InUse { return c.pool.inUse() }

// Epoch returns a number that another head block, another daemon in use and another
// connection change, before anybody is notified of them: answers that were requested at one
// number are of one head block, as one daemon sees it.
func (c *Client) Epoch() uint64 { return c.pool.epoch.Load() }

// Subscribe returns the events from now on; read Status after it for the state to
// start from. A subscriber that does not keep up loses older events, never the latest
// state and the latest block. cancel closes the channel and may be called more than
// once.
func (c *Client) Subscribe() (events <-chan Event, cancel func()) { return c.pool.Subscribe() }

// Pin makes the daemon with this address (as given in Config) the one to use
// whenever it can be reached, answers and is not stale; "" leaves the choice to the
// client again. It holds for the next broadcast as well.
func (c *Client) Pin(address string) error { return c.pool.Pin(address) }

// Check probes every daemon now, and tries at once those that are away; what it finds is in
// Status soon after. A daemon of another chain that was refused is not tried again.
func (c *Client) Check() {
	for _, n := range c.pool.nodes {
		n.requestProbe()
	}
}

// WaitOnline waits until calls can be made. It returns early with ErrWrongChain,
// because waiting does not help there; when ctx ends first, the error is
// ErrUnavailable and says why the daemon is away.
func (c *Client) WaitOnline(ctx context.Context) error {
	_, err := c.pool.connAfter(ctx, nil)
	return c.unavailable(err)
}

// Trusted is nil when a payment could be given to a daemon now; else the error
// with which a broadcast would fail at once: ErrUnavailable, ErrStale among them,
// or ErrWrongChain.
func (c *Client) Trusted() error {
	_, err := c.pool.current(NetworkBroadcast)
	return c.unavailable(err)
}

// unavailable names the daemon that has no connection.
func (c *Client) unavailable(err error) error {
	if u, ok := errors.AsType[*noAnswerError](err); ok {
		return &UnavailableError{URL: cmp.Or(u.url, c.pool.shownAddress()), Err: u.cause}
	}
	return err
}

// Quorum returns how many daemons AskQuorum asks, 1 when only the one in use.
func (c *Client) Quorum() int { return max(1, c.cfg.Quorum) }
