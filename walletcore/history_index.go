package walletcore

import (
	"context"
	"errors"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/event"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/vault"
)

// historyPoll is how often the index is brought up to the chain when no block
// is announced.
const historyPoll = 5 * time.Second

// historyTries is how often one block's rows are read when the chain moves
// meanwhile; the next block tries again.
const historyTries = 3

// followHistory keeps the index of the wallet's own accounts until ctx ends:
// forward with each block, and backward from the newest row while nothing else
// is to do. It stops and goes on anywhere: what is left to read is seen from
// what is written.
func (w *Wallet) followHistory(ctx context.Context) error {
	if w.index == nil {
		return nil
	}
	f := &historyFiller{w: w, statistics: map[ledger.AccountID]ledger.AccountStatisticsID{}, checked: map[ledger.AccountID]bool{}}
	events, stop := w.Subscribe()
	defer stop()
	tick := time.NewTicker(historyPoll)
	defer tick.Stop()
	for {
		f.step(ctx)
		for f.backward(ctx) && !waits(events) { // a block goes first
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

func waits(events <-chan event.Event) bool { return len(events) > 0 }

// What ends a step without harm: the next one reads again.
var (
	errForked = errors.New("the chain moved while the history was read")
	errBehind = errors.New("the daemon is behind the history index")
)

// historyFiller brings the index up to the chain.
type historyFiller struct {
	w          *Wallet
	statistics map[ledger.AccountID]ledger.AccountStatisticsID
	checked    map[ledger.AccountID]bool // whose rows were counted in this run
	line       daemonclient.Status       // the line that this step began with
}

// ready says whether the index and the daemon are of the wallet's chain.
func (f *historyFiller) ready() bool {
	f.line = f.w.daemon.Status()
	chain := f.w.keystoreChain()
	if f.line.State != daemonclient.Online || chain == (ledger.ChainID{}) || chain != f.line.ChainID {
		return false
	}
	if err := f.w.index.Bind(chain); err != nil {
		f.w.log.Warn("history index", "error", err)
		return false
	}
	return true
}

// step reads what is new, for every account.
func (f *historyFiller) step(ctx context.Context) {
	if !f.ready() {
		return
	}
	notice := f.w.index.Notice()
	for range historyTries {
		err := f.forwardAll(ctx)
		if err != nil {
			f.w.log.Debug("history index: reading new rows", "error", err)
		}
		if !errors.Is(err, errForked) && !errors.Is(err, historyindex.ErrMoved) {
			break
		}
	}
	if now := f.w.index.Notice(); now != notice {
		f.w.log.Warn("history index", "notice", now)
	}
}

func (f *historyFiller) forwardAll(ctx context.Context) error {
	accounts := f.w.Accounts()
	if len(accounts) == 0 {
		return nil
	}
	at, err := f.w.daemon.DynamicGlobalProperties(ctx)
	if err != nil || at.HeadBlockNumber == 0 { // a chain without blocks has no history
		return err
	}
	totals, err := f.totals(ctx, accounts)
	if err != nil {
		return err
	}
	var faults []error
	for i, a := range accounts {
		faults = append(faults, f.forward(ctx, at, a.ID, totals[i]))
	}
	return errors.Join(faults...)
}

// totals asks how many operations each account has.
func (f *historyFiller) totals(ctx context.Context, accounts []vault.OwnAccount) ([]uint64, error) {
	var ask []ledger.AccountID
	for _, a := range accounts {
		if _, known := f.statistics[a.ID]; !known {
			ask = append(ask, a.ID)
		}
	}
	if len(ask) > 0 {
		found, err := f.w.accountsByID(ctx, ask)
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
	raws, err := f.w.daemon.GetObjects(ctx, ids)
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

// standing reads where an account stands; once in a run its rows are counted.
func (f *historyFiller) standing(ctx context.Context, id ledger.AccountID) (historyindex.Standing, error) {
	if !f.checked[id] {
		failure, err := f.w.index.Check(ctx, id)
		if err != nil {
			return historyindex.Standing{}, err
		}
		if failure != "" {
			f.w.log.Warn("history index", "notice", failure)
		}
		f.checked[id] = true
	}
	return f.w.index.Standing(ctx, id)
}

// onChain says whether a block is on the chain that the daemon follows now.
func (f *historyFiller) onChain(ctx context.Context, num uint32, id ledger.BlockID) (bool, error) {
	at, err := f.w.daemon.DynamicGlobalProperties(ctx)
	if err != nil || at.HeadBlockID == id || at.HeadBlockNumber <= num {
		return at.HeadBlockID == id, err
	}
	next, err := f.w.daemon.GetBlockHeader(ctx, num+1)
	return next != nil && next.Previous == id, err
}

// contradicts is called when the daemon has something else where the index has
// a final row of a block. If it is not merely behind, and the line was the same
// all the time, the account is read anew.
func (f *historyFiller) contradicts(ctx context.Context, id ledger.AccountID, block uint32) error {
	at, err := f.w.daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return err
	}
	if now := f.w.daemon.Status(); now.URL != f.line.URL || !now.Since.Equal(f.line.Since) {
		return errForked
	}
	if at.HeadBlockNumber < block {
		return errBehind
	}
	f.w.log.Warn("history index: the daemon tells another history than before; it is read anew", "account", id.String(), "daemon", f.line.URL)
	if err := f.w.index.Forget(ctx, id); err != nil {
		return err
	}
	f.w.names.forget() // names of a chain that is no more
	return errForked
}

// forget drops all names; they are asked for again.
func (c *nameCache) forget() {
	c.mu.Lock()
	c.by = nil
	c.mu.Unlock()
}

// keystoreChain is the chain that the wallet's keys belong to; zero while none
// is known.
func (w *Wallet) keystoreChain() ledger.ChainID {
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	if store == nil {
		return ledger.ChainID{}
	}
	return store.ChainID()
}

// indexed says whether there is an index of the wallet's chain.
func (w *Wallet) indexed() bool {
	if w.index == nil {
		return false
	}
	chain := w.index.Chain()
	return chain != (ledger.ChainID{}) && chain == w.keystoreChain()
}
