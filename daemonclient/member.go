package daemonclient

import (
	"context"
	"errors"
	"time"

	"billfold/ledger"
)

// node is one daemon of the pool. Everything below the address is guarded by
// the client's mutex.
type node struct {
	url   string
	shown string // without secrets

	conn     *conn // nil unless its connection is up
	chain    ledger.ChainID
	state    State
	since    time.Time
	reason   error // why it is not Online
	silent   bool
	lastLie  time.Time // when it was last caught at a false answer; zero: never
	head     ledger.BlockID
	headSeen time.Time
	probed   bool        // headTime is known, be it 0
	headTime ledger.Time // of the latest head that a probe showed
	highest  uint32      // number of the highest head that a probe showed
	ownClock bool        // its age means nothing
	trips    roundTrips
	faults   faults

	probeNow chan struct{} // probe it now
}

func newNode(address string) *node {
	return &node{url: address, shown: shownURL(address), since: time.Now(), probeNow: make(chan struct{}, 1)}
}

// setLocked records a state; Since moves when it is another one.
func (n *node) setLocked(state State, reason error) {
	if n.state != state {
		n.since = time.Now()
	}
	n.state, n.reason = state, reason
}

// distrustTime is how long a daemon that gave a false answer comes after all others
// that answer.
const distrustTime = time.Minute

func (n *node) distrusted(now time.Time) bool {
	return !n.lastLie.IsZero() && now.Sub(n.lastLie) < distrustTime
}

// requestProbe lets the daemon be probed without waiting for its turn.
func (n *node) requestProbe() {
	select {
	case n.probeNow <- struct{}{}:
	default:
	}
}

// headAge is 0 when daemons are not probed, and when it means nothing; negative
// when the head lies in the future.
func (n *node) headAge(now time.Time) time.Duration {
	if !n.probed || n.ownClock {
		return 0
	}
	return now.Sub(n.headTime.Time())
}

// lostBlocks is how many blocks the daemon had and does not have any more.
func (n *node) lostBlocks() uint32 {
	if !n.probed || n.head.Num() > n.highest {
		return 0
	}
	return n.highest - n.head.Num()
}

func (n *node) latency() time.Duration {
	if n.conn == nil {
		return 0
	}
	return time.Duration(n.conn.latency.Load())
}

// steadyAfter is how long a connection must have held for its loss to be met with the
// shortest pause again; a daemon that accepts and drops is not hammered.
const steadyAfter = 5 * time.Second

// maintain keeps the connection to one daemon until ctx ends, or until the daemon turns
// out to be of another chain while there are others to choose from.
func (c *Client) maintain(ctx context.Context, n *node) {
	pause := c.cfg.MinBackoff
	for ctx.Err() == nil {
		held, err := c.holdConn(ctx, n)
		if ctx.Err() != nil {
			return
		}
		if held > steadyAfter {
			pause = c.cfg.MinBackoff
		}
		if held == 0 {
			c.markDown(n, nil, err)
		}
		if errors.Is(err, ErrWrongChain) && len(c.nodes) > 1 {
			return
		}
		sleep(ctx, jitter(pause))
		pause = min(2*pause, c.cfg.MaxBackoff)
	}
}

// holdConn connects, and returns when the connection has ended and all that belongs
// to it: how long it was up, and why it is not any more.
func (c *Client) holdConn(ctx context.Context, n *node) (held time.Duration, err error) {
	cn, seen, err := c.connect(ctx, n)
	if err != nil {
		return 0, err
	}
	since := time.Now()
	c.markUp(n, cn, seen)
	c.probeLoop(ctx, n, cn)
	if ctx.Err() != nil {
		cn.fail(errStopped)
	}
	c.markDown(n, cn, cn.reason())
	cn.close(errStopped)
	return max(time.Since(since), 1), cn.reason()
}

// markUp makes the daemon a candidate.
func (c *Client) markUp(n *node, cn *conn, seen probeResult) {
	c.change(func() {
		n.conn, n.chain, n.silent = cn, seen.chain, false
		n.recordLocked(seen, time.Now())
		n.setLocked(Online, nil)
	})
	c.cfg.Logger.Info("daemon online", "url", n.shown, "chain", seen.chain.String())
}

// markDown keeps calls off a connection that has ended, or never came about (l is nil
// then), and says why. Whoever notices first calls it: another daemon takes
// over before it returns.
func (c *Client) markDown(n *node, cn *conn, reason error) {
	if errors.Is(reason, errStopped) {
		return // Run ends, and says so
	}
	var before, after State
	c.change(func() {
		before, after = n.state, n.state
		if n.conn != cn {
			return // somebody else has noticed before
		}
		after = stateFor(reason)
		n.conn, n.silent = nil, false
		n.faults.add(time.Now())
		n.setLocked(after, reason)
	})
	if after != before {
		c.cfg.Logger.Warn("daemon "+after.String(), "url", n.shown, "reason", reason.Error())
	}
}

// distrust counts a false answer against a daemon: another that can be used takes
// over, and calls under way stay where they are.
func (c *Client) distrust(cn *conn, lie error) {
	n := c.nodeOf(cn)
	if n == nil {
		return
	}
	var before bool
	now := time.Now()
	c.change(func() {
		before = n.distrusted(now)
		n.lastLie = now
		n.faults.add(now)
	})
	if !before {
		c.cfg.Logger.Warn("daemon distrusted", "url", n.shown, "reason", lie.Error())
	}
}

// retire takes a connection that has broken out of use without waiting for the
// goroutine that keeps it.
func (c *Client) retire(cn *conn) {
	reason := cn.reason()
	if n := c.nodeOf(cn); n != nil && reason != nil {
		c.markDown(n, cn, reason)
	}
}

func (c *Client) nodeOf(cn *conn) *node {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.nodes {
		if n.conn == cn {
			return n
		}
	}
	return nil
}
