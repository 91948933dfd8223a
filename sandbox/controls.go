package sandbox

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/state"
)

// Controls let a developer manipulate a ledger while it runs.
type Controls struct {
	*Faults
	chain *chain.Chain
	clock *clock
	pace  *pace
	hub   *hub
	log   *slog.Logger

	seeders *seeders // nil without

	mining  sync.Mutex               // keeps block notices in order
	offsets map[uint64]time.Duration // the clock's offset, by snapshot
}

func newControls(c *chain.Chain, clock *clock, o Options) *Controls {
	return &Controls{
		Faults: newFaults(), chain: c, clock: clock, pace: newPace(o.BlockTime), hub: newHub(), log: o.Logger,
		offsets: map[uint64]time.Duration{},
	}
}

// Mine makes a block at once and returns its id. It also works while Run makes
// blocks on a schedule.
func (c *Controls) Mine() (ledger.BlockID, error) {
	c.mining.Lock()
	defer c.mining.Unlock()
	mined, err := c.chain.Mine(ledger.TimeOf(c.clock.now()))
	for _, d := range mined.Dropped {
		c.log.Warn("sandbox: a pending transaction was dropped", "id", d.ID.String(), "why", d.Fault.Error())
	}
	if err != nil {
		return ledger.BlockID{}, fmt.Errorf("the sandbox could not make a block: %w", err)
	}
	c.hub.blockApplied(mined.Block)
	if c.seeders != nil {
		c.seeders.act()
	}
	return mined.Block.BlockID, nil
}

// Head returns the number of the head block.
func (c *Controls) Head() (num uint32) {
	c.chain.View(func(st *state.State) { num = st.Dynamic().HeadBlockNumber })
	return num
}

// Final returns the last block that was ever announced as irreversible; see chain.Chain.Final.
func (c *Controls) Final() uint32 { return c.chain.Final() }

// SetBlockTime changes the time between blocks; with 0 they are made only on request.
func (c *Controls) SetBlockTime(every time.Duration) error {
	if every < 0 {
		return errBlockTime
	}
	c.pace.set(func(p *pace) { p.every = every })
	return nil
}

// SetTime sets the clock by which blocks are made, and returns at. It fails
// unless at is later than the head block: block times always rise.
func (c *Controls) SetTime(at ledger.Time) (ledger.Time, error) {
	var head ledger.Time
	c.chain.View(func(st *state.State) { head = st.HeadTime() })
	if at <= head {
		return 0, fmt.Errorf("the time of the head block is already %s; give a later time, or revert to a snapshot first", head)
	}
	c.clock.set(at.Time())
	return at, nil
}

// Jump moves the clock and returns its new time. It cannot make block times go
// back: the next block is at least one second later than the head block.
func (c *Controls) Jump(by time.Duration) time.Time { return c.clock.jump(by) }

// Fork removes the newest blocks, as when another branch of the chain wins; see
// chain.Chain.Fork. It returns the transactions that can never be in a block
// again.
func (c *Controls) Fork(blocks int, keep bool) ([]chain.Dropped, error) {
	c.mining.Lock()
	defer c.mining.Unlock()
	return c.chain.Fork(blocks, keep)
}

// Snapshot remembers the state of the ledger and the clock, and returns a number
// for Revert.
func (c *Controls) Snapshot() uint64 {
	c.mining.Lock()
	defer c.mining.Unlock()
	id := c.chain.Snapshot()
	c.offsets[id] = c.clock.offset()
	return id
}

// Revert returns the ledger and the clock to a snapshot, which can be used again;
// later ones are forgotten. It leaves faults and the pace of blocks unchanged.
func (c *Controls) Revert(id uint64) error {
	c.mining.Lock()
	defer c.mining.Unlock()
	if err := c.chain.Revert(id); err != nil {
		return err
	}
	c.clock.jump(c.offsets[id] - c.clock.offset())
	for other := range c.offsets {
		if other > id {
			delete(c.offsets, other)
		}
	}
	return nil
}

// Kill simulates a node that is killed with kill -9 and starts again after away
// (docs/protocol/daemon-api.md 11). Connections are cut; until it starts again nobody is
// served and no blocks are made on schedule. Pending transactions and the newest
// lost blocks are gone. The node has forgotten the transactions in its blocks: it
// accepts the same bytes once more until they expire.
func (c *Controls) Kill(away time.Duration, lost int) error {
	return c.restart(away, func() error { return c.chain.Kill(lost) })
}

// End simulates a node that is stopped cleanly and starts again after away. Unlike
// after Kill, it remembers transactions, and the blocks that are not irreversible
// are gone.
func (c *Controls) End(away time.Duration) error { return c.restart(away, c.chain.End) }

func (c *Controls) restart(away time.Duration, forget func() error) error {
	c.mining.Lock()
	defer c.mining.Unlock()
	c.Faults.leave(away)
	defer c.hub.disconnectAll()
	return forget()
}

// StopBlocks stops making blocks on schedule, or resumes. Mine works in any case.
func (c *Controls) StopBlocks(stop bool) { c.pace.set(func(p *pace) { p.stopped = stop }) }

// ClearFaults ends all faults, including StopBlocks.
func (c *Controls) ClearFaults() {
	c.Faults.clear()
	c.StopBlocks(false)
}

// aheadAfter is the maximum lead over the clock at which blocks still count as following it.
const aheadAfter = 5 * time.Second

// runsAhead reports whether the head block is ahead of the clock.
func (c *Controls) runsAhead() (ahead bool) {
	c.chain.View(func(st *state.State) { ahead = st.HeadTime().Time().After(c.clock.now().Add(aheadAfter)) })
	return ahead
}
