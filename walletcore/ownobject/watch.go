package ownobject

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// History reads the rows of own accounts.
type History interface {
	Entries(ctx context.Context, account ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
	MovedSince(since uint64) (ids []ledger.AccountID, last uint64, ok bool)
}

// Updates returns what a row of an account's history says that changed the account: the transaction, or the row itself where a proposal did it,
// and the operation. The miners' signatures must prove the block. Errors: ledgerview.ErrUnproven, the daemon's.
type Updates func(ctx context.Context, account ledger.AccountID, row history.Entry) (transaction string, op *ledger.AccountUpdateOp, err error)

// WatchConfig holds the dependencies of a Watcher.
type WatchConfig struct {
	Objects *Objects
	Own     func() []ledgerview.AccountRef // the wallet's accounts
	History History
	Daemon  *daemonclient.Client
	Made    func(ctx context.Context, id ledger.TransactionID) bool // reports whether the wallet's journal has a transaction
	Update  Updates
	Record  func(c store.ObjectChange, account ledgerview.AccountRef) store.Change // the record of the audit log; nil: none is written
	Events  *event.Broadcaster
	Logger  *slog.Logger
}

// Watcher follows the own accounts: what somebody else changes about their authorities and options, and which changes of the wallet
// that undid, is told once. It asks for those accounts whose history moved, all of them in one call, and for nothing else.
type Watcher struct {
	WatchConfig
	moved uint64                                // the latest change number of MovedSince
	due   map[ledger.AccountID]bool             // to be compared with the next block
	known map[ledger.AccountID]bool             // compared in this run
	rows  map[ledger.AccountID]ledger.HistoryID // the newest row from before the account was last read as expected
	first map[ledger.AccountID]firstSight       // accounts that were seen once, and not before

	mu     sync.Mutex
	unseen []store.ObjectChange // those that nobody has acknowledged, newest first
	begun  bool                 // unseen was read
}

// firstSight is the state of an account when it was first seen: it is accepted if it looks the same with another block.
type firstSight struct {
	head  uint32
	state ledger.ObjectState
}

// NewWatcher returns a Watcher. Nothing is followed until Run is called.
func NewWatcher(cfg WatchConfig) *Watcher {
	return &Watcher{WatchConfig: cfg, due: map[ledger.AccountID]bool{}, known: map[ledger.AccountID]bool{},
		rows: map[ledger.AccountID]ledger.HistoryID{}, first: map[ledger.AccountID]firstSight{}}
}

// Run follows the own accounts until ctx ends.
func (w *Watcher) Run(ctx context.Context) error {
	events, stop := w.Events.Subscribe(event.Block, event.History, event.Accounts, event.Daemon)
	defer stop()
	for {
		w.look(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-events:
		}
		for more := true; more; { // one look covers all that wait
			select {
			case <-events:
			default:
				more = false
			}
		}
	}
}

// look compares the accounts that have news. What cannot be read or is not settled stays due.
func (w *Watcher) look(ctx context.Context) {
	own := w.Own()
	w.readUnseen(ctx)
	moved, last, indexed := w.History.MovedSince(w.moved)
	if w.moved = last; !indexed { // without an index nobody says which: all of them, in one call
		for _, a := range own {
			w.due[a.ID] = true
		}
	}
	for _, id := range moved {
		w.due[id] = true
	}
	var ids []ledger.AccountID
	for _, a := range own {
		if len(ids) < maxWatched && (w.due[a.ID] || !w.known[a.ID]) {
			ids = append(ids, a.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	daemon, err := w.Daemon.Current()
	if err != nil {
		return
	}
	newest := w.newestRows(ctx, ids) // before the accounts: a change between the two is in a row behind these
	at := w.Objects.place()
	found, err := w.Objects.View.Accounts.AccountStates(ctx, daemon, ids)
	if err != nil {
		w.Logger.Debug("own accounts: reading", "error", err)
		return
	}
	for _, id := range ids {
		settled := true
		if a := found[id]; a != nil {
			settled, err = w.compare(ctx, a, at, newest[id])
			if err != nil && ctx.Err() == nil {
				w.Logger.Debug("own accounts: comparing", "account", a.Name, "error", err)
			}
		}
		if w.known[id] = err == nil; settled && err == nil {
			delete(w.due, id)
		} else {
			w.due[id] = true
		}
	}
}

// maxWatched is the maximum number of accounts in one call.
const maxWatched = 100

// newestRows reads the newest row of each account's history; an account whose history cannot be read now is missing.
func (w *Watcher) newestRows(ctx context.Context, ids []ledger.AccountID) map[ledger.AccountID]ledger.HistoryID {
	newest := map[ledger.AccountID]ledger.HistoryID{}
	for _, id := range ids {
		if rows, err := w.History.Entries(ctx, id, 0, 1); err == nil && len(rows) > 0 {
			newest[id] = rows[0].ID
		}
	}
	return newest
}

// compare compares an account with what the wallet expects. row is one of its history from before the account was read, 0 if none is known. It
// reports whether that needs no further look.
func (w *Watcher) compare(ctx context.Context, a *ledger.Account, at place, row ledger.HistoryID) (settled bool, err error) {
	o, object := w.Objects, a.ID.Object()
	chain := o.View.Pins.Chain()
	rows, err := o.states(ctx, chain, object)
	if err != nil {
		return false, err
	}
	b := &Base{Object: object, Account: a, Present: a.State(), chain: chain, at: o.Now()}
	switch waits := b.compare(rows, at); {
	case waits != nil:
		return false, nil
	case b.Expected == nil:
		seen, before := w.first[a.ID]
		if !before || seen.head >= at.head || len(seen.state.Differences(b.Present)) > 0 {
			w.first[a.ID] = firstSight{at.head, b.Present}
			return false, nil
		}
		delete(w.first, a.ID)
		return true, w.accept(ctx, b, row)
	case b.Agrees():
		w.pass(a.ID, row)
		return true, nil
	}
	return w.explain(ctx, b)
}

// accept keeps the first state that is seen of an account, unless its keys differ from those that were accepted with a payment to it.
func (w *Watcher) accept(ctx context.Context, b *Base, row ledger.HistoryID) error {
	changed, err := w.Objects.View.Pins.Changes(ctx, b.Account)
	if err != nil || len(changed) > 0 {
		return err
	}
	err = w.Objects.Write(ctx, b, []store.ObjectState{{Object: b.Object, Number: b.number + 1, Kind: store.ObjectAccepted, State: b.Present,
		Since: w.Objects.Now()}}, nil)
	if err == nil || errors.Is(err, store.ErrObjectChanged) {
		w.pass(b.Account.ID, row)
		return nil
	}
	return err
}

// pass notes a row of an account that is as expected, from before it was read.
func (w *Watcher) pass(id ledger.AccountID, row ledger.HistoryID) {
	if row > 0 {
		w.rows[id] = row
	}
}

// How many rows are searched for what changed an account: pages of so many.
const (
	searchedPage  = 100
	searchedPages = 20
)

// update is a change of an own account in its history.
type update struct {
	row         history.Entry
	transaction string
	set         ledger.ObjectState
	own         bool               // the journal has it
	signed      *store.ObjectState // it was only signed here, and somebody sent it; else nil
}

// explain looks for what changed an account and tells of it. It reports false while no row shows it, because the node has it pending or lies,
// and while that is not proven to be irreversible.
//
// Of each part that is not as expected, the history is read backwards to the change that had it as expected: the one after it undid the part. What
// is later changed what others had made of it, and what is earlier was undone before.
func (w *Watcher) explain(ctx context.Context, b *Base) (settled bool, err error) {
	a := b.ref()
	left, by := map[string]bool{}, map[string]int{} // by: the index of the update that undid a part
	for _, part := range b.Expected.Differences(b.Present) {
		left[part] = true
	}
	written := 0
	var updates []update // newest first
	add := func(e history.Entry) error {
		u, err := w.updateOf(ctx, b, a.ID, e)
		if err != nil {
			return err
		}
		updates = append(updates, u)
		for part := range left {
			switch value, sets := u.set[part]; {
			case !sets:
			case u.own || value == b.Expected[part]:
				if _, later := by[part]; u.own && !later {
					written++ // let through by the policy and accepted by nobody
				}
				delete(left, part)
			default:
				by[part] = len(updates) - 1
			}
		}
		return nil
	}
	whole, err := w.search(ctx, a.ID, func() bool { return len(left) == 0 }, add)
	if errors.Is(err, ledgerview.ErrUnproven) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !whole { // whether an older change undid it is not known
		maps.DeleteFunc(by, func(part string, _ int) bool { return left[part] })
	}
	settled = len(by)+written == len(b.Expected.Differences(b.Present))
	was := b.Expected
	for i, u := range slices.Backward(updates) {
		changed, undone := ledger.ObjectState{}, []ledger.TransactionID(nil)
		for part, first := range by {
			value, sets := u.set[part]
			if i > first || !sets || value == was[part] {
				continue
			}
			changed[part] = was[part]
			made := b.madeBy(part)
			if i == first && made != (ledger.TransactionID{}) && !slices.Contains(undone, made) &&
				(u.signed == nil || b.stateAt(u.signed.Number)[part] != b.Expected[part]) { // else it was made knowing that
				undone = append(undone, made)
			}
		}
		was = was.With(u.set)
		if len(changed) == 0 || u.own {
			continue
		}
		if u.signed != nil {
			if undone = w.permitted(ctx, b, u, undone); len(undone) == 0 {
				continue // somebody sent what was signed here
			}
		}
		err := w.tell(ctx, b.chain, store.ObjectChange{Object: b.Object, Transaction: u.transaction, Block: u.row.Block, TrxInBlock: u.row.TrxInBlock,
			Text: u.row.Sentence + ": " + partsText(changed, u.set), Undone: undone, Noticed: w.Objects.Now()}, a)
		if err != nil {
			return false, err
		}
	}
	return settled, nil
}

// search calls add with the rows that changed an account, newest first, until done returns true or a row from before the account was last as
// expected. It reports false if there are more rows than are searched.
func (w *Watcher) search(ctx context.Context, id ledger.AccountID, done func() bool, add func(history.Entry) error) (whole bool, err error) {
	after, bounded := w.rows[id]
	before := ledger.HistoryID(0)
	for range searchedPages {
		entries, err := w.History.Entries(ctx, id, before, searchedPage)
		if err != nil {
			return false, err
		}
		for _, e := range entries {
			if bounded && e.ID <= after {
				return true, nil
			}
			before = e.ID
			if e.Code != ledger.CodeAccountUpdate || e.FeePayer.ID != id {
				continue
			}
			if err := add(e); err != nil || done() {
				return true, err
			}
		}
		if len(entries) < searchedPage || before == 0 {
			return true, nil
		}
	}
	return false, nil
}

// updateOf returns what a row says that changed an account. Errors: those of Updates.
func (w *Watcher) updateOf(ctx context.Context, b *Base, id ledger.AccountID, e history.Entry) (update, error) {
	text, op, err := w.Update(ctx, id, e)
	if err != nil {
		return update{}, err
	}
	_, set, _ := ledger.Replaces(ledger.NewOperation(op))
	u := update{row: e, transaction: text, set: set}
	made, err := ledger.ParseTransactionID(text)
	if err != nil { // a proposal did it
		return u, nil
	}
	u.own = w.Made(ctx, made)
	for i := range b.rows {
		if r := &b.rows[i]; r.Transaction == made && !u.own {
			u.signed = r
		}
	}
	return u, nil
}

// permitted adds what somebody permitted to be undone when a transaction was signed here that was not sent here.
func (w *Watcher) permitted(ctx context.Context, b *Base, u update, undone []ledger.TransactionID) []ledger.TransactionID {
	noted, err := w.Objects.Store.Noticed(ctx, b.chain)
	if err != nil {
		return undone
	}
	for _, c := range noted {
		if c.Block > 0 || c.Object != b.Object || c.Transaction != u.transaction {
			continue
		}
		for _, id := range c.Undone {
			if !slices.Contains(undone, id) {
				undone = append(undone, id)
			}
		}
	}
	return undone
}

// tell publishes a change, unless it was told of before.
func (w *Watcher) tell(ctx context.Context, chain ledger.ChainID, c store.ObjectChange, a ledgerview.AccountRef) error {
	var with []store.Change
	if w.Record != nil {
		with = append(with, w.Record(c, a))
	}
	isNew, err := w.Objects.Store.Notice(ctx, chain, c, with...)
	if err != nil || !isNew {
		return err
	}
	w.readUnseen(ctx)
	undone := make([]string, len(c.Undone))
	for i, id := range c.Undone {
		undone[i] = id.String()
	}
	w.Logger.Warn("own accounts: own account changed by somebody else", "account", a.Name, "transaction", c.Transaction, "block", c.Block, "what", c.Text,
		"undone", strings.Join(undone, " "))
	w.Events.Publish(event.Event{Kind: event.Object})
	return nil
}

// readUnseen reads what nobody has acknowledged; another program that shares the store may have told of it.
func (w *Watcher) readUnseen(ctx context.Context) {
	all, err := w.Objects.Unseen(ctx)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unseen, w.begun = all, true
}

// Unseen returns the changes by others that nobody has acknowledged, newest first. ok is false before they were read.
func (w *Watcher) Unseen() (changes []store.ObjectChange, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.unseen), w.begun
}

// Acknowledge records that a person has seen all of them. Errors: those of the store.
func (w *Watcher) Acknowledge(ctx context.Context) error {
	if err := w.Objects.Acknowledge(ctx); err != nil {
		return fault.Store(err)
	}
	w.readUnseen(ctx)
	w.Events.Publish(event.Event{Kind: event.Object})
	return nil
}

// UndoneBy returns the change that undid something that a transaction of the wallet had set, the first of several; nil if there is none.
func (o *Objects) UndoneBy(ctx context.Context, id ledger.TransactionID) (*store.ObjectChange, error) {
	all, err := o.happened(ctx)
	for i := range slices.Backward(all) {
		if slices.Contains(all[i].Undone, id) {
			return &all[i], err
		}
	}
	return nil, err
}

// happened returns the changes that happened, newest first.
func (o *Objects) happened(ctx context.Context) ([]store.ObjectChange, error) {
	all, err := o.Store.Noticed(ctx, o.View.Pins.Chain())
	for i := range all {
		if c := &all[i]; c.Block == 0 && o.Outcome != nil { // the program may be ahead of its store
			if id, err := ledger.ParseTransactionID(c.Transaction); err == nil {
				if state, block := o.Outcome(id); state == store.Irreversible {
					c.Block = block
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(c store.ObjectChange) bool { return c.Block == 0 }), err
}

// Unseen returns the changes by others that nobody has acknowledged, newest first.
func (o *Objects) Unseen(ctx context.Context) ([]store.ObjectChange, error) {
	all, err := o.happened(ctx)
	return slices.DeleteFunc(all, func(c store.ObjectChange) bool { return c.Seen }), err
}

// Acknowledge records that a person has seen the changes by others.
func (o *Objects) Acknowledge(ctx context.Context) error {
	return o.Store.Acknowledge(ctx, o.View.Pins.Chain())
}
