package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/state"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Controls are what a developer does to a ledger while it runs.
type Controls struct {
	*Faults
	chain *chain.Chain
	clock *clock
	pace  *pace
	hub   *hub
	log   *slog.Logger

	mining sync.Mutex               // keeps the notices of blocks in order
	moved  map[uint64]time.Duration // of the clock, by snapshot
}

func newControls(c *chain.Chain, clock *clock, o Options) *Controls {
	return &Controls{
		Faults: newFaults(), chain: c, clock: clock, pace: newPace(o.BlockTime), hub: newHub(), log: o.Logger,
		moved: map[uint64]time.Duration{},
	}
}

// Mine makes a block at once and returns its id. It also works while Run makes
// blocks by time.
func (c *Controls) Mine() (ledger.BlockID, error) {
	c.mining.Lock()
	defer c.mining.Unlock()
	mined, err := c.chain.Mine(ledger.TimeOf(c.clock.now()))
	for _, d := range mined.Dropped {
		c.log.Warn("pending transaction dropped", "id", d.ID.String(), "why", d.Fault.Error())
	}
	if err != nil {
		return ledger.BlockID{}, fmt.Errorf("the sandbox could not make a block: %w", err)
	}
	c.hub.blockApplied(mined.Block)
	return mined.Block.BlockID, nil
}

// SetBlockTime changes the time between blocks; 0 makes them only on request.
func (c *Controls) SetBlockTime(every time.Duration) error {
	if every < 0 {
		return errBlockTime
	}
	c.pace.set(func(p *pace) { p.every = every })
	return nil
}

// SetTime sets the clock that blocks are made by, and returns it. It fails
// when the head block is not older: the time of blocks always rises.
func (c *Controls) SetTime(at ledger.Time) (ledger.Time, error) {
	var head ledger.Time
	c.chain.View(func(st *state.State) { head = st.HeadTime() })
	if at <= head {
		return 0, fmt.Errorf("the head block is of %s already; give a later time, or revert to a snapshot first", head)
	}
	c.clock.set(at.Time())
	return at, nil
}

// Jump moves the clock and returns its new time. Backwards it goes no further
// than the head block: the next block is one second later than that.
func (c *Controls) Jump(by time.Duration) time.Time { return c.clock.jump(by) }

// Fork takes the newest blocks away, as when another branch of the chain wins;
// see chain.Chain.Fork. It returns the transactions that can never be in a block
// again.
func (c *Controls) Fork(blocks int, keep bool) ([]chain.Dropped, error) {
	c.mining.Lock()
	defer c.mining.Unlock()
	return c.chain.Fork(blocks, keep)
}

// Snapshot notes the state of the ledger and the clock, and returns the number
// that Revert knows it by.
func (c *Controls) Snapshot() uint64 {
	c.mining.Lock()
	defer c.mining.Unlock()
	id := c.chain.Snapshot()
	c.moved[id] = c.clock.movedBy()
	return id
}

// Revert makes the ledger what it was at the snapshot, which can be used again;
// later ones are forgotten. Faults and the pace of blocks stay as they are.
func (c *Controls) Revert(id uint64) error {
	c.mining.Lock()
	defer c.mining.Unlock()
	if err := c.chain.Revert(id); err != nil {
		return err
	}
	c.clock.jump(c.moved[id] - c.clock.movedBy())
	for other := range c.moved {
		if other > id {
			delete(c.moved, other)
		}
	}
	return nil
}

// Kill ends the sandbox as kill -9 ends a node, and starts it again after away
// (protocol/daemon-api.md 11). Connections are cut and nobody is served
// meanwhile, and no blocks are made by time. What was pending is gone, so are the newest lost
// blocks. The transactions in the blocks are not known again: the same bytes are
// taken once more until they expire.
func (c *Controls) Kill(away time.Duration, lost int) error {
	return c.restart(away, func() error { return c.chain.Kill(lost) })
}

// End ends the sandbox cleanly and starts it again after away. As Kill, but
// transactions stay known, and the blocks that are not irreversible are gone.
func (c *Controls) End(away time.Duration) error { return c.restart(away, c.chain.End) }

func (c *Controls) restart(away time.Duration, forget func() error) error {
	c.mining.Lock()
	defer c.mining.Unlock()
	c.Faults.leave(away)
	defer c.hub.cut()
	return forget()
}

// StopBlocks stops making blocks by time, or continues. Mine works all the same.
func (c *Controls) StopBlocks(stop bool) { c.pace.set(func(p *pace) { p.stopped = stop }) }

// ClearFaults ends all faults, also a stop of block making.
func (c *Controls) ClearFaults() {
	c.Faults.clear()
	c.StopBlocks(false)
}

// aheadAfter is how far blocks may be before the clock and still follow it.
const aheadAfter = 5 * time.Second

// runsAhead reports whether the head block is of a time to come.
func (c *Controls) runsAhead() (ahead bool) {
	c.chain.View(func(st *state.State) { ahead = st.HeadTime().Time().After(c.clock.now().Add(aheadAfter)) })
	return ahead
}
