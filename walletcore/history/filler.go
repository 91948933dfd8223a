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

// What ends a step without harm: the next one reads again.
var (
	errForked = errors.New("the chain moved while the history was read")
	errBehind = errors.New("the daemon is behind the history index")
)

// Events notifies others that the rows of the index changed, and the filler
// that there is a new block.
type Events interface {
	Publish(e event.Event)
	Subscribe(only ...event.Kind) (<-chan event.Event, func())
}

// Filler brings the index up to the chain. Only Run uses it.
type Filler struct {
	*Reader
	events     Events
	statistics map[ledger.AccountID]ledger.AccountStatisticsID
	checked    map[ledger.AccountID]bool // whose rows were counted in this run
	connection daemonclient.Status       // the connection that this step began with
	turns      turns
	joined     map[ledger.BlockID]bool // blocks that were found on the chain in this turn
	began      uint32                  // the head block of the first turn
	older      []ledger.AccountID      // those that were looked at in this run and may lack older rows
}

// turns choose which accounts are looked at with a block when a wallet has too many for all: those that the blocks
// since the last turn touch, again once that is final, and some more in turn, for what no operation in a block shows.
// Whoever reads the history of another one asks the daemon for what is above its final rows.
type turns struct {
	seen   uint32                      // the last block that was searched
	next   int                         // where in the list the next part begins
	settle map[ledger.AccountID]uint32 // accounts that were touched, and the block that has to be final before they are looked at again
	again  []ledgerview.AccountRef     // of a turn that failed
}

// NewFiller returns a filler of the reader's index.
func NewFiller(r *Reader, events Events) *Filler {
	return &Filler{
		Reader:     r,
		events:     events,
		statistics: map[ledger.AccountID]ledger.AccountStatisticsID{},
		checked:    map[ledger.AccountID]bool{},
		turns:      turns{settle: map[ledger.AccountID]uint32{}},
	}
}

// ready reports whether the index and the daemon are of the wallet's chain.
func (f *Filler) ready() bool {
	f.connection = f.Daemon.Status()
	chain := f.Vault.ChainID()
	if f.connection.State != daemonclient.Online || chain == (ledger.ChainID{}) || chain != f.connection.ChainID {
		return false
	}
	if err := f.Index.Bind(chain); err != nil {
		f.Logger.Warn("history index", "error", err)
		return false
	}
	return true
}

// status reads where an account stands; once in a run its rows are counted.
func (f *Filler) status(ctx context.Context, id ledger.AccountID) (historyindex.Status, error) {
	if !f.checked[id] {
		failure, err := f.Index.Check(ctx, id)
		if err != nil {
			return historyindex.Status{}, err
		}
		if failure != "" {
			f.Logger.Warn("history index", "notice", failure)
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

// contradicts is called when the daemon has something else where the index has
// a final row of a block. If it is not merely behind, and the line was the same
// all the time, the account is read again.
func (f *Filler) contradicts(ctx context.Context, id ledger.AccountID, block uint32) error {
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
	f.Logger.Warn(
		"history index: the daemon's history differs from before; reading it again",
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
	f.View.Accounts.ForgetNames() // names of a chain that is no more
	return errForked
}

// unfit reads an account again when rows that were shown to join do not fit.
func (f *Filler) unfit(ctx context.Context, id ledger.AccountID, err error) error {
	if errors.Is(err, historyindex.ErrGap) {
		f.Logger.Warn("history index", "account", id.String(), "error", err)
		return f.contradicts(ctx, id, 0)
	}
	return err
}

// readPage reads the rows of an account counted first … last, oldest first.
func (f *Filler) readPage(ctx context.Context, id ledger.AccountID, first, last uint64) ([]json.RawMessage, error) {
	page, err := f.Daemon.RelativeAccountHistoryRaw(ctx, id, uint32(first), uint32(last-first+1), uint32(last))
	if err != nil {
		return nil, err
	}
	if uint64(len(page)) != last-first+1 {
		return nil, errForked // there were that many a moment ago
	}
	slices.Reverse(page)
	return page, nil
}

// readPages is readPage of more rows than one page has; the pages are asked for together.
func (f *Filler) readPages(ctx context.Context, id ledger.AccountID, first, last uint64) ([]json.RawMessage, error) {
	pages := make([][]json.RawMessage, (last-first)/pageRows+1)
	err := askAll(len(pages), func(i int) (err error) {
		from := first + uint64(i)*pageRows
		pages[i], err = f.readPage(ctx, id, from, min(from+pageRows-1, last))
		return err
	})
	return slices.Concat(pages...), err
}

// rows makes index rows of records, oldest first, counted from first on; what
// is in blocks behind head is left for the next time.
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
