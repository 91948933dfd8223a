package daemonclient

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"billfold/ledger"
)

// pool knows the state of every daemon, and which of them is in use. Its files build on each other: what is known and
// reported and waiting for a connection (here), the choice of the daemon in use (pool_choice.go), and what happens to daemons
// (pool_report.go).
type pool struct {
	cfg     Config
	nodes   nodes
	probing bool // heads and answers are watched

	epoch       atomic.Uint64 // see Client.Epoch
	mu          sync.Mutex
	running     bool
	decided     bool   // the first daemon that is up decides the chain
	active      *node  // nil unless Online
	pinned      string // an address; empty if the client chooses
	chooser     chooser
	ending      []ending // to be ended once the mutex is released
	toldBehind  bool     // that the daemon in use is behind is in the log
	status      Status
	reason      error         // the error of status.LastError
	changed     chan struct{} // closed and replaced at each change of state
	subscribers subscribers
}

// newPool returns the pool that cfg, with its defaults filled in, describes; it works between start and stop.
func newPool(cfg Config) *pool {
	p := &pool{
		cfg: cfg, probing: len(cfg.URLs) > 0, pinned: cfg.Pin,
		changed: make(chan struct{}), subscribers: subscribers{},
		chooser: chooser{current: -1, rule: rule{
			lagAfter: cfg.LagAfter, staleAfter: cfg.StaleAfter, aheadAfter: cfg.AheadAfter, switchAfter: cfg.SwitchAfter,
		}},
	}
	for _, address := range cfg.addresses() {
		p.nodes = append(p.nodes, newNode(address))
	}
	p.status = Status{State: Connecting, URL: p.nodes[0].shown, ChainID: cfg.ChainID, Since: time.Now(), Pinned: shownPin(cfg.Pin)}
	return p
}

// Subscribe is Client.Subscribe.
func (p *pool) Subscribe() (events <-chan Event, cancel func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ch := p.subscribers.add()
	return ch, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.subscribers.remove(ch)
	}
}

func (p *pool) conditionLocked(now time.Time) Condition {
	n := p.active
	switch {
	case n == nil && p.status.State == WrongChain:
		return Foreign
	case n == nil && errors.Is(p.reason, ErrLoginRefused):
		return LoggedOut
	case n == nil:
		return Missing
	case n.silent:
		return Frozen
	case n.conn != nil && n.conn.restricted:
		return Restricted
	case n.distrusted(now):
		return Distrusted
	}
	switch age := n.headAge(now); {
	case age > p.cfg.StaleAfter:
		return TooOld
	case -age > p.cfg.AheadAfter:
		return Ahead
	case n.lostBlocks() > 0:
		return RolledBack
	case age > p.cfg.LagAfter:
		return Behind
	}
	return Ready
}

// Status returns the client's state.
func (p *pool) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.statusLocked()
}

// InUse holds fields of Status under the same names.
type InUse struct {
	URL       string
	OwnClock  bool
	Condition Condition
	Head      ledger.BlockID
	HeadSeen  time.Time
}

func (p *pool) inUse() InUse {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := InUse{URL: p.status.URL, Condition: p.conditionLocked(time.Now())}
	for _, n := range p.nodes {
		if n.shown == now.URL {
			now.OwnClock, now.Head, now.HeadSeen = n.ownClock, n.head, n.headSeen
		}
	}
	return now
}

func (p *pool) statusLocked() Status {
	s, now := p.status, time.Now()
	s.Daemons = make([]DaemonStatus, len(p.nodes))
	for i, n := range p.nodes {
		s.Daemons[i] = p.daemonStatusLocked(n, now)
		if n.shown == s.URL {
			d := s.Daemons[i]
			s.Plain, s.Lost = d.Plain, d.Lost
			s.Latency = d.Latency
			s.Head, s.HeadSeen, s.HeadTime, s.OwnClock = d.Head, d.HeadSeen, d.HeadTime, d.OwnClock
		}
	}
	if p.active != nil {
		age := p.active.headAge(now)
		s.HeadAge, s.Even = age, p.active.pace.even(now)
		s.Lagging, s.Stale = age > p.cfg.LagAfter, p.chooser.untrusted(age)
	}
	s.Condition = p.conditionLocked(now)
	if refused, is := errors.AsType[*LoginError](p.reason); is {
		s.LoginFault = refused.Why
	}
	return s
}

