package history

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/event"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// pollTime is the interval at which the index is brought up to date if no block is
// announced.
const pollTime = 5 * time.Second

// tries is the number of attempts at a turn while the chain switches forks; then the
// next block tries again.
const tries = 3

// Run maintains the index of the wallet's own accounts until ctx ends. It reads
// forward with each block, and backward from the newest row while there is nothing
// else to do. It may be stopped at any point: it continues from what was written.
func (f *Filler) Run(ctx context.Context) error {
	if f.Index == nil {
		return nil
	}
	events, stop := f.events.Subscribe(event.Block, event.Daemon, event.Accounts, event.Lock)
	defer stop()
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for {
		f.ReadNew(ctx)
		for f.ReadOld(ctx) && len(events) == 0 { // a new block takes precedence
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case _, open := <-events:
			if !open {
				return nil
			}
			drain(events)
		}
	}
}

// drain drops the waiting events: the next turn covers them all.
func drain(events <-chan event.Event) {
	for {
		select {
		case <-events:
		default:
			return
		}
	}
}

// ReadNew reads the new rows of every account that is due.
func (f *Filler) ReadNew(ctx context.Context) {
	notice := f.Index.Notice()
	defer func() {
		switch now := f.Index.Notice(); {
		case now == notice:
		case now == "":
			f.Logger.Warn("history index: it is used again")
		default:
			f.Logger.Warn("history index: it cannot be used", "error", now)
		}
	}()
	if !f.ready() {
		return
	}
	for range tries {
		err := f.forwardAll(ctx)
		if err != nil {
			f.Logger.Debug("history index: reading new rows", "error", err)
		}
		if !errors.Is(err, errForked) && !errors.Is(err, historyindex.ErrMoved) {
			break
		}
	}
}

func (f *Filler) forwardAll(ctx context.Context) error {
	all := f.Vault.Listed()
	if len(all) == 0 {
		return nil
	}
	at, err := f.Daemon.DynamicGlobalProperties(ctx)
	if err != nil || at.HeadBlockNumber == 0 { // a chain without blocks has no history
		return err
	}
	f.seenOnChain = map[ledger.BlockID]bool{}
	f.firstHead = cmp.Or(f.firstHead, at.HeadBlockNumber)
	accounts := f.due(ctx, at, all)
	f.turns.again = accounts // cleared below if all succeed
	totals, err := f.readTotals(ctx, accounts)
	if err != nil {
		return err
	}
	unchanged, err := f.skipUnchanged(ctx, at, len(all), accounts, totals)
	if err != nil {
		return err
	}
	var faults []error
	for i, a := range accounts {
		if !unchanged[a.ID] {
			faults = append(faults, f.forward(ctx, at, a.ID, totals[i]))
		}
	}
	if err = errors.Join(faults...); err == nil {
		f.turns.again = nil
	}
	return err
}

// skipUnchanged finds the accounts that need no reading because nothing happened to them, and records that their rows
// are complete up to this block. It does so only if the list of accounts is long. An account that has rows must have
// been checked before.
func (f *Filler) skipUnchanged(ctx context.Context, at ledger.DynamicGlobalProperties, all int, accounts []ledgerview.AccountRef,
	totals []uint64) (unchanged map[ledger.AccountID]bool, err error) {
	if all <= maxFollowed {
		return nil, nil
	}
	ids := make([]ledger.AccountID, len(accounts))
	for i, a := range accounts {
		ids[i] = a.ID
	}
	found, err := f.Index.Unchanged(ctx, ids, totals)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(s historyindex.Status) bool { return s.Known() && !f.checked[s.Account] })
	if len(found) == 0 {
		return nil, nil
	}
	if ok, err := f.onChain(ctx, at.HeadBlockNumber, at.HeadBlockID); err != nil || !ok {
		return nil, orElse(err, errForked)
	}
	unchanged = map[ledger.AccountID]bool{}
	for _, s := range found {
		unchanged[s.Account], f.checked[s.Account] = true, true
	}
	return unchanged, f.Index.MarkUnchanged(ctx, found, historyindex.Batch{Final: at.LastIrreversibleBlockNum,
		Head: at.HeadBlockNumber, HeadID: at.HeadBlockID, HeadTime: at.Time})
}

