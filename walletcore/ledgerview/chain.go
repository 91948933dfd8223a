package ledgerview

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// chainReader is the part of the daemon that the state of its chain is read from.
type chainReader interface {
	GlobalProperties(ctx context.Context) (ledger.GlobalProperties, error)
	DynamicGlobalProperties(ctx context.Context) (ledger.DynamicGlobalProperties, error)
	About(ctx context.Context) (json.RawMessage, error)
	GetBlockHeader(ctx context.Context, number uint32) (*ledger.BlockHeader, error)
	daemonState
}

// daemonState offers what is known about the daemon without asking it.
type daemonState interface {
	Status() daemonclient.Status
	InUse() daemonclient.InUse
	Subscribe() (events <-chan daemonclient.Event, cancel func())
	Epoch() uint64
	Trusted() error
}

// Chain tracks the head of the chain, and whether the daemon can be relied on.
type Chain struct {
	daemon   chainReader
	cache    *blockCache
	events   *event.Broadcaster
	moved    func() // called with each change, before it is published
	anyClock bool   // the ledger's clock may differ from this machine's
	position position
	followed initialSync
	log      *slog.Logger
	told     told
}

// Forget drops what was read at this head block.
func (c *Chain) Forget() {
	c.cache.drop()
}

// Sent drops the cached facts that operations may have changed, once a daemon may have them. Transfers
// only change balances, which are never cached; after any other operation everything is read again.
func (c *Chain) Sent(ops []ledger.Operation) {
	for _, op := range ops {
		switch op.Body.(type) {
		case *ledger.TransferOp, *ledger.TransferObsoleteOp:
		default:
			c.cache.drop()
			return
		}
	}
}

// ID returns the chain id of the daemon, or zero while it is not known.
func (c *Chain) ID() ledger.ChainID { return c.daemon.Status().ChainID }

// IsOnline reports whether the daemon can be asked.
func (c *Chain) IsOnline() bool { return c.daemon.Status().State == daemonclient.Online }

// OwnClock reports whether the ledger's clock may differ from this machine's.
func (c *Chain) OwnClock() bool { return c.anyClock || c.daemon.InUse().OwnClock }

// Position returns the number and time of the head block, and the number of the last block
// that the miners' signatures prove irreversible. They are zero while unknown.
func (c *Chain) Position() (head uint32, at ledger.Time, irreversible uint32) {
	return c.position.read()
}

// Proven returns the last block that the miners' signatures prove irreversible, or 0 if there is none.
func (c *Chain) Proven() uint32 {
	_, _, irreversible := c.position.read()
	return irreversible
}

// Prove records the last block that the miners' signatures prove irreversible.
func (c *Chain) Prove(block ledger.BlockID) { c.position.prove(block) }

// MarkSynced records that the blocks have been followed once, to the head or as far as the daemon allows.
func (c *Chain) MarkSynced() { c.followed.end() }

// AwaitSynced waits until the blocks have been followed once since the program started, so that everything
// that can be proven is. It waits a few seconds at most, and not at all without a daemon.
func (c *Chain) AwaitSynced(ctx context.Context) {
	if c.IsOnline() {
		c.followed.wait(ctx)
	}
}

// ClaimedIrreversible returns the last irreversible block according to the daemon. Nothing is decided by it.
func (c *Chain) ClaimedIrreversible() uint32 { return c.position.claimedIrreversible() }

// SetDoubt records a doubt about the chain of the daemon in use, or that there is none, and tells everybody if that is
// news.
func (c *Chain) SetDoubt(d Doubt) {
	if c.position.setDoubt(d) {
		c.tellDistrust()
		c.events.Publish(event.Event{Kind: event.Daemon})
	}
}

// tellDistrust logs why the ledger is not relied on, and that it is again, once for each reason.
func (c *Chain) tellDistrust() {
	now := c.Distrust()
	if c.daemon.InUse().Condition == daemonclient.Missing { // who lost it has logged that
		now = Distrust{}
	}
	if !c.told.replace(now) {
		return
	}
	if now == (Distrust{}) {
		c.log.Warn("ledger: the daemon is relied on again") // as loud as what it ends
		return
	}
	c.log.Warn("ledger: the daemon is not relied on, and nothing is paid", "why", now.Why, "ends", now.Ends)
}

