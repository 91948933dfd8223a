package daemonclient

import (
	"errors"
	"slices"
	"time"

	"billfold/ledger"
)

// address is the address of a daemon.
type address struct {
	url   string
	shown string // without secrets
	plain bool   // see plainURL
}

// node is one daemon of the pool. The pool's mutex guards everything below the address.
type node struct {
	address

	conn     *conn // nil unless its connection is up
	chain    ledger.ChainID
	state    State
	since    time.Time
	reason   error     // why it is not Online
	nextTry  time.Time // when it is dialled again; zero while it is up or being dialled
	silent   bool
	lastLie  time.Time // when it last gave a false answer; zero: never
	lie      error     // what was false about it
	told     bool      // that it is distrusted is in the log
	head     ledger.BlockID
	headSeen time.Time
	probed   bool        // headTime is known, even if it is 0
	headTime ledger.Time // of the latest head that a probe showed
	highest  uint32      // number of the highest head that a probe showed
	pace     pace
	ownClock bool // the age of its head means nothing
	trips    roundTrips
	faults   faults

	probeRequested chan struct{} // asks for a probe now, or for dialling now
}

func newNode(url string) *node {
	return &node{address: address{url, ShownURL(url), plainURL(url)}, since: time.Now(), probeRequested: make(chan struct{}, 1)}
}

// setLocked sets the state; since changes only with it.
func (n *node) setLocked(state State, reason error) {
	if n.state != state {
		n.since = time.Now()
	}
	n.state, n.reason = state, reason
}

// distrustTime is the time for which a daemon that gave a false answer ranks below all others that answer.
const distrustTime = time.Minute

func (n *node) distrusted(now time.Time) bool {
	return !n.lastLie.IsZero() && now.Sub(n.lastLie) < distrustTime
}

// requestProbe has the daemon probed at once; one that is away is dialled at once.
func (n *node) requestProbe() {
	select {
	case n.probeRequested <- struct{}{}:
	default:
	}
}

// headAge returns the age of the head; 0 if daemons are not probed or the age means nothing; negative if the head is in
// the future.
func (n *node) headAge(now time.Time) time.Duration {
	if !n.probed || n.ownClock {
		return 0
	}
	return now.Sub(n.headTime.Time())
}

// lostBlocks returns how many blocks the daemon no longer has.
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

// nodes are the daemons of a pool, in the order of the configuration.
type nodes []*node

// first returns the first daemon in a state, but prefers the one whose address is shown.
func (all nodes) first(state State, shown string) (first *node) {
	for _, n := range all {
		if n.state == state && (first == nil || n.shown == shown) {
			first = n
		}
	}
	return first
}

// lists reports whether one of the daemons has the address url.
func (all nodes) lists(address string) bool {
	return slices.ContainsFunc(all, func(n *node) bool { return n.url == address })
}

// on returns the daemon at the other end of a connection, nil if that is no longer the connection of any.
func (all nodes) on(cn *conn) *node {
	for _, n := range all {
		if n.conn == cn {
			return n
		}
	}
	return nil
}

// pace records the age of a daemon's head while new blocks came. An age that stays the same is that of no daemon which lacks blocks: the clocks differ.
type pace struct {
	since time.Time     // from when on the age stayed the same
	age   time.Duration // then
	from  uint32        // the head block then
	head  uint32        // the latest head block
	at    time.Time     // when it came
}

const (
	paceWithin = 5 * time.Second  // how much the age of an even pace may differ
	paceTime   = 15 * time.Second // how long it has to
	paceBlocks = 3                // how many blocks have to come meanwhile
)

func (p *pace) note(head uint32, age time.Duration, now time.Time) {
	if head == p.head {
		return // it grows older until the next one
	}
	p.head, p.at = head, now
	if head < p.from || (age-p.age).Abs() > paceWithin {
		p.since, p.age, p.from = now, age, head
	}
}

// even reports whether blocks keep coming, all of one age.
func (p *pace) even(now time.Time) bool {
	return !p.since.IsZero() && p.at.Sub(p.since) >= paceTime && p.head >= p.from+paceBlocks && now.Sub(p.at) < paceTime
}

// recordLocked records the result of a probe. If heads are not watched, only its duration is kept: the head it showed
// would be judged long after it had become old.
func (n *node) recordLocked(seen probeResult, now time.Time, watched bool) {
	if seen.elapsed == 0 {
		return
	}
	if !watched {
		n.trips.add(seen.elapsed)
		return
	}
	n.probed = true
	if n.head != seen.head {
		n.head, n.headSeen = seen.head, now
	}
	n.headTime, n.ownClock = seen.headTime, seen.ownClock
	n.pace.note(seen.head.Num(), now.Sub(seen.headTime.Time()), now)
	n.highest = max(n.highest, seen.head.Num())
	n.trips.add(seen.elapsed)
}

// stateFor returns the state that a failure to connect, or the end of a connection, leads to.
func stateFor(reason error) State {
	switch {
	case errors.Is(reason, ErrWrongChain):
		return WrongChain
	case errors.Is(reason, ErrGarbage):
		return Garbage
	}
	return Offline
}
