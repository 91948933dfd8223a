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

// follower reads the chain block by block, once for all payments, and undoes what a fork undoes. Only its own goroutine uses it.
//
// It reads in runs: linked blocks without a gap, from block first on, and while payments are open all that are not proven over one
// connection to one daemon. It concludes only from blocks of the run that the miners' signatures prove irreversible
// (package finality); what a daemon merely says decides nothing. Bytes are sent again only over that
// connection, and only if the run reaches from their reference block to the present head without holding them.
type follower struct {
	p              *Payments
	takenOver      chan chan error          // announces payments taken over in the journal; answered once they are on the list
	daemon         daemonclient.Daemon      // daemon whose connection the unproven blocks of the run are read over
	anchor         finality.Anchor          // the trusted miners; none before the first pass
	tracker        *finality.Tracker        // tracks the run
	first          uint32                   // first block of the run; 0 = there is no run
	next           uint32                   // block to read next
	blocks         map[uint32]followedBlock // those of the run that are not irreversible yet, and the last irreversible one
	lastUnreadable uint32                   // last block of the run whose transactions cannot be checked

	refBlockSeen map[ledger.TransactionID]uint32         // the reference blocks, by payment, that are in the run
	blockOf      map[ledger.TransactionID]ledger.BlockID // blocks of the run that hold payments

	final      uint32      // last irreversible block of the run; 0 = none yet
	finalTime  ledger.Time // time of that block
	headTime   ledger.Time // of the head of the latest pass, as finality.Anchor.Head
	savedBlock uint32      // proven block of the anchor that was saved last
	notified   uint32      // head block last announced for open payments
	overdue    overdue     // payments of other programs on the file
	resentAt   uint32      // next block to read when bytes were last sent again
}

func newFollower(p *Payments) *follower {
	return &follower{
		p:            p,
		takenOver:    make(chan chan error),
		blocks:       map[uint32]followedBlock{},
		refBlockSeen: map[ledger.TransactionID]uint32{},
		blockOf:      map[ledger.TransactionID]ledger.BlockID{},
	}
}

func (f *follower) chain() ledger.ChainID { return f.p.Daemon.Status().ChainID }

// followedBlock is the part of a block that the follower needs. All of it is computed from the block itself.
type followedBlock struct {
	ledger.SignedBlockHeader
	id  ledger.BlockID
	ids []ledger.TransactionID // ids of its transactions, in order; nil once they were looked through

	signatures [][]ledger.Signature // those of its transactions; nil with ids

	unreadable bool // it holds transactions that this program cannot read, so what it contains is unknown
}

// readAtOnce is the number of blocks that are requested at a time, and read before conclusions are drawn from them.
const readAtOnce = 20

// errUnsteady means that the daemon's answers do not fit together at the moment, for instance while it switches to
// another fork. The next pass finds them settled.
var errUnsteady = errors.New("the daemon's answers do not fit together")

// startAt starts a new run at block num.
func (f *follower) startAt(num uint32) {
	clear(f.blocks)
	clear(f.refBlockSeen)
	clear(f.blockOf)
	f.first, f.next, f.final, f.finalTime, f.lastUnreadable = num, num, 0, 0, 0
	f.tracker = finality.New(f.anchor)
	if f.anchor.Block.Num() == 0 || num != f.anchor.Block.Num()+1 {
		f.tracker.Restart()
	}
}

// block reads a block over the connection of the run and computes the ids of its transactions,
// whose merkle root must match the header's.
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
	got.unreadable = err != nil
	got.signatures = make([][]ledger.Signature, len(block.Transactions))
	for i := range block.Transactions {
		got.signatures[i] = block.Transactions[i].Signatures
	}
	return got, f.p.compare.see(ctx, block)
}

// readBlock reads a block and checks that it has the number and the id that it claims; the id is computed.
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
