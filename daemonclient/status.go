package daemonclient

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"billfold/ledger"
)

// State says whether the daemon can be asked.
type State int

// The states. All but Online mean that the client goes on trying.
const (
	Connecting State = iota // no attempt has ended yet
	Online
	Offline    // not reached, or lost
	WrongChain // reached, but of another chain
	Garbage    // something answers there that is not understood
)

// String gives the state in lower case.
func (s State) String() string {
	switch s {
	case Connecting:
		return "connecting"
	case Online:
		return "online"
	case Offline:
		return "offline"
	case WrongChain:
		return "wrong chain"
	case Garbage:
		return "garbage"
	}
	return "unknown"
}

// Status is one consistent reading of the client. URL and what stands below
// ChainID are those of the daemon in use; when there is none, of the one that
// was used last, or whose reason says most.
type Status struct {
	State     State
	URL       string         // without secrets
	ChainID   ledger.ChainID // expected, or remembered from the first daemon; zero when neither
	Since     time.Time      // since when State holds
	LastError string         // why the connection is not up; empty while Online
	Latency   time.Duration  // the latest round trip; zero when not measured yet
	Head      ledger.BlockID // the latest block this connection told of; zero before the first
	HeadSeen  time.Time      // when it told
	HeadTime  ledger.Time    // of the latest head that a probe showed; zero when daemons are not probed
	Condition Condition      // whether the daemon in use can be relied on; it changes within 2 s of what happens
	Lagging   bool           // the head is older than Config.LagAfter
	Stale     bool           // older than Config.StaleAfter, or further ahead than AheadAfter: broadcasts fail with ErrStale
	Lost      uint32         // blocks that the daemon had and does not have any more, until it has as many again
	OwnClock  bool           // a sandbox whose blocks do not follow this world's time: it is never stale
	Plain     bool           // the address is ws:// beyond this machine: anybody on the way can read and change what is said
	Pinned    string         // the daemon to prefer; empty when the client chooses
	Daemons   []DaemonStatus // all of them, in the order of the configuration
}

// DaemonStatus is the health of one daemon.
type DaemonStatus struct {
	URL       string // without secrets
	State     State  // WrongChain: refused, and in a pool of several not tried again
	Active    bool   // the one in use
	Plain     bool   // ws:// beyond this machine
	Silent    bool   // it is online, but does not answer at present
	Lied      bool   // it gave a false answer within the last minute
	Since     time.Time
	LastError string
	Latency   time.Duration  // the shortest of the latest round trips
	Head      ledger.BlockID // zero before the first
	HeadSeen  time.Time
	HeadTime  ledger.Time   // zero when daemons are not probed
	HeadAge   time.Duration // at the time of this reading; negative when the head lies in the future
	Lost      uint32        // blocks that it had and does not have any more
	Lagging   bool
	Stale     bool
	OwnClock  bool
	Faults    int // failures, fading by half each minute; rounded
}

// Status reads the client's state.
func (c *Client) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.statusLocked()
}

func (c *Client) statusLocked() Status {
	s, now := c.status, time.Now()
	s.Daemons = make([]DaemonStatus, len(c.nodes))
	for i, n := range c.nodes {
		s.Daemons[i] = c.daemonStatusLocked(n, now)
		if n.shown == s.URL {
			d := s.Daemons[i]
			s.Plain, s.Lost = d.Plain, d.Lost
			s.Latency, s.Head, s.HeadSeen, s.HeadTime, s.OwnClock = n.latency(), d.Head, d.HeadSeen, d.HeadTime, d.OwnClock
		}
	}
	if c.active != nil {
		age := c.active.headAge(now)
		s.Lagging, s.Stale = age > c.cfg.LagAfter, c.chooser.untrusted(age)
	}
	s.Condition = c.conditionLocked(now)
	return s
}

func (c *Client) daemonStatusLocked(n *node, now time.Time) DaemonStatus {
	age := n.headAge(now)
	d := DaemonStatus{
		URL: n.shown, State: n.state, Active: n == c.active, Plain: plainURL(n.url), Silent: n.silent, Lied: n.distrusted(now), Since: n.since,
		Latency: n.trips.shortest(), Head: n.head, HeadSeen: n.headSeen, HeadTime: n.headTime, HeadAge: age,
		Lagging: age > c.cfg.LagAfter, Stale: c.chooser.untrusted(age), OwnClock: n.ownClock, Lost: n.lostBlocks(),
		Faults: int(math.Round(n.faults.value(now))),
	}
	if n.reason != nil {
		d.LastError = n.reason.Error()
	}
	return d
}

