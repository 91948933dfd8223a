package daemonclient

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"billfold/ledger"
)

// sighting is what a look at a daemon shows.
type sighting struct {
	chain    ledger.ChainID
	head     ledger.BlockID
	headTime ledger.Time
	took     time.Duration // 0 when heads are not watched, and then so are these
	ownClock bool          // it says that the age of its head means nothing; asked only when Config.OwnClock lets it
}

// errSilent: calls wait, and nothing at all is answered.
var errSilent = errors.New("the daemon stopped answering")

// How often the daemons in reserve are looked at, in looks at the one in use:
// seldom as a rule, more often while the one in use lags or there is none.
const (
	reserveSeldom = 10
	reserveOften  = 2
)

// watch looks at the daemon from time to time until its line has ended.
func (c *Client) watch(ctx context.Context, m *member, l *line) {
	var turn <-chan time.Time // never comes when nothing is watched
	timer := time.NewTimer(c.lookPause(m))
	defer timer.Stop()
	if c.watching {
		turn = timer.C
	}
	for {
		select {
		case <-l.done:
			return
		case <-ctx.Done():
			return
		case <-m.wake:
		case <-turn:
		}
		seen, err := c.look(ctx, l)
		c.saw(m, l, seen, err)
		timer.Reset(c.lookPause(m))
	}
}

func (c *Client) lookPause(m *member) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.active == m:
		return c.cfg.LookInterval
	case c.active == nil || c.status.Lagging:
		return reserveOften * c.cfg.LookInterval
	}
	return reserveSeldom * c.cfg.LookInterval
}

// look asks where the daemon stands. It fails with errSilent when nothing at
// all is answered for Config.AnswerTime, this or other calls: a daemon that is
// merely busy with them is not silent.
func (c *Client) look(ctx context.Context, l *line) (seen sighting, err error) {
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
		if calls[i], err = l.post(ctx, r); err != nil {
			return seen, err
		}
	}
	if _, err = l.await(ctx, calls[0], c.cfg.AnswerTime); err != nil {
		l.abandon(calls[1])
		return seen, err
	}
	seen.head, seen.headTime, seen.took = head.HeadBlockID, head.Time, max(1, time.Since(started))
	if _, err = l.await(ctx, calls[1], c.cfg.AnswerTime); err != nil {
		return seen, err
	}
	age := time.Since(head.Time.Time())
	if c.cfg.OwnClock && (age > c.cfg.LagAfter || -age > c.cfg.AheadAfter) && seen.chain.String() != ledger.MainnetChainID {
		seen.ownClock, err = c.hasOwnClock(ctx, l)
	}
	return seen, err
}

// hasOwnClock asks a daemon whose head does not fit this machine's clock whether its
// blocks follow the time of this world: those of a sandbox may be made only when
// asked for. It takes the daemon's word, so only Config.OwnClock lets it be asked.
func (c *Client) hasOwnClock(ctx context.Context, l *line) (bool, error) {
	asked, err := l.post(ctx, bare(Database, "about"))
	if err != nil {
		return false, err
	}
	result, err := l.await(ctx, asked, c.cfg.AnswerTime)
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
