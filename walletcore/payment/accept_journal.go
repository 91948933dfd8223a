package payment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/finality"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"

	"golang.org/x/sync/errgroup"
)

// JournalState is the state of a wallet's journal.
type JournalState struct {
	Path, Identity string // Identity is "" until the wallet is first unlocked
	Commits        int64  // how many changes it holds
	Lost           error  // why nothing is spent; nil if it is the wallet's own
	Compared       bool   // with the ledger, since the program started; a wallet spends nothing before
	Held           bool   // it is the wallet's own, and lacked payments that are on the ledger and not claimed yet

	// Where to start reading the blocks from which a lost journal is recovered.
	Newest  uint32    // head block when its newest payment was signed; 0 if it has none
	Signed  time.Time // when that payment was signed
	Written time.Time // when the wallet last wrote its journal, by the time of the mark; zero if unknown
	Proved  uint32    // last block that the wallet knows to be irreversible, perhaps since the loss; 0 if none
	From    uint32    // a block from before the loss, derived from these; 0 if they are not enough
	Latest  uint32    // the latest block to begin at: that one, or where From moves on with the clock a later one; 0 as From
}

const (
	shortestBlocks = 5 * time.Second // block interval on DCore; a chain with a shorter one needs an earlier block
	underWay       = 24 * time.Hour  // how long before the last write payments may have been under way
	otherDaemons   = 20              // how many blocks another daemon may have been behind
)

// chooseFrom sets From. What an older copy lacks was signed after its newest payment. Without a copy, From is the last
// proven block minus the most blocks that there can have been since the journal was written.
func (s *JournalState) chooseFrom(now time.Time) {
	lost, ok := errors.AsType[*store.LostError](s.Lost)
	switch {
	case !ok:
	case s.Newest > 0 && lost.Kind != store.Foreign:
		s.From = max(1, s.Newest-min(s.Newest, otherDaemons))
		s.Latest = s.From
	case s.Proved > 0 && !s.Written.IsZero() && now.After(s.Written):
		since := int64((now.Sub(s.Written) + underWay) / shortestBlocks)
		s.From = uint32(max(1, int64(s.Proved)-since))
		s.Latest = uint32(max(1, int64(s.Proved)-since+int64(underWay/shortestBlocks)/2)) // it is named, and run some hours later
	}
}

