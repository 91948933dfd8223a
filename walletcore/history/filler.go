package history

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// Errors that end a step without harm: the next one reads again.
var (
	errForked = errors.New("the chain moved while the history was read")
	errBehind = errors.New("the daemon is behind the history index")
)

// Events lets the filler announce that rows of the index changed, and wait for new
// blocks.
type Events interface {
	Publish(e event.Event)
	Subscribe(only ...event.Kind) (<-chan event.Event, func())
}

// Filler brings the index up to date with the chain. It must be used by one goroutine only.
type Filler struct {
	*Reader
	events      Events
	statistics  map[ledger.AccountID]ledger.AccountStatisticsID
	checked     map[ledger.AccountID]bool // accounts whose rows were counted since the start
	connection  daemonclient.Status       // the connection at the start of this step
	turns       turns
	seenOnChain map[ledger.BlockID]bool // whether blocks are on the chain, as found in this turn
	firstHead   uint32                  // the head block of the first turn
	older       []ledger.AccountID      // accounts that were checked since the start and may lack older rows
}

// turns chooses which accounts are updated with a block when a wallet has too many to update all of them: those that
// the blocks since the last turn touch, once more when those blocks are final, and a fixed number of others in rotation,
// for operations that appear in no block. For all others, readers ask the daemon for what follows the final rows.
type turns struct {
	seen   uint32                      // the last block that was searched
	next   int                         // index of the account at which the rotation continues
	settle map[ledger.AccountID]uint32 // touched accounts, with the block that must be final before their second update
	again  []ledgerview.AccountRef     // the accounts of a turn that failed
}

// NewFiller returns a filler for the reader's index.
func NewFiller(r *Reader, events Events) *Filler {
	return &Filler{
		Reader:     r,
		events:     events,
		statistics: map[ledger.AccountID]ledger.AccountStatisticsID{},
		checked:    map[ledger.AccountID]bool{},
		turns:      turns{settle: map[ledger.AccountID]uint32{}},
	}
}

// ready reports whether the daemon and the index are of the wallet's chain. It binds an empty index to that chain.
func (f *Filler) ready() bool {
	f.connection = f.Daemon.Status()
	chain := f.Vault.ChainID()
	if f.connection.State != daemonclient.Online || chain == (ledger.ChainID{}) || chain != f.connection.ChainID {
		return false
	}
	if err := f.Index.Bind(chain); err != nil {
		if !errors.Is(err, historyindex.ErrNoRoom) { // which the notice says once
			f.Logger.Warn("history index: it cannot be used for this chain", "error", err)
		}
		return false
	}
	return true
}

// status returns the status of an account in the index. The first time, it also checks the account's rows.
func (f *Filler) status(ctx context.Context, id ledger.AccountID) (historyindex.Status, error) {
	if !f.checked[id] {
		failure, err := f.Index.Check(ctx, id)
		if err != nil {
			return historyindex.Status{}, err
		}
		if failure != "" {
			f.Logger.Warn("history index: an account in it was not whole", "error", failure)
		}
		f.checked[id] = true
		if !slices.Contains(f.older, id) {
			f.older = append(f.older, id)
		}
	}
	return f.Index.Status(ctx, id)
}

// onChain reports whether a block is on the chain that the daemon follows now.
func (f *Filler) onChain(ctx context.Context, num uint32, id ledger.BlockID) (bool, error) {
	at, err := f.Daemon.DynamicGlobalProperties(ctx)
	if err != nil || at.HeadBlockID == id || at.HeadBlockNumber <= num {
		return at.HeadBlockID == id, err
	}
	next, err := f.Daemon.GetBlockHeader(ctx, num+1)
	return next != nil && next.Previous == id, err
}

// resolveContradiction is called when the daemon's history differs from a final row
// of the index in the given block. Unless the daemon is merely behind, or the
// connection changed meanwhile, it forgets the account so that it is read again. It
// always returns an error.
func (f *Filler) resolveContradiction(ctx context.Context, id ledger.AccountID, block uint32) error {
	at, err := f.Daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return err
	}
	if now := f.Daemon.Status(); now.URL != f.connection.URL || !now.Since.Equal(f.connection.Since) {
		return errForked
	}
	if at.HeadBlockNumber < block {
		return errBehind
	}
	f.Logger.Warn("history index: the daemon's history differs from before, and is read again",
		"account",
		id.String(),
		"daemon",
		f.connection.URL,
	)
	if err := f.Index.Forget(ctx, id); err != nil {
		return err
	}
	if !slices.Contains(f.older, id) {
		f.older = append(f.older, id)
	}
	f.View.Accounts.ForgetNames() // they may be of a fork that was dropped
	return errForked
}

// rereadOnGap handles ErrGap from the index, for rows that were proven to join: the account is read again. It returns
// any other error unchanged.
func (f *Filler) rereadOnGap(ctx context.Context, id ledger.AccountID, err error) error {
	if errors.Is(err, historyindex.ErrGap) {
		f.Logger.Warn("history index: an account is read again", "account", id.String(), "error", err)
		return f.resolveContradiction(ctx, id, 0)
	}
	return err
}

// readPage reads the records of an account counted first … last, oldest first.
func (f *Filler) readPage(ctx context.Context, id ledger.AccountID, first, last uint64) ([]json.RawMessage, error) {
	page, err := f.Daemon.RelativeAccountHistoryRaw(ctx, id, uint32(first), uint32(last-first+1), uint32(last))
	if err != nil {
		return nil, err
	}
	if uint64(len(page)) != last-first+1 {
		return nil, errForked // the account had that many a moment ago
	}
	slices.Reverse(page)
	return page, nil
}

// readPages is readPage for more records than fit one page. It requests the pages concurrently.
func (f *Filler) readPages(ctx context.Context, id ledger.AccountID, first, last uint64) ([]json.RawMessage, error) {
	pages := make([][]json.RawMessage, (last-first)/pageRows+1)
	err := queryAll(len(pages), func(i int) (err error) {
		from := first + uint64(i)*pageRows
		pages[i], err = f.readPage(ctx, id, from, min(from+pageRows-1, last))
		return err
	})
	return slices.Concat(pages...), err
}

// rows turns records, oldest first and counted from first on, into rows of the
// index. It stops at a block after head; those records are left for the next time.
func (f *Filler) rows(
	ctx context.Context,
	id ledger.AccountID,
	first uint64,
	raws []json.RawMessage,
	head uint32,
) ([]historyindex.Row, error) {
	records := make([]ledger.HistoryRecord, 0, len(raws))
	for _, raw := range raws {
		r, err := readRecord(raw)
		if err != nil {
			return nil, err
		}
		if r.BlockNum > head {
			break
		}
		records = append(records, r)
	}
	times, err := f.blockTimes(ctx, records)
	if err != nil {
		return nil, err
	}
	out := make([]historyindex.Row, len(records))
	for i, r := range records {
		if times[r.BlockNum] == 0 {
			return nil, errForked // the block is gone
		}
		out[i] = indexRow(id, r)
		out[i].Seq, out[i].Time, out[i].Raw = first+uint64(i), times[r.BlockNum], raws[i]
	}
	return out, nil
}
