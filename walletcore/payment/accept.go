package payment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/finality"
	"billfold/walletcore/store"
)

// JournalState is the state of a wallet's journal.
type JournalState struct {
	Path, Identity string // Identity is "" before the wallet was unlocked once
	Commits        int64  // how many changes it holds
	Lost           error  // why nothing is spent; nil when it is the wallet's own

	// Where the blocks that a lost journal is made good from may begin.
	Newest  uint32    // the head block when the newest payment in it was signed; 0 when it has none
	Signed  time.Time // when that was
	Written time.Time // when the wallet last wrote to its journal, by the time of the mark; zero when that is not known
	Proved  uint32    // the last block that the wallet knows to be irreversible, perhaps since the loss; 0 when it knows none
	From    uint32    // a block from before the loss, by these; 0 when they do not tell
}

const (
	shortestBlocks = 5 * time.Second // between blocks, on DCore; a chain of faster ones needs an earlier block
	underWay       = 24 * time.Hour  // how long before the last write payments may have been under way
	otherDaemons   = 20              // how many blocks a daemon that was asked later may have been behind
)

// chooseFrom fills in From. What an older copy lacks was signed after its newest payment. Without a copy, it is
// the last proven block less those that there can have been since the journal was written.
func (s *JournalState) chooseFrom(now time.Time) {
	lost, ok := errors.AsType[*store.LostError](s.Lost)
	switch {
	case !ok:
	case s.Newest > 0 && lost.Kind != store.Foreign:
		s.From = max(1, s.Newest-min(s.Newest, otherDaemons))
	case s.Proved > 0 && !s.Written.IsZero() && now.After(s.Written):
		since := int64((now.Sub(s.Written) + underWay) / shortestBlocks)
		s.From = uint32(max(1, int64(s.Proved)-since))
	}
}

// JournalState compares the journal with what the key file and its mark say.
func (p *Payments) JournalState(ctx context.Context) (JournalState, error) {
	at, err := p.Journal.Position(ctx)
	if err != nil {
		return JournalState{}, unreadable("journal", err)
	}
	s := JournalState{Path: p.Journal.Path(), Identity: at.ID, Commits: at.Commit, Lost: p.CheckJournal(ctx)}
	if info, err := os.Stat(p.Journal.MarkPath()); err == nil {
		s.Written = info.ModTime()
	}
	newest, err := p.Journal.Latest(ctx, 1)
	if err != nil {
		return s, unreadable("journal", err)
	}
	for _, e := range newest {
		s.Newest, s.Signed = e.RefBlock, e.Prepared
	}
	if p.Anchors != nil {
		known, err := p.Anchors.Anchor(ctx, p.View.Pins.Chain())
		if err != nil {
			return s, fault.Store(err)
		}
		if known != nil {
			s.Proved = known.Block.Num()
		}
	}
	s.chooseFrom(p.Now())
	return s, nil
}

// AcceptJournal takes the present journal file, or a new one where there is none, for the
// wallet's own, after reading every block from the given one to one that is later than
// anything that was signed before could be in (half a minute from now). Transactions that keys of
// the wallet signed and the journal lacks are recorded and given to found; their request keys are
// not on the ledger. The blocks must be linked and, where the miners are known, signed by
// them. The wallet must be unlocked. An error leaves the journal refused.
func (p *Payments) AcceptJournal(ctx context.Context, from uint32, found func(FoundPayment)) error {
	if err := p.Vault.CheckOpen("journal"); err != nil {
		return err
	}
	daemon, err := p.Daemon.Current()
	if err != nil {
		return fault.Daemon("journal", err)
	}
	begun, err := daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return fault.Daemon("journal", err)
	}
	if from > begun.HeadBlockNumber {
		return &fault.Error{Code: fault.BadParameter, Op: "journal",
			Message: fmt.Sprintf("the ledger has %d blocks, and no block %d yet", begun.HeadBlockNumber, from),
			Hint:    "name a block from before the loss; " + p.statusCommand() + " names one"}
	}
	a := &acceptance{payments: p, found: found}
	if err := a.read(ctx, daemon, from, max(begun.Time, ledger.TimeOf(p.Now()))+build.TransactionLife); err != nil {
		return err
	}
	return p.TakeJournal(ctx)
}

// acceptance is one reading of the ledger for payments that the journal lacks.
type acceptance struct {
	payments *Payments
	found    func(FoundPayment)
	proof    bool // only blocks count that the miners' signatures prove irreversible
}

