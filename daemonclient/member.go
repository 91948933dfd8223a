package daemonclient

import (
	"context"
	"errors"
	"time"

	"billfold/ledger"
)

// member is one daemon of the pool. Everything below the address is guarded by
// the client's mutex.
type member struct {
	url   string
	shown string // without secrets

	line     *line // nil unless its line is up
	chain    ledger.ChainID
	state    State
	since    time.Time
	reason   error // why it is not Online
	silent   bool
	lied     time.Time // when it was last caught at a false answer; zero: never
	head     ledger.BlockID
	headSeen time.Time
	looked   bool        // headTime is known, be it 0
	headTime ledger.Time // of the latest head that was looked at
	highest  uint32      // number of the highest head that was looked at
	ownClock bool        // its age means nothing
	trips    roundTrips
	faults   faults

	wake chan struct{} // look at it now
}

func newMember(address string) *member {
	return &member{url: address, shown: shownURL(address), since: time.Now(), wake: make(chan struct{}, 1)}
}

// setLocked records a state; Since moves when it is another one.
func (m *member) setLocked(state State, reason error) {
	if m.state != state {
		m.since = time.Now()
	}
	m.state, m.reason = state, reason
}

// distrustTime is how long a daemon that gave a false answer comes after all others
// that answer.
const distrustTime = time.Minute

func (m *member) distrusted(now time.Time) bool {
	return !m.lied.IsZero() && now.Sub(m.lied) < distrustTime
}

// wakeUp lets the daemon be looked at without waiting for its turn.
func (m *member) wakeUp() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// headAge is 0 when heads are not watched, and when it means nothing; negative
// when the head lies in the future.
func (m *member) headAge(now time.Time) time.Duration {
	if !m.looked || m.ownClock {
		return 0
	}
	return now.Sub(m.headTime.Time())
}

// lostBlocks is how many blocks the daemon had and does not have any more.
func (m *member) lostBlocks() uint32 {
	if !m.looked || m.head.Num() > m.highest {
		return 0
	}
	return m.highest - m.head.Num()
}

func (m *member) latency() time.Duration {
	if m.line == nil {
		return 0
	}
	return time.Duration(m.line.latency.Load())
}

// steadyAfter is how long a line must have held for its loss to be met with the
// shortest pause again; a daemon that accepts and drops is not hammered.
const steadyAfter = 5 * time.Second

// serve keeps the line to one daemon until ctx ends, or until the daemon turns
// out to be of another chain while there are others to choose from.
func (c *Client) serve(ctx context.Context, m *member) {
	pause := c.cfg.MinBackoff
	for ctx.Err() == nil {
		held, err := c.keepLine(ctx, m)
		if ctx.Err() != nil {
			return
		}
		if held > steadyAfter {
			pause = c.cfg.MinBackoff
		}
		if held == 0 {
			c.goDown(m, nil, err)
		}
		if errors.Is(err, ErrWrongChain) && len(c.members) > 1 {
			return
		}
		sleep(ctx, jitter(pause))
		pause = min(2*pause, c.cfg.MaxBackoff)
	}
}

// keepLine connects, and returns when the line has ended and all that belongs
// to it: how long it was up, and why it is not any more.
func (c *Client) keepLine(ctx context.Context, m *member) (held time.Duration, err error) {
	l, seen, err := c.connect(ctx, m)
	if err != nil {
		return 0, err
	}
	since := time.Now()
	c.goUp(m, l, seen)
	c.watch(ctx, m, l)
	if ctx.Err() != nil {
		l.breakOff(errStopped)
	}
	c.goDown(m, l, l.reason())
	l.hangUp(errStopped)
	return max(time.Since(since), 1), l.reason()
}

// goUp makes the daemon a candidate.
func (c *Client) goUp(m *member, l *line, seen sighting) {
	c.change(func() {
		m.line, m.chain, m.silent = l, seen.chain, false
		m.seeLocked(seen, time.Now())
		m.setLocked(Online, nil)
	})
	c.cfg.Logger.Info("daemon online", "url", m.shown, "chain", seen.chain.String())
}

// goDown keeps calls off a line that has ended, or never came about (l is nil
// then), and says why. Whoever notices first calls it: another daemon takes
// over before it returns.
func (c *Client) goDown(m *member, l *line, reason error) {
	if errors.Is(reason, errStopped) {
		return // Run ends, and says so
	}
	var before, after State
	c.change(func() {
		before, after = m.state, m.state
		if m.line != l {
			return // somebody else has noticed before
		}
		after = stateFor(reason)
		m.line, m.silent = nil, false
		m.faults.add(time.Now())
		m.setLocked(after, reason)
	})
	if after != before {
		c.cfg.Logger.Warn("daemon "+after.String(), "url", m.shown, "reason", reason.Error())
	}
}

// distrust counts a false answer against a daemon: another that can be used takes
// over, and calls under way stay where they are.
func (c *Client) distrust(l *line, lie error) {
	m := c.memberOf(l)
	if m == nil {
		return
	}
	var before bool
	now := time.Now()
	c.change(func() {
		before = m.distrusted(now)
		m.lied = now
		m.faults.add(now)
	})
	if !before {
		c.cfg.Logger.Warn("daemon distrusted", "url", m.shown, "reason", lie.Error())
	}
}

// noticeEnd takes a line that has broken out of use without waiting for the
// goroutine that keeps it.
func (c *Client) noticeEnd(l *line) {
	reason := l.reason()
	if m := c.memberOf(l); m != nil && reason != nil {
		c.goDown(m, l, reason)
	}
}

func (c *Client) memberOf(l *line) *member {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.members {
		if m.line == l {
			return m
		}
	}
	return nil
}
