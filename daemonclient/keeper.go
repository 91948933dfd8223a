package daemonclient

import (
	"context"
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

// steadyAfter is how long a connection must have been up for the pause after its loss to be the shortest again; a
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