// read reads the blocks from the given one to one that is later than until.
func (a *acceptance) read(ctx context.Context, daemon daemonclient.Daemon, from uint32, until ledger.Time) error {
	add, proven := a.acceptedChain()
	var waiting []*ledger.Block
	for num := max(1, from); ; num++ {
		if err := a.untilBlock(ctx, num); err != nil {
			return err
		}
		block, err := readBlock(ctx, daemon, num)
		if err == nil {
			_, err = finality.Transactions(&block.SignedBlock)
		}
		if err == nil {
			err = add(&block.SignedBlockHeader)
		}
		if err != nil {
			return fault.Daemon("journal", err)
		}
		for waiting = append(waiting, block); len(waiting) > 0 && proven(waiting[0].BlockID.Num()); waiting = waiting[1:] {
			for i := range waiting[0].Transactions {
				if err := a.adoptTransaction(ctx, waiting[0], i); err != nil {
					return err
				}
			}
			if waiting[0].Timestamp > until {
				return nil
			}
		}
	}
}

// acceptedChain returns what compares one header after the other with the one before, and against the
// miners that are trusted, and what tells whether a block of those counts.
func (a *acceptance) acceptedChain() (add func(*ledger.SignedBlockHeader) error, proven func(num uint32) bool) {
	anchor := a.payments.Anchor()
	any := func(uint32) bool { return true }
	if len(anchor.Miners) > 0 {
		anchor.Block = finality.Point{} // the blocks may be older than what was proven last
		t := finality.New(anchor)
		if proven = any; a.proof {
			proven = t.Proven
		}
		return func(h *ledger.SignedBlockHeader) error { return t.Add(h, a.payments.LatestBlock()) }, proven
	}
	var before ledger.BlockID
	return func(h *ledger.SignedBlockHeader) error {
		id, err := h.ID()
		if err == nil && before != (ledger.BlockID{}) && h.Previous != before {
			err = finality.ErrUnlinked
		}
		before = id
		return err
	}, any
}

// untilBlock waits until the daemon has block num.
func (a *acceptance) untilBlock(ctx context.Context, num uint32) error {
	for {
		dyn, err := a.payments.Daemon.DynamicGlobalProperties(ctx)
		if err != nil {
			return fault.Daemon("journal", err)
		}
		if dyn.HeadBlockNumber >= num {
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return fault.Daemon("journal", ctx.Err())
		}
	}
}

// adoptTransaction records a transaction that a key of the wallet signed, unless the
// journal has it.
func (a *acceptance) adoptTransaction(ctx context.Context, block *ledger.Block, i int) error {
	tx := &block.Transactions[i].SignedTransaction
	if !a.signedByUs(tx) {
		return nil
	}
	id, err := tx.ID()
	if err != nil {
		return fault.Own("journal", err)
	}
	if _, err := a.payments.Journal.Get(ctx, id); err == nil {
		return nil
	}
	e := &entry{tx: *tx, chain: a.payments.View.Pins.Chain(), Payment: Payment{
		ID: id, State: InBlock, Expiration: tx.Expiration, Prepared: block.Timestamp.Time(), Sent: block.Timestamp.Time(),
		InBlock: block.Timestamp.Time(), Block: block.BlockID.Num(), TrxInBlock: uint32(i),
	}}
	e.refBlock = max(1, e.Block-min(e.Block, shortChain)) - 1 // it expires within that many
	row, err := e.journalEntry()
	if row.Origin = store.Found; err == nil {
		err = a.payments.keeper.recovered(ctx, row, tx.Operations)
	}
	if errors.Is(err, store.ErrIDTaken) { // another server was faster
		return nil
	}
	if err != nil {
		return unreadable("journal", err)
	}
	a.found(FoundPayment{ID: id, Block: e.Block, Text: a.sentences(ctx, tx.Operations)})
	return nil
}

// sentences say what operations do; where names cannot be had, their kinds.
func (a *acceptance) sentences(ctx context.Context, ops []ledger.Operation) string {
	var all []string
	for _, op := range ops {
		text, err := a.payments.Build.Sentence(ctx, op)
		if err != nil {
			text = build.Title(op.Code)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

func (a *acceptance) signedByUs(tx *ledger.SignedTransaction) bool {
	digest, err := tx.Digest(a.payments.View.Pins.Chain())
	if err != nil {
		return false
	}
	for _, sig := range tx.Signatures {
		key, err := ledger.RecoverKey(digest, sig)
		if err != nil {
			continue
		}
		if a.payments.Vault.Holds(key) {
			return true
		}
	}
	return false
}
