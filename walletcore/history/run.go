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

// pollTime is how often the index is brought up to the chain when no block
// is announced.
const pollTime = 5 * time.Second

// tries is how often one block's rows are read when the chain moves
// meanwhile; the next block tries again.
const tries = 3

// Run keeps the index of the wallet's own accounts until ctx ends:
// forward with each block, and backward from the newest row while nothing else
// is to do. It stops and continues anywhere: what is left to read is seen from
// what is written.
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
		for f.Backward(ctx) && len(events) == 0 { // a block goes first
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

// drain drops events that wait: what comes next sees everything they tell of.
func drain(events <-chan event.Event) {
	for {
		select {
		case <-events:
		default:
			return
		}
	}
}

// ReadNew reads what is new, for every account.
func (f *Filler) ReadNew(ctx context.Context) {
	if !f.ready() {
		return
	}
	notice := f.Index.Notice()
	for range tries {
		err := f.forwardAll(ctx)
		if err != nil {
			f.Logger.Debug("history index: reading new rows", "error", err)
		}
		if !errors.Is(err, errForked) && !errors.Is(err, historyindex.ErrMoved) {
			break
		}
	}
	if now := f.Index.Notice(); now != notice {
		f.Logger.Warn("history index", "notice", now)
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
	f.joined = map[ledger.BlockID]bool{}
	f.began = cmp.Or(f.began, at.HeadBlockNumber)
	accounts := f.due(ctx, at, all)
	f.turns.again = accounts // unless all goes well
	totals, err := f.totals(ctx, accounts)
	if err != nil {
		return err
	}
	still, err := f.passStill(ctx, at, len(all), accounts, totals)
	if err != nil {
		return err
	}
	var faults []error
	for i, a := range accounts {
		if !still[a.ID] {
			faults = append(faults, f.forward(ctx, at, a.ID, totals[i]))
		}
	}
	if err = errors.Join(faults...); err == nil {
		f.turns.again = nil
	}
	return err
}

// passStill passes over the accounts of a long list to which nothing happened: their rows are complete up to this block, too. Only
// those that are known are counted before, once in a run.
func (f *Filler) passStill(ctx context.Context, at ledger.DynamicGlobalProperties, all int, accounts []ledgerview.AccountRef,
	totals []uint64) (still map[ledger.AccountID]bool, err error) {
	if all <= mostFollowed {
		return nil, nil
	}
	ids := make([]ledger.AccountID, len(accounts))
	for i, a := range accounts {
		ids[i] = a.ID
	}
	found, err := f.Index.Still(ctx, ids, totals)
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
	still = map[ledger.AccountID]bool{}
	for _, s := range found {
		still[s.Account], f.checked[s.Account] = true, true
	}
	return still, f.Index.Stand(ctx, found, historyindex.Batch{Final: at.LastIrreversibleBlockNum,
		Head: at.HeadBlockNumber, HeadID: at.HeadBlockID, HeadTime: at.Time})
}

// totals asks how many operations each account has.
func (f *Filler) totals(ctx context.Context, accounts []ledgerview.AccountRef) ([]uint64, error) {
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
		if isNull(raw) { // an account of a block that was forked away
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
