package daemonclient

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"time"

	"billfold/ledger"
)

// keeper keeps the connection to one daemon of the pool up, and probes it.
type keeper struct {
	pool   *pool
	node   *node
	dialer dialer
}

func newKeeper(p *pool, n *node) *keeper {
	return &keeper{pool: p, node: n, dialer: dialer{
		cfg: p.cfg, url: n.url, probing: p.probing, chain: p.chain, onBlock: func(id ledger.BlockID) { p.blockApplied(n, id) },
	}}
}

// steadyAfter is the time a connection must have been up for the pause after its loss to be the shortest again; a
// daemon that accepts and drops is not hammered.
const steadyAfter = 5 * time.Second

// run keeps the connection to one daemon up until ctx ends, or until the daemon turns out to be of another chain while
// there are others to choose from.
func (k *keeper) run(ctx context.Context) {
	pause := k.pool.cfg.MinBackoff
	for ctx.Err() == nil {
		held, err := k.holdConn(ctx)
		if ctx.Err() != nil {
			return
		}
		if held > steadyAfter {
			pause = k.pool.cfg.MinBackoff
		}
		if held == 0 {
			k.pool.markDown(k.node, nil, err)
		}
		if errors.Is(err, ErrWrongChain) && len(k.pool.nodes) > 1 {
			return
		}
		k.pause(ctx, jitter(pause))
		pause = min(2*pause, k.pool.cfg.MaxBackoff)
	}
}

// pause waits before the next attempt to connect; a request for a probe ends it early.
func (k *keeper) pause(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	k.pool.setNextTry(k.node, time.Now().Add(pause))
	defer k.pool.setNextTry(k.node, time.Time{})
	select {
	case <-timer.C:
	case <-k.node.probeRequested:
	case <-ctx.Done():
	}
}

// holdConn connects, and returns when the connection and all that belongs to it have ended. It returns how long the
// connection was up (0: never), and why it ended.
func (k *keeper) holdConn(ctx context.Context) (held time.Duration, err error) {
	cn, seen, err := k.dialer.connect(ctx)
	if err != nil {
		return 0, err
	}
	since := time.Now()
	k.pool.markUp(k.node, cn, seen)
	k.probeLoop(ctx, cn)
	if ctx.Err() != nil {
		cn.fail(errStopped)
	}
	k.pool.markDown(k.node, cn, cn.reason())
	cn.close(errStopped)
	return max(time.Since(since), 1), cn.reason()
}

// How often the daemons in reserve are probed, in probe intervals of the one in use: seldom as a rule, more often while
// that one lags or there is none.
const (
	reserveSeldom = 10
	reserveOften  = 2
)

// probeLoop probes the daemon periodically until its connection has ended.
func (k *keeper) probeLoop(ctx context.Context, cn *conn) {
	var turn <-chan time.Time // nil, so never ready, if nothing is watched
	timer := time.NewTimer(k.probePause())
	defer timer.Stop()
	if k.pool.probing {
		turn = timer.C
	}
	for {
		select {
		case <-cn.done:
			return
		case <-ctx.Done():
			return
		case <-k.node.probeRequested:
		case <-turn:
		}
		seen, err := probe(ctx, cn, k.pool.cfg)
		k.pool.recordProbe(k.node, cn, seen, err)
		timer.Reset(k.probePause())
	}
}

func (k *keeper) probePause() time.Duration {
	p := k.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.active == k.node:
		return p.cfg.ProbeInterval
	case p.active == nil || p.status.Lagging:
		return reserveOften * p.cfg.ProbeInterval
	}
	return reserveSeldom * p.cfg.ProbeInterval
}

// jitter picks a pause between half and all of it, so that many wallets do not reconnect to a restarted daemon in step.
func jitter(pause time.Duration) time.Duration {
	return pause/2 + rand.N(pause/2+1)
}

// probeResult is the result of a probe.
type probeResult struct {
	chain    ledger.ChainID
	head     ledger.BlockID
	headTime ledger.Time
	elapsed  time.Duration // 0 if daemons are not probed; then the other fields are zero too
	ownClock bool          // the daemon declares that the age of its head means nothing; asked only if Config.OwnClock is set
}

// runningProbe is a probe that has been sent.
type runningProbe struct {
	cn      *conn
	cfg     Config
	started time.Time
	head    ledger.DynamicGlobalProperties
	chain   ledger.ChainID
	calls   []*call // for head and chain
}

// probe asks the daemon for its head and chain. It fails with errSilent if nothing at all, to this or other calls, is
// answered for Config.AnswerTimeout plus a round trip: a daemon that is merely busy with other calls is not silent.
func probe(ctx context.Context, cn *conn, cfg Config) (probeResult, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.ConnectTimeout, errSilent)
	defer cancel()
	p := runningProbe{cn: cn, cfg: cfg}
	if err := p.ask(ctx); err != nil {
		return probeResult{}, err
	}
	return p.result(ctx)
}

func (p *runningProbe) ask(ctx context.Context) (err error) {
	p.started = time.Now()
	head := newDecodedRequest(Database, "get_dynamic_global_properties", &p.head)
	head.timed = true
	p.calls, err = p.cn.sendAll(ctx, head, newDecodedRequest(Database, "get_chain_id", &p.chain))
	return err
}

// result awaits the answers.
func (p *runningProbe) result(ctx context.Context) (seen probeResult, err error) {
	if _, err = p.cn.await(ctx, p.calls[0], p.cfg.AnswerTimeout); err != nil {
		p.cn.abandon(p.calls[1])
		return seen, err
	}
	seen.head, seen.headTime, seen.elapsed = p.head.HeadBlockID, p.head.Time, max(1, time.Since(p.started))
	if _, err = p.cn.await(ctx, p.calls[1], p.cfg.AnswerTimeout); err != nil {
		return seen, err
	}
	seen.chain = p.chain
	age := time.Since(p.head.Time.Time())
	if p.cfg.OwnClock && (age > p.cfg.LagAfter || -age > p.cfg.AheadAfter) && seen.chain.String() != ledger.MainnetChainID {
		seen.ownClock, err = p.hasOwnClock(ctx)
	}
	return seen, err
}

// hasOwnClock asks a daemon whose head does not fit this machine's clock whether its blocks follow real time: a sandbox
// may make them only on demand. The daemon's word is taken for it, so this is asked only if Config.OwnClock is set.
func (p *runningProbe) hasOwnClock(ctx context.Context) (bool, error) {
	asked, err := p.cn.send(ctx, newBareRequest(Database, "about"))
	if err != nil {
		return false, err
	}
	result, err := p.cn.await(ctx, asked, p.cfg.AnswerTimeout)
	if _, nonsense := errors.AsType[*FalseAnswerError](err); nonsense || isRemote(err) {
		return false, nil
	}
	var about struct {
		OwnClock bool `json:"own_clock"`
	}
	if err != nil || json.Unmarshal(result, &about) != nil { // any other answer means no
		return false, err
	}
	return about.OwnClock, nil
}
