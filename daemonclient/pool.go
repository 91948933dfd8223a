package daemonclient

import (
	"errors"
	"time"

	"billfold/ledger"
)

// settleTime is how long, while no chain is configured or remembered, daemons
// earlier in the list are waited for before a later one decides which it is.
const settleTime = 2 * time.Second

// doom is a line to be broken off, and why.
type doom struct {
	line   *line
	reason error
}

// change applies a change to what is known of the daemons and draws the
// conclusions: which one is in use, and what the status says. Lines that have to
// end are broken off after the mutex is free, because that may take a moment.
func (c *Client) change(apply func()) {
	c.mu.Lock()
	before := c.active
	apply()
	if c.running {
		c.reconsiderLocked(time.Now())
	}
	after, doomed := c.active, c.doomed
	c.doomed = nil
	c.mu.Unlock()
	for _, d := range doomed {
		d.line.breakOff(d.reason)
	}
	if after != before && after != nil && len(c.members) > 1 {
		c.cfg.Logger.Info("daemon in use", "url", after.shown)
	}
}

func (c *Client) reconsiderLocked(now time.Time) {
	c.settleChainLocked()
	c.refuseForeignLocked()
	var next *member
	if place := c.chooser.pick(now, c.healthLocked(now)); place >= 0 {
		next = c.members[place]
	}
	if next != c.active {
		c.switchLocked(next)
	}
	state, shown, reason := c.overallLocked()
	lagged := c.status.Lagging
	same := c.aboutHeadLocked(now) && c.status.URL == shown.shown
	c.status.URL = shown.shown
	if !c.setStateLocked(state, reason) && !same {
		c.tellLocked()
	}
	if c.status.Lagging && !lagged {
		c.wakeAllLocked() // is one in reserve fresher?
	}
}

// aboutHeadLocked judges the head of the daemon in use; it reports whether the
// judgement is the same as before.
func (c *Client) aboutHeadLocked(now time.Time) (same bool) {
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
func (c *Client) switchLocked(next *member) {
	if old := c.active; old != nil && old.line != nil && old.silent {
		c.doomed = append(c.doomed, doom{old.line, errSilent})
	}
	c.active = next
	c.wakeAllLocked()
}

func (c *Client) wakeAllLocked() {
	if !c.watching {
		return
	}
	for _, m := range c.members {
		m.wakeUp()
	}
}

// settleChainLocked lets the first daemon of the list that is up decide which
// chain it is, when nobody has yet. One that comes up while an earlier one
// is still being dialled waits for it, for settleTime at most.
func (c *Client) settleChainLocked() {
	if c.status.ChainID != (ledger.ChainID{}) {
		return
	}
	for _, m := range c.members {
		switch {
		case m.line != nil:
			c.status.ChainID = m.chain
			return
		case m.state == Connecting && !c.settled:
			return
		}
	}
}

func (c *Client) refuseForeignLocked() {
	want := c.status.ChainID
	for _, m := range c.members {
		if m.line != nil && want != (ledger.ChainID{}) && m.chain != want {
			c.doomed = append(c.doomed, doom{m.line, &WrongChainError{URL: m.shown, Want: want, Got: m.chain}})
		}
	}
}

func (c *Client) usableLocked(m *member) bool {
	return m.line != nil && m.chain == c.status.ChainID && m.chain != (ledger.ChainID{})
}

func (c *Client) healthLocked(now time.Time) []health {
	all := make([]health, len(c.members))
	for i, m := range c.members {
		all[i] = health{
			up: c.usableLocked(m), silent: m.silent, lied: m.distrusted(now), pinned: c.pin == m.url,
			age: m.headAge(now), headTime: m.headTime, latency: m.trips.shortest(), faults: m.faults.value(now),
		}
	}
	return all
}

// overallLocked says what the pool as a whole is, which daemon the status is
// about, and why none is in use.
func (c *Client) overallLocked() (State, *member, error) {
	if c.active != nil {
		return Online, c.active, nil
	}
	for _, state := range []State{Connecting, Online, Offline, Garbage, WrongChain} {
		m := c.firstLocked(state)
		switch {
		case m == nil:
		case state == Connecting, state == Online: // still deciding which chain it is
			return Connecting, m, nil
		case len(c.members) > 1:
			return state, m, &noneLeftError{m.reason}
		default:
			return state, m, m.reason
		}
	}
	return Connecting, c.members[0], nil
}

// firstLocked prefers the daemon that the status spoke of last.
func (c *Client) firstLocked(state State) (first *member) {
	for _, m := range c.members {
		if m.state == state && (first == nil || m.shown == c.status.URL) {
			first = m
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
		c.pin, c.status.Pinned = address, shownPin(address)
		c.chooser.since = time.Time{} // a person's choice does not wait
	})
	return nil
}

func (c *Client) lists(address string) bool {
	for _, m := range c.members {
		if m.url == address {
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

// saw records what a look at a daemon showed.
func (c *Client) saw(m *member, l *line, seen sighting, err error) {
	now := time.Now()
	_, lost := errors.AsType[*unansweredError](err)
	_, lied := errors.AsType[*FalseAnswerError](err)
	c.change(func() {
		switch {
		case m.line != l:
		case lied:
			m.lied = now
			m.faults.add(now)
		case err == nil:
			m.chain, m.silent = seen.chain, false
			m.seeLocked(seen, now)
		case errors.Is(err, errSilent):
			m.silent = true
			m.faults.add(now)
		case !lost: // it answered, but not with what was asked
			m.faults.add(now)
		}
	})
}

func (m *member) seeLocked(seen sighting, now time.Time) {
	if seen.took == 0 {
		return // heads are not watched
	}
	m.looked = true
	if m.head != seen.head {
		m.head, m.headSeen = seen.head, now
	}
	m.headTime, m.ownClock = seen.headTime, seen.ownClock
	m.highest = max(m.highest, seen.head.Num())
	m.trips.add(seen.took)
}
