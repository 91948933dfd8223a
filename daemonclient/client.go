package daemonclient

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"billfold/ledger"
)

// Client is the one way to a daemon. Its methods may be used by many goroutines
// at once; it is of use only while Run runs.
type Client struct {
	cfg      Config
	shownURL string

	mu          sync.Mutex
	running     bool
	line        *line // nil unless Online
	status      Status
	reason      error         // behind status.LastError
	changed     chan struct{} // closed and replaced at each change of state
	subscribers map[chan Event]struct{}
}

// New makes a client that does nothing until Run is called.
func New(cfg Config) *Client {
	c := &Client{
		cfg:         cfg.filled(),
		shownURL:    shownURL(cfg.URL),
		changed:     make(chan struct{}),
		subscribers: map[chan Event]struct{}{},
	}
	c.status = Status{State: Connecting, URL: c.shownURL, ChainID: cfg.ChainID, Since: time.Now()}
	return c
}

// steadyAfter is how long a line must have held for its loss to be met with the
// shortest pause again; a daemon that accepts and drops is not hammered.
const steadyAfter = 5 * time.Second

// Run keeps the line to the daemon until ctx ends, and then returns nil. It
// returns an error at once when the address cannot be used at all, or ErrRunning.
// When it returns, every goroutine it started has ended.
func (c *Client) Run(ctx context.Context) error {
	if err := c.begin(); err != nil {
		return err
	}
	defer c.end()
	pause := c.cfg.MinBackoff
	for ctx.Err() == nil {
		held, err := c.keepLine(ctx)
		if ctx.Err() != nil {
			break
		}
		if held > steadyAfter {
			pause = c.cfg.MinBackoff
		}
		c.goDown(err)
		sleep(ctx, jitter(pause))
		pause = min(2*pause, c.cfg.MaxBackoff)
	}
	return nil
}

func (c *Client) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return ErrRunning
	}
	if err := checkURL(c.cfg.URL); err != nil {
		c.setStateLocked(Offline, err)
		return err
	}
	c.running = true
	return nil
}

func (c *Client) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running, c.line = false, nil
	c.setStateLocked(Offline, errStopped)
}

// keepLine connects, and returns when the line has ended and all that belongs
// to it: how long it was up, and why it is not any more.
func (c *Client) keepLine(ctx context.Context) (held time.Duration, err error) {
	l, chain, err := c.connect(ctx)
	if err != nil {
		return 0, err
	}
	since := time.Now()
	c.goUp(l, chain)
	select {
	case <-l.done:
	case <-ctx.Done():
	}
	c.goDown(l.reason())
	l.hangUp(errStopped)
	return time.Since(since), l.reason()
}

// goUp makes the line available to calls.
func (c *Client) goUp(l *line, chain ledger.ChainID) {
	c.mu.Lock()
	c.line = l
	c.status.ChainID = chain
	c.setStateLocked(Online, nil)
	c.mu.Unlock()
	c.cfg.Logger.Info("daemon online", "url", c.shownURL, "chain", chain.String())
}

// goDown keeps calls off a line that has ended, or never came about, and says
// why. Without a reason it was Run that ended, and end says so.
func (c *Client) goDown(reason error) {
	c.mu.Lock()
	c.line = nil
	before, state := c.status.State, stateFor(reason)
	if reason != nil {
		c.setStateLocked(state, reason)
	}
	c.mu.Unlock()
	if reason != nil && state != before {
		c.cfg.Logger.Warn("daemon "+state.String(), "url", c.shownURL, "reason", reason.Error())
	}
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