// Trusted is nil when a payment could be given to a daemon now; else the error
// with which a broadcast would fail at once: ErrUnavailable, ErrStale among them,
// or ErrWrongChain.
func (c *Client) Trusted() error {
	_, err := c.current(NetworkBroadcast)
	if u, ok := errors.AsType[*noAnswerError](err); ok {
		return &UnavailableError{URL: cmp.Or(u.url, c.shownAddress()), Err: u.cause}
	}
	return err
}

// staleLocked says why no payment is trusted to the daemon in use; nil when it is.
func (c *Client) staleLocked() *StaleError {
	if age := c.active.headAge(time.Now()); c.chooser.untrusted(age) {
		return &StaleError{URL: c.active.shown, Head: c.active.head, Age: age}
	}
	return nil
}

// setStateLocked moves to a state and tells subscribers and waiters; false when
// nothing is new.
func (c *Client) setStateLocked(state State, reason error) bool {
	text := ""
	if reason != nil {
		text = reason.Error()
	}
	if c.status.State != state {
		c.status.Since = time.Now()
	} else if c.status.LastError == text {
		return false
	}
	c.status.State, c.status.LastError, c.reason = state, text, reason
	c.notifyLocked()
	return true
}

// notifyLocked notifies subscribers and waiters that something is new.
func (c *Client) notifyLocked() {
	close(c.changed)
	c.changed = make(chan struct{})
	c.publishLocked(StateChanged{Status: c.statusLocked()})
}

// chain is the chain every daemon must belong to; zero when not known yet.
func (c *Client) chain() ledger.ChainID {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status.ChainID
}

// shownAddress is the address that errors name.
func (c *Client) shownAddress() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status.URL
}

// stateFor says which state a failure to connect, or the end of a connection, means.
func stateFor(reason error) State {
	switch {
	case errors.Is(reason, ErrWrongChain):
		return WrongChain
	case errors.Is(reason, ErrGarbage):
		return Garbage
	}
	return Offline
}

// current gives the connection in use when there is one, for broadcasts only if its
// daemon can be trusted; otherwise ErrWrongChain, ErrUnavailable or ErrStale, and
// nothing was sent.
func (c *Client) current(set Set) (*conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cn := c.connLocked()
	if cn == nil {
		return nil, c.refusalLocked()
	}
	if set == NetworkBroadcast {
		if stale := c.staleLocked(); stale != nil {
			return nil, &noAnswerError{url: cn.url, cause: stale}
		}
	}
	return cn, nil
}

func (c *Client) connLocked() *conn {
	if c.active == nil {
		return nil
	}
	return c.active.conn
}

func (c *Client) refusalLocked() error {
	switch {
	case c.status.State == WrongChain:
		return c.reason
	case c.reason == nil:
		return &noAnswerError{cause: errNotYet}
	}
	return &noAnswerError{cause: c.reason}
}

var (
	errNotYet   = errors.New("it has not been reached yet")
	errStopped  = errors.New("the client was stopped")
	errReplaced = errors.New("another connection is in use now")
)

// connAfter waits for a connection other than old. It gives up when the context ends,
// when Run ends, and when every daemon turns out to be of another chain.
func (c *Client) connAfter(ctx context.Context, old *conn) (*conn, error) {
	for {
		c.mu.Lock()
		cn, changed, refusal := c.connLocked(), c.changed, c.refusalLocked()
		over := old != nil && !c.running || c.status.State == WrongChain
		c.mu.Unlock()
		switch {
		case cn != nil && cn != old && cn.reason() == nil:
			return cn, nil
		case over:
			return nil, refusal
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, &noAnswerError{cause: c.reasonAway(ctx)}
		}
	}
}

// reasonAway prefers the reason for being away to "no answer within …".
func (c *Client) reasonAway(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reason != nil {
		return c.reason
	}
	return context.Cause(ctx)
}

// WaitOnline waits until calls can be made. It returns early with ErrWrongChain,
// because waiting does not help there; when ctx ends first, the error is
// ErrUnavailable and tells why the daemon is away.
func (c *Client) WaitOnline(ctx context.Context) error {
	_, err := c.connAfter(ctx, nil)
	if u, ok := errors.AsType[*noAnswerError](err); ok {
		return &UnavailableError{URL: c.shownAddress(), Err: u.cause}
	}
	return err
}