// readTotals reads from the daemon how many operations each account has.
func (f *Filler) readTotals(ctx context.Context, accounts []ledgerview.AccountRef) ([]uint64, error) {
	var ask []ledger.AccountID
	for _, a := range accounts {
		if _, known := f.statistics[a.ID]; !known {
			ask = append(ask, a.ID)
		}
	}
	if len(ask) > 0 {
		found, err := f.View.Accounts.ByID(ctx, ask)
		if err != nil {
			return nil, err
		}
		for id, a := range found {
			f.statistics[id] = a.Statistics
		}
	}
	ids := make([]ledger.ObjectID, len(accounts))
	for i, a := range accounts {
		ids[i] = f.statistics[a.ID].Object()
	}
	raws, err := f.Daemon.GetObjects(ctx, ids)
	if err != nil {
		return nil, err
	}
	if len(raws) != len(ids) {
		return nil, daemonclient.ErrGarbage
	}
	totals := make([]uint64, len(ids))
	for i, raw := range raws {
		var s struct {
			Owner    ledger.AccountID `json:"owner"`
			TotalOps uint32           `json:"total_ops"`
		}
		if isNull(raw) { // the account was created in a block that a fork dropped
			continue
		}
		if err := codec.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		if s.Owner == accounts[i].ID {
			totals[i] = uint64(s.TotalOps)
		}
	}
	return totals, nil
}

const (
	maxFollowed = 100 // accounts that are updated with every block
	maxSearched = 20  // blocks between two turns that are searched for touched accounts
)

// due returns which accounts to update in this turn.
func (f *Filler) due(ctx context.Context, at ledger.DynamicGlobalProperties, all []ledgerview.AccountRef) []ledgerview.AccountRef {
	if len(all) <= maxFollowed {
		return all
	}
	t := &f.turns
	due := t.again
	for id, block := range t.settle {
		if block <= at.LastIrreversibleBlockNum {
			due = append(due, f.listedAmong(id)...)
			delete(t.settle, id)
		}
	}
	for num := max(t.seen, max(at.HeadBlockNumber, maxSearched)-maxSearched) + 1; num <= at.HeadBlockNumber; num++ {
		for _, own := range f.listedAmong(f.touched(ctx, num)...) {
			due = append(due, own)
			t.settle[own.ID] = at.HeadBlockNumber
		}
	}
	t.seen = at.HeadBlockNumber
	for range maxFollowed {
		due = append(due, all[t.next%len(all)])
		t.next = (t.next + 1) % len(all)
	}
	slices.SortFunc(due, func(a, b ledgerview.AccountRef) int { return int(int64(a.ID) - int64(b.ID)) })
	return slices.Compact(due)
}

// listedAmong returns those of ids that are on the wallet's list.
func (f *Filler) listedAmong(ids ...ledger.AccountID) (own []ledgerview.AccountRef) {
	for _, id := range ids {
		if a, listed := f.Vault.AccountOf(id.String()); listed {
			own = append(own, a)
		}
	}
	return own
}

// touched returns the accounts whose history has operations of a block; none if the block cannot be read.
func (f *Filler) touched(ctx context.Context, num uint32) (ids []ledger.AccountID) {
	raw, err := f.Daemon.GetBlock(ctx, num)
	var block ledger.Block
	if err != nil || isNull(raw) || codec.Unmarshal(raw, &block) != nil {
		return nil // the rotation reaches them later
	}
	for _, tx := range block.Transactions {
		for i, op := range tx.Operations {
			var result ledger.OperationResult
			if i < len(tx.OperationResults) {
				result = tx.OperationResults[i]
			}
			ids = append(ids, op.Touched(result)...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
