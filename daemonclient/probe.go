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

// probe asks where the daemon stands. It fails with errSilent when nothing at
// all is answered for Config.AnswerTimeout, this or other calls: a daemon that is
// merely busy with them is not silent.
func probe(ctx context.Context, cn *conn, cfg Config) (seen probeResult, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.ConnectTimeout, errSilent)
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
	if _, err = cn.await(ctx, calls[0], cfg.AnswerTimeout); err != nil {
		cn.abandon(calls[1])
		return seen, err
	}
	seen.head, seen.headTime, seen.elapsed = head.HeadBlockID, head.Time, max(1, time.Since(started))
	if _, err = cn.await(ctx, calls[1], cfg.AnswerTimeout); err != nil {
		return seen, err
	}
	age := time.Since(head.Time.Time())
	if cfg.OwnClock && (age > cfg.LagAfter || -age > cfg.AheadAfter) && seen.chain.String() != ledger.MainnetChainID {
		seen.ownClock, err = hasOwnClock(ctx, cn, cfg)
	}
	return seen, err
}

// hasOwnClock asks a daemon whose head does not fit this machine's clock whether its
// blocks follow the time of this world: those of a sandbox may be made only when
// asked for. It takes the daemon's word, so only Config.OwnClock lets it be asked.
func hasOwnClock(ctx context.Context, cn *conn, cfg Config) (bool, error) {
	asked, err := cn.send(ctx, bare(Database, "about"))
	if err != nil {
		return false, err
	}
	result, err := cn.await(ctx, asked, cfg.AnswerTimeout)
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
