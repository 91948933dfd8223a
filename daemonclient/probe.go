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

// inquiry is a probe under way.
type inquiry struct {
	cn      *conn
	cfg     Config
	started time.Time
	head    ledger.DynamicGlobalProperties
	chain   ledger.ChainID
	calls   []*call // for head and chain
}

// probe asks where the daemon stands. It fails with errSilent when nothing at
// all is answered for Config.AnswerTimeout and what a round trip takes, this or other
// calls: a daemon that is merely busy with them is not silent.
func probe(ctx context.Context, cn *conn, cfg Config) (probeResult, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.ConnectTimeout, errSilent)
	defer cancel()
	p := inquiry{cn: cn, cfg: cfg}
	if err := p.ask(ctx); err != nil {
		return probeResult{}, err
	}
	return p.result(ctx)
}

func (p *inquiry) ask(ctx context.Context) (err error) {
	p.started = time.Now()
	head := decoded(Database, "get_dynamic_global_properties", &p.head)
	head.timed = true
	p.calls, err = p.cn.sendAll(ctx, head, decoded(Database, "get_chain_id", &p.chain))
	return err
}

// result awaits what was asked.
func (p *inquiry) result(ctx context.Context) (seen probeResult, err error) {
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

// hasOwnClock asks a daemon whose head does not fit this machine's clock whether its
// blocks follow the time of this world: those of a sandbox may be made only when
// asked for. It takes the daemon's word, so only Config.OwnClock lets it be asked.
func (p *inquiry) hasOwnClock(ctx context.Context) (bool, error) {
	asked, err := p.cn.send(ctx, bare(Database, "about"))
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
	if err != nil || json.Unmarshal(result, &about) != nil { // whatever it says else, that it does not say
		return false, err
	}
	return about.OwnClock, nil
}
