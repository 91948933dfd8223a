package daemonclient

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"billfold/ledger"
)

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
