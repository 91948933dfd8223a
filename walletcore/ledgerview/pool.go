package ledgerview

import (
	"context"
	"slices"
	"sync"
	"time"

	"billfold/daemonclient"
)

// PoolState is the present usability of a daemon of the pool.
type PoolState int

// The states. Only a daemon that is ready is trusted with a payment.
const (
	PoolConnecting PoolState = iota // no attempt has ended yet
	PoolReady
	PoolBehind     // it answers, and its head block is too old, or too far ahead, for payments
	PoolSilent     // it is connected and answers nothing at present
	PoolDistrusted // it gave a false answer within the last minute
	PoolAway       // it is not reached; it is tried again
	PoolOtherChain // it is of another chain and is never used
	PoolGarbage    // something answers there that is not understood
)

// PoolDaemon is one daemon of the pool.
type PoolDaemon struct {
	URL     string // without secrets
	State   PoolState
	InUse   bool
	Pinned  bool // a person prefers it
	Plain   bool // ws:// beyond this machine: anybody on the way can read and change what is said
	Reason  string
	NextTry time.Time     // when it is dialled again; zero while it is up or being dialled
	Since   time.Time     // since when it is connected, or is not
	Head    uint32        // 0 when it told of none
	HeadAge time.Duration // 0 when it is not watched
	Latency time.Duration // 0 when it was not measured
}

// trips are round trips, the oldest first, and when the latest was added.
type trips struct {
	all []time.Duration
	at  time.Time
}

// PoolChange is a line of the pool's log: what a daemon became, or that it came into use.
type PoolChange struct {
	At time.Time
	PoolDaemon
}

const (
	poolLogged = 200 // changes that are kept
	poolTrips  = 120 // round trips that are kept of each daemon, at least tripPause apart
	tripPause  = 5 * time.Second
)

// Pool is the daemons that may answer for the ledger, and what became of them.
type Pool struct {
	client *daemonclient.Client
	now    func() time.Time

	mu    sync.Mutex
	last  map[string]PoolDaemon
	log   []PoolChange     // the oldest first
	trips map[string]trips // by address
}

func newPool(c Config) *Pool {
	return &Pool{client: c.Daemon, now: c.Now, last: map[string]PoolDaemon{}, trips: map[string]trips{}}
}

// Daemons lists the pool in the order of the configuration.
func (p *Pool) Daemons() []PoolDaemon {
	s := p.client.Status()
	list := make([]PoolDaemon, len(s.Daemons))
	for i, d := range s.Daemons {
		list[i] = PoolDaemon{
			URL: d.URL, State: poolState(d), InUse: d.Active, Pinned: d.URL == s.Pinned && s.Pinned != "", Plain: d.Plain,
			Reason: d.LastError, Since: d.Since, NextTry: d.NextTry, Head: d.Head.Num(), HeadAge: d.HeadAge, Latency: d.Latency,
		}
	}
	return list
}

func poolState(d daemonclient.DaemonStatus) PoolState {
	switch d.State {
	case daemonclient.Connecting:
		return PoolConnecting
	case daemonclient.Offline:
		return PoolAway
	case daemonclient.WrongChain:
		return PoolOtherChain
	case daemonclient.Garbage:
		return PoolGarbage
	case daemonclient.Online:
	}
	switch {
	case d.Silent:
		return PoolSilent
	case d.Lied:
		return PoolDistrusted
	case d.Stale:
		return PoolBehind
	}
	return PoolReady
}

// Prefer makes a daemon the one to use whenever it can be used; "" leaves the choice to the
// wallet. It holds until the program ends.
func (p *Pool) Prefer(url string) error { return p.client.Pin(url) }

// Check asks every daemon now, and dials those that are away.
func (p *Pool) Check() { p.client.Check() }

// Log returns what changed since the start, the newest first; the oldest of many changes are forgotten.
func (p *Pool) Log() []PoolChange {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := slices.Clone(p.log)
	slices.Reverse(out)
	return out
}

// Trips returns round trips of a daemon over the last minutes, about one for each block, the oldest first.
func (p *Pool) Trips(url string) []time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.trips[url].all)
}

// follow keeps the log until ctx ends. What changes at daemons in reserve is seen with the next block.
func (p *Pool) follow(ctx context.Context) error {
	notices, stop := p.client.Subscribe()
	defer stop()
	p.observe()
	for {
		select {
		case <-ctx.Done():
			return nil
		case _, open := <-notices:
			if !open {
				return nil
			}
			p.observe()
		}
	}
}

// observe logs which daemons are not as they were, and keeps their round trips.
func (p *Pool) observe() {
	daemons := p.Daemons()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.measureLocked(daemons)
	for _, d := range daemons {
		was, known := p.last[d.URL]
		p.last[d.URL] = d
		if same := known && was.State == d.State && (was.InUse == d.InUse || !d.InUse); same || d.State == PoolConnecting {
			continue
		}
		p.log = append(p.log, PoolChange{p.now(), d})
	}
	p.log = p.log[max(len(p.log)-poolLogged, 0):]
}

func (p *Pool) measureLocked(daemons []PoolDaemon) {
	now := p.now()
	for _, d := range daemons {
		t := p.trips[d.URL]
		if since := now.Sub(t.at); d.Latency == 0 || since >= 0 && since < tripPause {
			continue
		}
		t.all = append(t.all, d.Latency)
		p.trips[d.URL] = trips{t.all[max(len(t.all)-poolTrips, 0):], now}
	}
}
