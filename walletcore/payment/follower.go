package payment

import (
	"context"
	"errors"
	"fmt"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/finality"
	"billfold/walletcore/ledgerview"
)

// follower reads the chain block by block, once for all payments, and takes back
// what a fork takes back. Only its own goroutine uses it.
//
// It reads in runs: linked blocks without a gap, from block first on, all of them
// while payments are open over one connection to one daemon. What it
// concludes, it concludes from blocks of the run that the miners' signatures prove
// irreversible (package finality); what a daemon merely says decides nothing.
// Bytes are sent again only over the connection of the run, and only when the run
// reaches from their reference block to the present head without holding them.
type follower struct {
	p       *Payments
	taken   chan chan error          // payments of another server are in the journal; it is answered when they are on the list
	daemon  daemonclient.Daemon      // whose connection the run is read over
	anchor  finality.Anchor          // the miners that are trusted; none before the first look
	tracker *finality.Tracker        // of the run
	first   uint32                   // the first block of the run; 0 = no run was begun
	next    uint32                   // the block to read next
	blocks  map[uint32]followedBlock // those of the run that are not irreversible yet, and the last that is
	unclear uint32                   // the last block of the run whose transactions cannot be checked

	rooted map[ledger.TransactionID]bool           // payments whose reference block the run has
	within map[ledger.TransactionID]ledger.BlockID // the blocks of the run that hold payments

	final    uint32      // the last irreversible block of the run; 0 = none yet
	passed   ledger.Time // its time
	saved    uint32      // the block of the anchor that was kept last
	notified uint32      // the head block that open payments were last told of
	tried    uint32      // the head block at which bytes were last sent again
}

func newFollower(p *Payments) *follower {
	return &follower{
		p:      p,
		taken:  make(chan chan error),
		blocks: map[uint32]followedBlock{},
		rooted: map[ledger.TransactionID]bool{},
		within: map[ledger.TransactionID]ledger.BlockID{},
	}
}

func (f *follower) chain() ledger.ChainID { return f.p.Daemon.Status().ChainID }

// followedBlock is what the follower needs of a block. Everything in it was computed
// from the block itself.
type followedBlock struct {
	ledger.SignedBlockHeader
	id  ledger.BlockID
	ids []ledger.TransactionID // of its transactions, in order; nil once they were looked through

	unclear bool // there are transactions in it that this program cannot read: what it holds is not known
}

// readAtOnce is how many blocks are asked for at a time, and read before what they
// settle is settled.
const readAtOnce = 20

// errUnsteady means that the daemon's answers currently do not fit together, as
// while it changes to another fork; the next step sees them settled.
var errUnsteady = errors.New("the daemon's answers do not fit together")

// startAt starts a run at block num.
func (f *follower) startAt(num uint32) {
	clear(f.blocks)
	clear(f.rooted)
	clear(f.within)
	f.first, f.next, f.final, f.passed, f.unclear = num, num, 0, 0, 0
	f.tracker = finality.New(f.anchor)
	if f.anchor.Block.Num() == 0 || num != f.anchor.Block.Num()+1 {
		f.tracker.Restart()
	}
}

// block reads a block over the connection of the run, and computes the ids of its
// transactions, whose merkle root must be the header's.
func (f *follower) block(ctx context.Context, num uint32) (*followedBlock, error) {
	block, err := readBlock(ctx, f.daemon, num)
	if err != nil {
		return nil, err
	}
	got := &followedBlock{SignedBlockHeader: block.SignedBlockHeader, id: block.BlockID}
	got.ids, err = finality.Transactions(&block.SignedBlock)
	if errors.Is(err, finality.ErrTransactions) {
		return nil, err
	}
	got.unclear = err != nil
	return got, nil
}

// readBlock reads a block and compares it with itself: its id is computed.
func readBlock(ctx context.Context, daemon daemonclient.Daemon, num uint32) (*ledger.Block, error) {
	raw, err := daemon.GetBlock(ctx, num)
	if err != nil {
		return nil, err
	}
	if ledgerview.IsNull(raw) {
		return nil, fmt.Errorf("block %d: %w", num, errUnsteady)
	}
	block := new(ledger.Block)
	if err := codec.Unmarshal(raw, block); err != nil {
		return nil, err
	}
	id, err := block.SignedBlockHeader.ID()
	if err != nil || id.Num() != num || block.BlockID != id {
		return nil, fmt.Errorf("block %d calls itself %s and is %s: %w", num, block.BlockID, id, errUnsteady)
	}
	return block, nil
}