// told is the distrust that was last logged.
type told struct {
	mu   sync.Mutex
	last Distrust
}

// replace reports whether a reason is news. Numbers in it, as of a head that moves, are none.
func (t *told) replace(now Distrust) (news bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	news = t.last.Ends != now.Ends
	t.last = now
	return news
}

// DoubtFault returns the fault of a daemon whose chain may not be the ledger: what is sent through it may end up on a
// separate fork, or nowhere. It returns nil if there is no doubt.
func (c *Chain) DoubtFault(op string) error {
	s := c.daemon.InUse()
	d := c.doubtOf(s.URL, s.Head, s.HeadSeen)
	f := &fault.Error{Code: fault.DaemonContradicts, Op: op}
	switch d.Kind {
	case LacksBlock:
		f.Message = fmt.Sprintf("the chain of the daemon at %s lacks block %d, which is proven irreversible: "+
			"do not trust that daemon, unless the ledger was reset", s.URL, d.Block)
		f.Hint = "nothing was sent; use another daemon, or for a test network that was started afresh: billfold pins forget miners"
	case BelowProven:
		f.Code = fault.DaemonStale
		f.Message = fmt.Sprintf("the newest block of the daemon at %s is #%d, but block %d is proven irreversible, so it lacks what happened since",
			s.URL, d.Head, d.Block)
		f.Hint = "nothing was sent; make the same request again once it has caught up, or use another daemon; " +
			"for a test network that was started afresh: billfold pins forget miners"
	case Unproven, NoDoubt: // what is sent is sent, but has no outcome until that ends
		return nil
	}
	return f
}

// CheckTrusted refuses a payment before any of it is recorded if there is no daemon, or
// only one that is behind. A payment that is refused later would use up its request key.
func (c *Chain) CheckTrusted(op string) error {
	if err := c.daemon.Trusted(); err != nil {
		return fault.Daemon(op, err)
	}
	if s := c.daemon.InUse(); s.Condition == daemonclient.Distrusted { // it is in use only because there is no other
		return &fault.Error{Code: fault.DaemonGarbage, Op: op,
			Message: "the daemon at " + fault.Address(s.URL) + " gave a false answer within the last minute, so nothing is paid through it",
			Hint:    "nothing was sent; use another daemon (--daemon-url), or try again in a minute if you trust it"}
	}
	return c.DoubtFault(op)
}

// CheckSynced refuses what is only signed, and not sent by this wallet, if there is no daemon, or only one that is behind, or whose chain
// may not be the ledger. One that gave a false answer is not sent payments, but what it said is compared with what is known before a signature.
func (c *Chain) CheckSynced(op string) error {
	if err := c.daemon.Trusted(); err != nil {
		return fault.Daemon(op, err)
	}
	if f := c.DoubtFault(op); f != nil {
		return f
	}
	return nil
}

// follow turns the daemon's notices into events and keeps the position up to date, until ctx ends.
func (c *Chain) follow(ctx context.Context) error {
	notices, stop := c.daemon.Subscribe()
	defer stop()
	c.refresh(ctx, event.Daemon) // for what changed before the subscription
	for {
		select {
		case <-ctx.Done():
			return nil
		case n, open := <-notices:
			if !open {
				return nil
			}
			kind := event.Block
			if _, changed := n.(daemonclient.StateChanged); changed {
				kind = event.Daemon
			}
			c.refresh(ctx, kind)
		}
	}
}

func (c *Chain) refresh(ctx context.Context, kind event.Kind) {
	c.readPosition(ctx)
	c.moved()
	c.tellDistrust()
	c.events.Publish(event.Event{Kind: kind})
}

// positionTime bounds how long reading the position may take. It is read again with the next block.
const positionTime = 5 * time.Second

