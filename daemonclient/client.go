package daemonclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Client is the one way to the ledger: it asks the daemon that its pool has in use. It is safe for concurrent use, and
// works only while Run runs.
type Client struct {
	Queries

	cfg  Config
	pool *pool
}

// New returns a client that does nothing until Run is called.
func New(cfg Config) *Client {
	c := &Client{cfg: cfg.withDefaults(), pool: newPool(cfg.withDefaults())}
	c.Queries = newQueries(c.askPool)
	return c
}

// askPool asks the daemon in use, and if that fails, those that take over.
func (c *Client) askPool(ctx context.Context, r request) (json.RawMessage, error) {
	limited, cancel := c.limit(ctx)
	defer cancel()
	result, err := c.ask(limited, r)
	if err != nil {
		return nil, c.explain(ctx, r, err)
	}
	return result, nil
}

func (c *Client) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, c.cfg.CallTimeout, &timeoutError{after: c.cfg.CallTimeout})
}

// ask sends the request over the connection, and over the next one if that breaks.
func (c *Client) ask(ctx context.Context, r request) (json.RawMessage, error) {
	cn, err := c.pool.current(r.set)
	for attempt := 0; err == nil; attempt++ {
		var result json.RawMessage
		if result, err = cn.do(ctx, r); err == nil {
			return result, nil
		}
		if _, lied := errors.AsType[*FalseAnswerError](err); lied {
			cn, err = c.failOver(cn, r, attempt, err)
			continue
		}
		silent, lost := errors.AsType[*noAnswerError](err)
		if !lost {
			break
		}
		silent.url = cn.url
		c.pool.blame(cn, silent)
		if ctx.Err() != nil || attempt == len(c.pool.nodes) || r.set == NetworkBroadcast && silent.sent {
			break
		}
		if cn, err = c.next(ctx, cn, r.set); cn == nil && err == nil {
			err = silent
		}
	}
	return nil, err
}

// failOver distrusts the daemon that gave a false answer. For a query it returns the connection of the one that takes
// over; otherwise it returns the error.
func (c *Client) failOver(cn *conn, r request, attempt int, lie error) (*conn, error) {
	c.pool.distrust(cn, lie)
	if r.set == NetworkBroadcast {
		return nil, &noAnswerError{url: cn.url, sent: true, cause: lie}
	}
	if next, err := c.pool.current(r.set); err == nil && next != cn && attempt < len(c.pool.nodes) {
		return next, nil
	}
	return nil, lie
}

// next returns the connection after one that broke. Queries wait for it; a broadcast that was not sent uses whichever
// is there, or gets nil.
func (c *Client) next(ctx context.Context, old *conn, set Set) (*conn, error) {
	if set != NetworkBroadcast {
		return c.pool.connAfter(ctx, old)
	}
	cn, err := c.pool.current(set)
	if errors.Is(err, ErrStale) {
		return nil, err
	}
	if err != nil || cn == old {
		return nil, nil
	}
	return cn, nil
}

// explain turns the error of a connection into those that Call promises.
func (c *Client) explain(ctx context.Context, r request, err error) error {
	silent, lost := errors.AsType[*noAnswerError](err)
	switch {
	case !lost:
		return err
	case r.set == NetworkBroadcast && silent.sent:
		return &OutcomeUnknownError{Method: r.method, Err: silent.cause}
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", r.method, context.Cause(ctx))
	}
	return &UnavailableError{URL: cmp.Or(silent.url, c.pool.shownAddress()), Method: r.method, Err: silent.cause}
}

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

func sleep(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
