package daemonclient

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"billfold/ledger"
)

// probeResult is what a probe of a daemon shows.
type probeResult struct {
	chain    ledger.ChainID
	head     ledger.BlockID
	headTime ledger.Time
	elapsed  time.Duration // 0 when daemons are not probed, and then so are these
	ownClock bool          // it says that the age of its head means nothing; asked only when Config.OwnClock lets it
}

// errSilent means that calls wait, and nothing at all is answered.
var errSilent = errors.New("the daemon stopped answering")

// How often the daemons in reserve are probed, in probes of the one in use:
// seldom as a rule, more often while the one in use lags or there is none.
const (
	reserveSeldom = 10
	reserveOften  = 2
)

// probeLoop probes the daemon from time to time until its connection has ended.
func (c *Client) probeLoop(ctx context.Context, n *node, cn *conn) {
	var turn <-chan time.Time // never comes when nothing is watched
	timer := time.NewTimer(c.probePause(n))
	defer timer.Stop()
	if c.probing {
		turn = timer.C
	}
	for {
		select {
		case <-cn.done:
			return
		case <-ctx.Done():
			return
		case <-n.probeNow:
		case <-turn:
		}
		seen, err := c.probe(ctx, cn)
		c.recordProbe(n, cn, seen, err)
		timer.Reset(c.probePause(n))
	}
}

func (c *Client) probePause(n *node) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.active == n:
		return c.cfg.ProbeInterval
	case c.active == nil || c.status.Lagging:
		return reserveOften * c.cfg.ProbeInterval
	}
	return reserveSeldom * c.cfg.ProbeInterval
}

// probe asks where the daemon stands. It fails with errSilent when nothing at
// all is answered for Config.AnswerTimeout, this or other calls: a daemon that is
// merely busy with them is not silent.
func (c *Client) probe(ctx context.Context, cn *conn) (seen probeResult, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.ConnectTimeout, errSilent)
	defer cancel()
	started := time.Now()
	calls := make([]*call, 2) // sent together
	var head ledger.DynamicGlobalProperties
	for i, part := range []struct {
		method string
		into   any
	}{{"get_dynamic_global_properties", &head}, {"get_chain_id", &seen.chain}} {
		r := bare(Database, part.method)
		r.accept = func(result json.RawMessage) error { return decode(result, part.into) }
		if calls[i], err = cn.send(ctx, r); err != nil {
			return seen, err
		}
	}
	if _, err = cn.await(ctx, calls[0], c.cfg.AnswerTimeout); err != nil {
		cn.abandon(calls[1])
		return seen, err
	}
	seen.head, seen.headTime, seen.elapsed = head.HeadBlockID, head.Time, max(1, time.Since(started))
	if _, err = cn.await(ctx, calls[1], c.cfg.AnswerTimeout); err != nil {
		return seen, err
	}
	age := time.Since(head.Time.Time())
	if c.cfg.OwnClock && (age > c.cfg.LagAfter || -age > c.cfg.AheadAfter) && seen.chain.String() != ledger.MainnetChainID {
		seen.ownClock, err = c.hasOwnClock(ctx, cn)
	}
	return seen, err
}

// hasOwnClock asks a daemon whose head does not fit this machine's clock whether its
// blocks follow the time of this world: those of a sandbox may be made only when
// asked for. It takes the daemon's word, so only Config.OwnClock lets it be asked.
func (c *Client) hasOwnClock(ctx context.Context, cn *conn) (bool, error) {
	asked, err := cn.send(ctx, bare(Database, "about"))
	if err != nil {
		return false, err
	}
	result, err := cn.await(ctx, asked, c.cfg.AnswerTimeout)
	if _, nonsense := errors.AsType[*FalseAnswerError](err); nonsense || isRemote(err) {
		return false, nil
	}
	var about struct {
		OwnClock bool `json:"own_clock"`
	}
	if err != nil || json.Unmarshal(result, &about) != nil { // whatever it says else, that it does not say
		return false, err
	}
	return about.OwnClock, nil
}
