package daemonclient

import (
	"errors"
	"time"

	"billfold/ledger"
)

// settleTime is how long, while no chain is configured or remembered, daemons
// earlier in the list are waited for before a later one decides which it is.
const settleTime = 2 * time.Second

// ending is a connection to be ended, and why.
type ending struct {
	conn   *conn
	reason error
}

// change applies a change to what is known of the daemons and draws the
// conclusions: which one is in use, and what the status says. Connections that have to
// end are closed after the mutex is free, because that may take a moment.
func (c *Client) change(apply func()) {
	c.mu.Lock()
	before := c.active
	apply()
	if c.running {
		c.reconsiderLocked(time.Now())
	}
	after, doomed := c.active, c.ending
	c.ending = nil
	c.mu.Unlock()
	for _, d := range doomed {
		d.conn.fail(d.reason)
	}
	if after != before && after != nil && len(c.nodes) > 1 {
		c.cfg.Logger.Info("daemon in use", "url", after.shown)
	}
}

func (c *Client) reconsiderLocked(now time.Time) {
	c.settleChainLocked()
	c.refuseForeignLocked()
	var next *node
	if place := c.chooser.pick(now, c.healthLocked(now)); place >= 0 {
		next = c.nodes[place]
	}
	if next != c.active {
		c.switchLocked(next)
	}
	state, shown, reason := c.summaryLocked()
	lagged := c.status.Lagging
	same := c.judgeHeadLocked(now) && c.status.URL == shown.shown
	c.status.URL = shown.shown
	if !c.setStateLocked(state, reason) && !same {
		c.notifyLocked()
	}
	if c.status.Lagging && !lagged {
		c.probeAllLocked() // is one in reserve fresher?
	}
}

// judgeHeadLocked judges the head of the daemon in use; it reports whether the
// judgement is the same as before.
func (c *Client) judgeHeadLocked(now time.Time) (same bool) {
	lagging, stale, own, condition := false, false, c.status.OwnClock, c.conditionLocked(now)
	if c.active != nil {
		age := c.active.headAge(now)
		lagging, stale, own = age > c.cfg.LagAfter, c.chooser.untrusted(age), c.active.ownClock
	}
	same = lagging == c.status.Lagging && stale == c.status.Stale && own == c.status.OwnClock && condition == c.status.Condition
	c.status.Lagging, c.status.Stale, c.status.OwnClock, c.status.Condition = lagging, stale, own, condition
	return same
}

// switchLocked takes another daemon into use. Calls under way stay with the old
// one and end there; only when that one has fallen silent they are cut off, so
// that queries are asked again at the new one.
func (c *Client) switchLocked(next *node) {
	if old := c.active; old != nil && old.conn != nil && old.silent {
		c.ending = append(c.ending, ending{old.conn, errSilent})
	}
	c.active = next
	c.probeAllLocked()
}

func (c *Client) probeAllLocked() {
	if !c.probing {
		return
	}
	for _, n := range c.nodes {
		n.requestProbe()
	}
}

// settleChainLocked lets the first daemon of the list that is up decide which
// chain it is, when nobody has yet. One that comes up while an earlier one
// is still being dialled waits for it, for settleTime at most.
func (c *Client) settleChainLocked() {
	if c.status.ChainID != (ledger.ChainID{}) {
		return
	}
	for _, n := range c.nodes {
		switch {
		case n.conn != nil:
			c.status.ChainID = n.chain
			return
		case n.state == Connecting && !c.settled:
			return
		}
	}
}

func (c *Client) refuseForeignLocked() {
	want := c.status.ChainID
	for _, n := range c.nodes {
		if n.conn != nil && want != (ledger.ChainID{}) && n.chain != want {
			c.ending = append(c.ending, ending{n.conn, &WrongChainError{URL: n.shown, Want: want, Got: n.chain}})
		}
	}
}

func (c *Client) usableLocked(n *node) bool {
	return n.conn != nil && n.chain == c.status.ChainID && n.chain != (ledger.ChainID{})
}

func (c *Client) healthLocked(now time.Time) []health {
	all := make([]health, len(c.nodes))
	for i, n := range c.nodes {
		all[i] = health{
			up: c.usableLocked(n), silent: n.silent, lied: n.distrusted(now), pinned: c.pinned == n.url,
			age: n.headAge(now), headTime: n.headTime, latency: n.trips.shortest(), faults: n.faults.value(now),
		}
	}
	return all
}

// summaryLocked says what the pool as a whole is, which daemon the status is
// about, and why none is in use.
func (c *Client) summaryLocked() (State, *node, error) {
	if c.active != nil {
		return Online, c.active, nil
	}
	for _, state := range []State{Connecting, Online, Offline, Garbage, WrongChain} {
		n := c.firstLocked(state)
		switch {
		case n == nil:
		case state == Connecting, state == Online: // still deciding which chain it is
			return Connecting, n, nil
		case len(c.nodes) > 1:
			return state, n, &noneLeftError{n.reason}
		default:
			return state, n, n.reason
		}
	}
	return Connecting, c.nodes[0], nil
}

// firstLocked prefers the daemon that the status spoke of last.
func (c *Client) firstLocked(state State) (first *node) {
	for _, n := range c.nodes {
		if n.state == state && (first == nil || n.shown == c.status.URL) {
			first = n
		}
	}
	return first
}

// noneLeftError is the reason of one daemon when the others are away as well.
type noneLeftError struct{ reason error }

func (e *noneLeftError) Error() string {
	return e.reason.Error() + ", and no other daemon of the list can be used"
}

func (e *noneLeftError) Unwrap() error { return e.reason }

var errNoSuchDaemon = errors.New("the daemon to be pinned is not in the list; give one of the addresses as it was configured")

// Pin makes the daemon with this address (as given in Config) the one to use
// whenever it can be reached, answers and is not stale; "" leaves the choice to the
// client again. It holds for the next broadcast as well.
func (c *Client) Pin(address string) error {
	if address != "" && !c.lists(address) {
		return errNoSuchDaemon
	}
	c.change(func() {
		c.pinned, c.status.Pinned = address, shownPin(address)
		c.chooser.since = time.Time{} // a person's choice does not wait
	})
	return nil
}

func (c *Client) lists(address string) bool {
	for _, n := range c.nodes {
		if n.url == address {
			return true
		}
	}
	return false
}

func shownPin(address string) string {
	if address == "" {
		return ""
	}
	return shownURL(address)
}

// recordProbe records what a probe of a daemon showed.
func (c *Client) recordProbe(n *node, cn *conn, seen probeResult, err error) {
	now := time.Now()
	_, lost := errors.AsType[*noAnswerError](err)
	_, lied := errors.AsType[*FalseAnswerError](err)
	c.change(func() {
		switch {
		case n.conn != cn:
		case lied:
			n.lastLie = now
			n.faults.add(now)
		case err == nil:
			n.chain, n.silent = seen.chain, false
			n.recordLocked(seen, now)
		case errors.Is(err, errSilent):
			n.silent = true
			n.faults.add(now)
		case !lost: // it answered, but not with what was asked
			n.faults.add(now)
		}
	})
}

func (n *node) recordLocked(seen probeResult, now time.Time) {
	if seen.elapsed == 0 {
		return // heads are not watched
	}
	n.probed = true
	if n.head != seen.head {
		n.head, n.headSeen = seen.head, now
	}
	n.headTime, n.ownClock = seen.headTime, seen.ownClock
	n.highest = max(n.highest, seen.head.Num())
	n.trips.add(seen.elapsed)
}