func (c *Chain) readPosition(ctx context.Context) {
	if now := c.daemon.Status(); now.State != daemonclient.Online || now.Condition == daemonclient.Frozen {
		return // do not delay the event by asking
	}
	ctx, cancel := context.WithTimeout(ctx, positionTime)
	defer cancel()
	_, _ = c.Head(ctx) // it is read again with the next block
}

// Parameters reads the chain's parameters as of the head block.
func (c *Chain) Parameters(ctx context.Context) (*ledger.GlobalProperties, error) {
	f := c.cache.current()
	p, err := readOnce(ctx, &f.reading, "parameters", f.global.Load, func(ctx context.Context) (*ledger.GlobalProperties, error) {
		got, err := c.daemon.GlobalProperties(ctx)
		if err == nil {
			f.global.Store(&got)
		}
		return &got, err
	})
	if err != nil {
		return nil, fault.Daemon("reading the chain's parameters", err)
	}
	return p, nil
}

// Head reads the head block's number, id and time.
func (c *Chain) Head(ctx context.Context) (*ledger.DynamicGlobalProperties, error) {
	f := c.cache.current()
	p, err := readOnce(ctx, &f.reading, "head", f.dynamic.Load, func(ctx context.Context) (*ledger.DynamicGlobalProperties, error) {
		got, err := c.daemon.DynamicGlobalProperties(ctx)
		if err == nil {
			c.position.set(got)
			f.dynamic.Store(&got)
		}
		return &got, err
	})
	if err != nil {
		return nil, fault.Daemon("reading the head block", err)
	}
	return p, nil
}

// HeadTime reads the time of the head block from the daemon, past the cache.
func (c *Chain) HeadTime(ctx context.Context) (ledger.Time, error) {
	head, err := c.daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return 0, fault.Daemon("reading the head block", err)
	}
	return head.Time, nil
}

// position holds the state of the chain when it was last seen.
type position struct {
	mu           sync.RWMutex
	head         uint32
	headTime     ledger.Time
	irreversible uint32 // the last block that the miners' signatures prove irreversible
	proven       ledger.BlockID
	claimed      uint32    // the last one by the daemon's word
	provenAt     time.Time // when irreversible last changed
	doubt        Doubt     // about the chain of the daemon in use
}

// setDoubt notes a doubt about the chain of the daemon in use; it reports whether that is news.
func (p *position) setDoubt(d Doubt) (news bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	news = p.doubt.Kind != d.Kind || p.doubt.Daemon != d.Daemon || p.doubt.Block != d.Block
	p.doubt = d
	return news
}

func (p *position) read() (head uint32, at ledger.Time, irreversible uint32) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.head, p.headTime, p.irreversible
}

func (p *position) set(to ledger.DynamicGlobalProperties) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.head, p.headTime, p.claimed = to.HeadBlockNumber, to.Time, to.LastIrreversibleBlockNum
}

func (p *position) prove(block ledger.BlockID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.proven != block {
		p.proven, p.irreversible, p.provenAt = block, block.Num(), time.Now()
	}
}

func (p *position) claimedIrreversible() uint32 {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.claimed
}

// maxFirstPass is the time from the first wait on after which nothing waits for the first pass over the blocks. What was proven before is
// an answer too, and a lying daemon may keep the pass from ever ending.
const maxFirstPass = 5 * time.Second

// initialSync is the first pass over the blocks up to the head.
type initialSync struct {
	made, ended sync.Once
	done        chan struct{} // closed at the end
	deadline    time.Time     // after which nothing waits
}

func (p *initialSync) channel() chan struct{} {
	p.made.Do(func() { p.done, p.deadline = make(chan struct{}), time.Now().Add(maxFirstPass) })
	return p.done
}

func (p *initialSync) end() { p.ended.Do(func() { close(p.channel()) }) }

func (p *initialSync) wait(ctx context.Context) {
	done := p.channel()
	select {
	case <-done: // the usual case, without a timer
		return
	default:
	}
	timer := time.NewTimer(time.Until(p.deadline))
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
}
