package ledgerview

import (
	"context"
	"encoding/json"
	"fmt"
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

// daemonState is what is known about the daemon without asking it.
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
	followed firstPass
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
func (c *Chain) Prove(num uint32) { c.position.prove(num) }

// Followed records that the blocks have been followed once, to the head or as far as the daemon allows.
func (c *Chain) Followed() { c.followed.end() }

// AwaitFollowed waits until the blocks have been followed once since the program started, so that everything
// that can be proven is. It waits a few seconds at most, and not at all without a daemon.
func (c *Chain) AwaitFollowed(ctx context.Context) {
	if c.IsOnline() {
		c.followed.wait(ctx)
	}
}

// ClaimedIrreversible returns the last irreversible block according to the daemon. Nothing is decided by it.
func (c *Chain) ClaimedIrreversible() uint32 { return c.position.claimedIrreversible() }

// SetLacked records the proven block that the chain of the daemon in use lacks. It reports
// whether that changed.
func (c *Chain) SetLacked(l LackedBlock) (changed bool) { return c.position.setLacked(l) }

// LacksProven returns the fault of a daemon whose chain lacks a proven block: what is
// sent through it may end up on a separate fork. It returns nil if no block is lacking.
func (c *Chain) LacksProven(op string) error {
	l := c.position.lacked()
	if l == (LackedBlock{}) || l.Daemon != c.daemon.InUse().URL {
		return nil
	}
	return &fault.Error{Code: fault.DaemonContradicts, Op: op,
		Message: fmt.Sprintf("the chain of the daemon at %s lacks block %d, which is proven irreversible: "+
			"do not trust that daemon, unless the ledger was reset", l.Daemon, l.Block),
		Hint: "nothing was sent; use another daemon, or for a test network that was started afresh: billfold pins forget miners, then " +
			"start again"}
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
	return c.LacksProven(op)
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