// JournalState compares the journal with the key file and the mark.
func (p *Payments) JournalState(ctx context.Context) (JournalState, error) {
	at, err := p.Journal.Position(ctx)
	if err != nil {
		return JournalState{}, unreadable("journal", err)
	}
	s := JournalState{Path: p.Journal.Path(), Identity: at.ID, Commits: at.Commit, Lost: p.CheckJournal(ctx), Compared: p.compare.isDone()}
	if lost, is := errors.AsType[*store.LostError](p.Journal.Fault()); s.Lost == nil && is {
		s.Held = lost.Kind == store.Behind
	}
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

// AcceptJournal makes the present journal file, or a new one if there is none, the wallet's own. Before that it reads
// every block from the given one to the first that is too late to hold anything signed before the call (about half a
// minute from now). A block that is later than the one which the journal's state names is refused, unless later is set, and so is
// a journal of another key file as long as keys that made its payments are not in the wallet.
// Transactions that the wallet's keys signed and the journal lacks are recorded and passed to found; their request keys are
// not on the ledger. The blocks must be linked and, if the miners are known, signed by them. The wallet must be unlocked.
// After an error the journal is still refused.
func (p *Payments) AcceptJournal(ctx context.Context, from uint32, later bool, found func(FoundPayment)) error {
	if err := p.Vault.CheckOpen("journal"); err != nil {
		return err
	}
	if !later {
		if err := p.checkSigners(ctx); err != nil {
			return err
		}
	}
	latest, named, err := p.latestStart(ctx)
	if err != nil {
		return err
	}
	if latest > 0 && from > latest && !later {
		return &fault.Error{Code: fault.BadParameter, Op: "journal",
			Message: fmt.Sprintf("block %d is later than block %d, so payments between them that the journal lacks would not be found, and could be made twice",
				from, named),
			Hint: fmt.Sprintf("nothing was accepted; use --from-block %d, or add --later if you know that nothing was paid in between", named)}
	}
	if _, err := p.Daemon.Current(); err != nil {
		return fault.Daemon("journal", err)
	}
	start, err := p.Daemon.DynamicGlobalProperties(ctx) // over the next connection, if one breaks
	if err != nil {
		return fault.Daemon("journal", err)
	}
	if from > start.HeadBlockNumber {
		return &fault.Error{Code: fault.BadParameter, Op: "journal",
			Message: fmt.Sprintf("the ledger has %d blocks, and no block %d yet", start.HeadBlockNumber, from),
			Hint:    "name a block from before the loss; " + p.command("status") + " names one"}
	}
	ours, _, err := p.ownKeys(ctx)
	if err != nil {
		return err
	}
	a := &acceptance{payments: p, found: found, ours: ours}
	if err := a.read(ctx, from, max(start.Time, ledger.TimeOf(p.Now()))+txbuild.LongestLife); err != nil {
		return err
	}
	return p.TakeJournal(ctx)
}

// signersLooked is the number of newest payments that are searched for keys which the wallet lacks.
const signersLooked = 10_000

// checkSigners refuses a journal that was written with another key file, unless every key that made its payments is in the wallet: what
// else such a key paid would not be found, and could be paid again once it is imported.
func (p *Payments) checkSigners(ctx context.Context) error {
	lost, is := errors.AsType[*store.LostError](p.CheckJournal(ctx))
	if !is || lost.Kind != store.Unowned {
		return nil
	}
	refusal := func(why string) error {
		return &fault.Error{Code: fault.KeyNotInWallet, Op: "journal", Message: why + ", so what else it paid would not be found, and could be paid twice",
			Hint: "nothing was accepted; import every key that paid first, and then accept; if one is gone for good, add --later"}
	}
	if len(p.Vault.Listed()) == 0 {
		return refusal("this wallet has no key that can have made the payments of the journal")
	}
	newest, err := p.Journal.Latest(ctx, signersLooked)
	if err != nil {
		return unreadable("journal", err)
	}
	for _, kept := range newest {
		e, err := p.entryOfJournal(kept)
		if err != nil || kept.Chain != p.View.Pins.Chain() || kept.Origin == store.Found {
			continue // what cannot be read is reported elsewhere, and another chain has other keys
		}
		if ours, others := p.signers(&e.tx, p.Vault.Holds); !ours && others {
			return refusal("a key that is not in this wallet made a payment of the journal, \"" + p.describe(ctx, e.tx.Operations) + "\"")
		}
	}
	return nil
}

// latestStart returns the latest block from which a lost journal may be accepted, and the one that its status names; 0 = not known.
func (p *Payments) latestStart(ctx context.Context) (latest, named uint32, err error) {
	if p.shared() {
		hold, err := p.Journal.Hold(ctx)
		if err != nil {
			return 0, 0, unreadable("journal", err)
		}
		return hold.From, hold.From, nil
	}
	at, err := p.JournalState(ctx)
	return at.Latest, at.From, err
}

// acceptance is one pass over the ledger for payments that the journal lacks.
type acceptance struct {
	payments *Payments
	found    func(FoundPayment)
	ours     func(ledger.PublicKey) bool // see ownKeys
	proof    bool                        // count only blocks that the miners' signatures prove irreversible
}

// read reads the blocks from the given one to the first that is later than until. A line that breaks does not end it.
func (a *acceptance) read(ctx context.Context, from uint32, until ledger.Time) error {
	add, proven := a.headerChecks()
	var waiting []*ledger.Block
	for num := max(1, from); ; {
		blocks, err := a.nextBlocks(ctx, num)
		if err != nil {
			return fault.Daemon("journal", err)
		}
		for _, block := range blocks {
			num++
			if err := add(&block.SignedBlockHeader); err != nil {
				return fault.Daemon("journal", err)
			}
			for waiting = append(waiting, block); len(waiting) > 0 && proven(waiting[0].BlockID.Num()); waiting = waiting[1:] {
				if err := a.adoptBlock(ctx, waiting[0]); err != nil {
					return err
				}
				if waiting[0].Timestamp > until {
					return nil
				}
			}
		}
	}
}

// readBlocks reads the blocks from first on, at most readAtOnce and none after last, and checks that each is whole. With an error it
// returns those before the one that could not be read.
func readBlocks(ctx context.Context, daemon daemonclient.Daemon, first, last uint32) (blocks []*ledger.Block, err error) {
	read := make([]*ledger.Block, min(last-first+1, readAtOnce))
	g, ctx := errgroup.WithContext(ctx)
	for i := range read {
		g.Go(func() error {
			block, err := readBlock(ctx, daemon, first+uint32(i))
			if err == nil {
				_, err = finality.Transactions(&block.SignedBlock)
			}
			if err == nil {
				read[i] = block
			}
			return err
		})
	}
	err = g.Wait()
	if gap := slices.Index(read, nil); gap >= 0 {
		return read[:gap], err
	}
	return read, err
}

// adoptBlock records the transactions of a block that the journal lacks.
func (a *acceptance) adoptBlock(ctx context.Context, block *ledger.Block) error {
	for i := range block.Transactions {
		if err := a.adoptTransaction(ctx, block, i); err != nil {
			return err
		}
	}
	return nil
}

// headerChecks returns add, which checks each header against the one before and against the trusted miners, and proven,
// which reports whether a block that was added counts.
func (a *acceptance) headerChecks() (add func(*ledger.SignedBlockHeader) error, proven func(num uint32) bool) {
	anchor := a.payments.Anchor()
	any := func(uint32) bool { return true }
	if len(anchor.Miners) > 0 {
		anchor.Block = finality.Point{} // the blocks may be older than the last proven one
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

// acceptPatience is the time within which a connection that breaks has to show another block.
const acceptPatience = 2 * time.Minute

// nextBlocks waits until the daemon has block num, and returns some from there on.
func (a *acceptance) nextBlocks(ctx context.Context, num uint32) (blocks []*ledger.Block, err error) {
	for asked := time.Now(); ; {
		daemon, err := a.payments.Daemon.Current()
		var dyn ledger.DynamicGlobalProperties
		if err == nil {
			dyn, err = daemon.DynamicGlobalProperties(ctx)
		}
		switch {
		case err != nil:
		case dyn.HeadBlockNumber < num:
			asked = time.Now()
		default:
			blocks, err = readBlocks(ctx, daemon, num, dyn.HeadBlockNumber)
		}
		if len(blocks) > 0 {
			return blocks, nil
		}
		if err != nil && (!isConnectionError(err) || ctx.Err() != nil || time.Since(asked) > acceptPatience) {
			return nil, err
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// adoptTransaction records a transaction that a key of the wallet signed, unless the journal has it.
func (a *acceptance) adoptTransaction(ctx context.Context, block *ledger.Block, i int) error {
	tx := &block.Transactions[i].SignedTransaction
	if ours, _ := a.payments.signers(tx, a.ours); !ours {
		return nil
	}
	id, err := tx.ID()
	if err != nil {
		return fault.Own("journal", err)
	}
	if known, err := a.payments.Journal.Knows(ctx, id); known || err != nil {
		return err
	}
	found, err := a.payments.recordFound(ctx, block, i, id)
	if found != nil {
		a.found(*found)
	}
	return err
}

// recordFound writes a transaction of a block to the journal, which lacks it, together with other changes. It returns
// nil if somebody else has written it meanwhile.
func (p *Payments) recordFound(
	ctx context.Context, block *ledger.Block, i int, id ledger.TransactionID, with ...store.Change,
) (*FoundPayment, error) {
	tx := &block.Transactions[i].SignedTransaction
	e := &entry{tx: *tx, chain: p.View.Pins.Chain(), Payment: Payment{
		ID: id, State: InBlock, Expiration: tx.Expiration, Prepared: block.Timestamp.Time(), Sent: block.Timestamp.Time(),
		InBlock: block.Timestamp.Time(), Block: block.BlockID.Num(), TrxInBlock: uint32(i),
	}}
	e.refBlock = max(1, e.Block-min(e.Block, shortChain)) - 1 // a transaction expires within that many blocks
	row, err := e.journalEntry()
	if row.Origin = store.Found; err == nil {
		err = p.keeper.addRecovered(ctx, row, tx.Operations, with...)
	}
	if errors.Is(err, store.ErrIDTaken) { // another server recorded it first
		return nil, nil
	}
	if err != nil {
		return nil, unreadable("journal", err)
	}
	return &FoundPayment{ID: id, Block: e.Block, Text: p.describe(ctx, tx.Operations)}, nil
}

// describe returns what operations do, as sentences; where names cannot be had, the titles of their kinds.
func (p *Payments) describe(ctx context.Context, ops []ledger.Operation) string {
	var all []string
	for _, op := range ops {
		text, err := p.Build.Sentence(ctx, op)
		if err != nil {
			text = txbuild.Title(op.Code)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}
