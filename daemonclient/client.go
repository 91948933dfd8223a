package daemonclient

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// Client is the one way to the ledger: a pool of one or more daemons of which
// one is in use. Its methods may be used by many goroutines at once; it is of
// use only while Run runs.
type Client struct {
	Queries

	cfg     Config
	nodes   []*node
	probing bool // heads and answers are watched

	mu          sync.Mutex
	running     bool
	settled     bool   // the first daemon to come decides about the chain
	active      *node  // nil unless Online
	pinned      string // an address; empty when the client chooses
	chooser     chooser
	ending      []ending // to be closed once the mutex is free
	status      Status
	reason      error         // behind status.LastError
	changed     chan struct{} // closed and replaced at each change of state
	subscribers map[chan Event]struct{}
}

// New makes a client that does nothing until Run is called.
func New(cfg Config) *Client {
	c := &Client{
		cfg:         cfg.filled(),
		probing:     len(cfg.URLs) > 0,
		pinned:      cfg.Pin,
		changed:     make(chan struct{}),
		subscribers: map[chan Event]struct{}{},
	}
	c.Queries = Queries{call: c.askPool}
	for _, address := range c.cfg.addresses() {
		c.nodes = append(c.nodes, newNode(address))
	}
	c.chooser = chooser{current: -1, rule: rule{
		lagAfter: c.cfg.LagAfter, staleAfter: c.cfg.StaleAfter, aheadAfter: c.cfg.AheadAfter, switchAfter: c.cfg.SwitchAfter,
	}}
	c.status = Status{State: Connecting, URL: c.nodes[0].shown, ChainID: cfg.ChainID, Since: time.Now(), Pinned: shownPin(cfg.Pin)}
	return c
}

// Run keeps the connections to the daemons until ctx ends, and then returns nil. It
// returns an error at once when an address cannot be used at all, or ErrRunning.
// When it returns, every goroutine it started has ended.
func (c *Client) Run(ctx context.Context) error {
	if err := c.start(); err != nil {
		return err
	}
	defer c.stop()
	var parts sync.WaitGroup
	for _, n := range c.nodes {
		parts.Go(func() { c.maintain(ctx, n) })
	}
	if len(c.nodes) > 1 {
		sleep(ctx, settleTime)
		if ctx.Err() == nil {
			c.change(func() { c.settled = true })
		}
	}
	<-ctx.Done()
	parts.Wait()
	return nil
}

func (c *Client) start() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return ErrRunning
	}
	if err := c.cfg.checkAddresses(); err != nil {
		c.setStateLocked(Offline, err)
		return err
	}
	c.running, c.settled = true, len(c.nodes) == 1
	for _, n := range c.nodes {
		n.setLocked(Connecting, nil)
	}
	return nil
}

func (c *Client) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running, c.active, c.chooser.current = false, nil, -1
	for _, n := range c.nodes {
		n.conn = nil
		n.setLocked(Offline, errStopped)
	}
	c.setStateLocked(Offline, errStopped)
}

// jitter spreads a pause over its second half, so that many wallets do not come
// back to a restarted daemon in step.
func jitter(pause time.Duration) time.Duration {
	return pause/2 + rand.N(pause/2+1)
}

func sleep(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
