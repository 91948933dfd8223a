package daemonclient

import (
	"time"

	"billfold/ledger"
)

// change applies a change to what is known of the daemons, then updates which one is in use and what the status says.
// Connections that have to end are closed after the mutex is released, because that may take a moment.
func (p *pool) change(apply func()) {
	p.mu.Lock()
	before := p.active
	apply()
	if p.running {
		p.reconsiderLocked(time.Now())
	}
	after, doomed, lines := p.active, p.ending, p.linesLocked(time.Now())
	p.ending = nil
	p.mu.Unlock()
	for _, line := range lines {
		p.cfg.Logger.Warn(line.message, line.with...)
	}
	for _, d := range doomed {
		d.conn.fail(d.reason)
	}
	if after != before && after != nil && len(p.nodes) > 1 {
		p.cfg.Logger.Info("daemon: in use", "url", after.shown)
	}
}

// logLine is a line of the log that is due.
type logLine struct {
	message string
	with    []any
}

// linesLocked returns what the log does not say yet: that a daemon is distrusted, that the one in use is behind, and that either is over.
func (p *pool) linesLocked(now time.Time) (lines []logLine) {
	for _, n := range p.nodes {
		switch distrusted := n.distrusted(now); {
		case distrusted == n.told:
			continue
		case distrusted:
			lines = append(lines, logLine{"daemon: distrusted", []any{"url", n.shown, "reason", n.lie.Error()}})
		default:
			lines = append(lines, logLine{"daemon: trusted again", []any{"url", n.shown}})
		}
		n.told = !n.told
	}
	if p.active == nil {
		return lines
	}
	switch behind := p.status.Lagging; {
	case behind && !p.toldBehind:
		lines = append(lines, logLine{"daemon: behind", []any{"url", p.active.shown, "age", p.active.headAge(now).Round(time.Second)}})
	case !behind && p.toldBehind:
		lines = append(lines, logLine{"daemon: caught up", []any{"url", p.active.shown}})
	}
	p.toldBehind = p.status.Lagging
	return lines
}

func (p *pool) reconsiderLocked(now time.Time) {
	p.decideChainLocked()
	p.refuseForeignLocked()
	var next *node
	if place := p.chooser.pick(now, p.healthLocked(now)); place >= 0 {
		next = p.nodes[place]
	}
	if next != p.active {
		p.switchLocked(next)
	}
	state, shown, reason := p.summaryLocked()
	lagged := p.status.Lagging
	same := p.judgeHeadLocked(now) && p.status.URL == shown.shown
	p.status.URL = shown.shown
	if !p.setStateLocked(state, reason) && !same {
		p.notifyLocked()
	}
	if p.status.Lagging && !lagged {
		p.probeAllLocked() // is one in reserve fresher?
	}
}

// judgeHeadLocked updates the status from the head of the daemon in use. It reports whether nothing changed.
func (p *pool) judgeHeadLocked(now time.Time) (same bool) {
	lagging, stale, own, condition := false, false, p.status.OwnClock, p.conditionLocked(now)
	if p.active != nil {
		age := p.active.headAge(now)
		lagging, stale, own = age > p.cfg.LagAfter, p.chooser.untrusted(age), p.active.ownClock
	}
	same = lagging == p.status.Lagging && stale == p.status.Stale && own == p.status.OwnClock && condition == p.status.Condition
	p.status.Lagging, p.status.Stale, p.status.OwnClock, p.status.Condition = lagging, stale, own, condition
	return same
}

// switchLocked puts another daemon into use. Calls in flight stay with the old one and end there; only if that one has
// fallen silent are they cut off, so that queries are asked again of the new one.
func (p *pool) switchLocked(next *node) {
	if old := p.active; old != nil && old.conn != nil && old.silent {
		p.ending = append(p.ending, ending{old.conn, errSilent})
	}
	p.active = next
	p.epoch.Add(1)
	p.probeAllLocked()
}

func (p *pool) probeAllLocked() {
	if !p.probing {
		return
	}
	for _, n := range p.nodes {
		if n.conn != nil { // the others are dialled when their pause is over
			n.requestProbe()
		}
	}
}

// decideChainLocked takes the chain of the first daemon in the list that is up, if the chain is not known yet. A daemon
// that comes up while an earlier one is still being dialled waits for that one, for settleTime at most.
func (p *pool) decideChainLocked() {
	if p.status.ChainID != (ledger.ChainID{}) {
		return
	}
	for _, n := range p.nodes {
		switch {
		case n.conn != nil:
			p.status.ChainID = n.chain
			return
		case n.state == Connecting && !p.decided:
			return
		}
	}
}

func (p *pool) refuseForeignLocked() {
	want := p.status.ChainID
	for _, n := range p.nodes {
		if n.conn != nil && want != (ledger.ChainID{}) && n.chain != want {
			p.ending = append(p.ending, ending{n.conn, &WrongChainError{URL: n.shown, Want: want, Got: n.chain}})
		}
	}
}

func (p *pool) usableLocked(n *node) bool {
	return n.conn != nil && n.chain == p.status.ChainID && n.chain != (ledger.ChainID{})
}

func (p *pool) healthLocked(now time.Time) []health {
	all := make([]health, len(p.nodes))
	for i, n := range p.nodes {
		all[i] = health{
			up: p.usableLocked(n), silent: n.silent, lied: n.distrusted(now), pinned: p.pinned == n.url,
			age: n.headAge(now), headTime: n.headTime, latency: n.trips.shortest(), faults: n.faults.value(now),
		}
	}
	return all
}

// summaryLocked returns the state of the pool as a whole, the daemon that the status is about, and why none is in use.
func (p *pool) summaryLocked() (State, *node, error) {
	if p.active != nil {
		return Online, p.active, nil
	}
	for _, state := range []State{Connecting, Online, Offline, Garbage, WrongChain} {
		n := p.nodes.first(state, p.status.URL)
		switch {
		case n == nil:
		case state == Connecting, state == Online: // still deciding which chain it is
			return Connecting, n, nil
		case len(p.nodes) > 1:
			return state, n, &noneLeftError{n.reason}
		default:
			return state, n, n.reason
		}
	}
	return Connecting, p.nodes[0], nil
}

// Pin is Client.Pin.
func (p *pool) Pin(address string) error {
	if address != "" && !p.nodes.lists(address) {
		return errNoSuchDaemon
	}
	p.change(func() {
		p.pinned, p.status.Pinned = address, shownPin(address)
		p.chooser.since = time.Time{} // a person's choice does not wait
	})
	return nil
}

// settleTime is the wait for daemons earlier in the list, while no chain is configured or remembered, before a later
// one decides the chain.
const settleTime = 2 * time.Second

// noneLeftError is the error of one daemon when the others are away as well.
type noneLeftError struct{ reason error }

func (e *noneLeftError) Error() string {
	return e.reason.Error() + ", and no other daemon of the list can be used"
}

func (e *noneLeftError) Unwrap() error { return e.reason }