func (p *pool) daemonStatusLocked(n *node, now time.Time) DaemonStatus {
	age := n.headAge(now)
	d := DaemonStatus{
		URL:      n.shown,
		State:    n.state,
		Active:   n == p.active,
		Plain:    n.plain,
		Silent:   n.silent,
		Lied:     n.distrusted(now),
		Since:    n.since,
		NextTry:  n.nextTry,
		Latency:  cmp.Or(n.trips.shortest(), n.latency()),
		Head:     n.head,
		HeadSeen: n.headSeen,
		HeadTime: n.headTime,
		HeadAge:  age,
		Lagging:  age > p.cfg.LagAfter,
		Stale:    p.chooser.untrusted(age),
		OwnClock: n.ownClock,
		Lost:     n.lostBlocks(),
		Faults:   int(math.Round(n.faults.value(now))),
	}
	if n.reason != nil {
		d.LastError = n.reason.Error()
	}
	return d
}

// staleLocked returns why the daemon in use is trusted with no payment, nil if it is trusted.
func (p *pool) staleLocked() *StaleError {
	if age := p.active.headAge(time.Now()); p.chooser.untrusted(age) {
		return &StaleError{URL: p.active.shown, Head: p.active.head, Age: age}
	}
	return nil
}

// setStateLocked sets the state and notifies subscribers and waiters. It reports false if nothing changed.
func (p *pool) setStateLocked(state State, reason error) bool {
	text := ""
	if reason != nil {
		text = reason.Error()
	}
	if p.status.State != state {
		p.status.Since = time.Now()
	} else if p.status.LastError == text {
		return false
	}
	p.status.State, p.status.LastError, p.reason = state, text, reason
	p.notifyLocked()
	return true
}

// notifyLocked notifies subscribers and waiters of a change.
func (p *pool) notifyLocked() {
	p.epoch.Add(1)
	close(p.changed)
	p.changed = make(chan struct{})
	p.subscribers.publish(StateChanged{Status: p.statusLocked()})
}

// chain returns the chain every daemon must belong to, zero if not known yet.
func (p *pool) chain() ledger.ChainID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status.ChainID
}

// shownAddress returns the address that errors name.
func (p *pool) shownAddress() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status.URL
}

func (p *pool) start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		return ErrRunning
	}
	if err := p.cfg.checkAddresses(); err != nil {
		p.setStateLocked(Offline, err)
		return err
	}
	p.running, p.decided = true, len(p.nodes) == 1
	for _, n := range p.nodes {
		n.setLocked(Connecting, nil)
	}
	return nil
}

func (p *pool) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running, p.active, p.chooser.current = false, nil, -1
	for _, n := range p.nodes {
		n.conn = nil
		n.setLocked(Offline, errStopped)
	}
	p.setStateLocked(Offline, errStopped)
}

// ending is a connection to end, and why.
type ending struct {
	conn   *conn
	reason error
}

// current returns the connection in use, for broadcasts only if its daemon can be trusted with payments. Otherwise the
// error is ErrWrongChain, ErrUnavailable or ErrStale, and nothing was sent.
func (p *pool) current(set Set) (*conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	cn := p.connLocked()
	if cn == nil {
		return nil, p.refusalLocked()
	}
	if set == NetworkBroadcast {
		if stale := p.staleLocked(); stale != nil {
			return nil, &noAnswerError{url: cn.url, cause: stale}
		}
	}
	return cn, nil
}

func (p *pool) connLocked() *conn {
	if p.active == nil {
		return nil
	}
	return p.active.conn
}

func (p *pool) refusalLocked() error {
	switch {
	case p.status.State == WrongChain:
		return p.reason
	case p.reason == nil:
		return &noAnswerError{cause: errNotYet}
	}
	return &noAnswerError{cause: p.reason}
}

// connAfter waits for a connection other than old. It gives up when the context ends, when Run ends, or when every
// daemon turns out to be of another chain.
func (p *pool) connAfter(ctx context.Context, old *conn) (*conn, error) {
	for {
		p.mu.Lock()
		cn, changed, refusal := p.connLocked(), p.changed, p.refusalLocked()
		over := old != nil && !p.running || p.status.State == WrongChain
		p.mu.Unlock()
		switch {
		case cn != nil && cn != old && cn.reason() == nil:
			return cn, nil
		case over:
			return nil, refusal
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, &noAnswerError{cause: p.reasonAway(ctx)}
		}
	}
}

// reasonAway returns why no daemon can be reached, which says more than "no answer within …".
func (p *pool) reasonAway(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reason != nil {
		return p.reason
	}
	return context.Cause(ctx)
}
