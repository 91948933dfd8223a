package ownobject

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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

// WatchConfig is what a Watcher works with.
type WatchConfig struct {
	Objects *Objects
	Own     func() []ledgerview.AccountRef // the wallet's accounts
	History History
	Daemon  *daemonclient.Client
	Made    func(ctx context.Context, id ledger.TransactionID) bool                // reports whether the wallet's journal has a transaction
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
	rows  map[ledger.AccountID]ledger.HistoryID // the newest row when the account was last as expected
	first map[ledger.AccountID]firstSight       // accounts that were seen once, and not before

	mu     sync.Mutex
	unseen []store.ObjectChange // those that nobody has acknowledged, newest first
	begun  bool                 // unseen was read
}

// firstSight is how an account looked when it was first seen: it is accepted if it looks the same with another block.
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
		if len(ids) < mostWatched && (w.due[a.ID] || !w.known[a.ID]) {
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
	at := w.Objects.place()
	found, err := w.Objects.View.Accounts.AccountStates(ctx, daemon, ids)
	if err != nil {
		w.Logger.Debug("own accounts: reading", "error", err)
		return
	}
	for _, id := range ids {
		settled := true
		if a := found[id]; a != nil {
			settled, err = w.compare(ctx, daemon, a, at)
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

// mostWatched is how many accounts are asked for in one call.
const mostWatched = 100

// compare compares an account with what the wallet expects. It reports whether that needs no further look.
func (w *Watcher) compare(ctx context.Context, daemon daemonclient.Daemon, a *ledger.Account, at place) (settled bool, err error) {
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
		return true, w.accept(ctx, b)
	case b.signed && !b.Agrees():
		return true, nil
	case b.Agrees():
		return true, w.pass(ctx, a.ID)
	}
	return w.explain(ctx, daemon, b, rows)
}

// accept keeps the first state that is seen of an account, unless its keys differ from those that were accepted with a payment to it.
func (w *Watcher) accept(ctx context.Context, b *Base) error {
	changed, err := w.Objects.View.Pins.Changes(ctx, b.Account)
	if err != nil || len(changed) > 0 {
		return err
	}
	err = w.Objects.Write(ctx, b, []store.ObjectState{{Object: b.Object, Number: b.number + 1, Kind: store.ObjectAccepted, State: b.Present,
		Since: w.Objects.Now()}}, nil)
	if err == nil || errors.Is(err, store.ErrObjectChanged) {
		return w.pass(ctx, b.Account.ID)
	}
	return err
}

// pass notes the newest row of an account that is as expected.
func (w *Watcher) pass(ctx context.Context, id ledger.AccountID) error {
	rows, err := w.History.Entries(ctx, id, 0, 1)
	if err == nil && len(rows) > 0 {
		w.rows[id] = rows[0].ID
	}
	return err
}

// mostSearched is how many rows are searched for what changed an account.
const mostSearched = 100

// explain looks for what changed an account and tells of it. It reports false while no row shows it: the node has it pending, or lies.
func (w *Watcher) explain(ctx context.Context, daemon daemonclient.Daemon, b *Base, states []store.ObjectState) (told bool, err error) {
	a := ledgerview.AccountRef{ID: b.Account.ID, Name: b.Account.Name}
	entries, err := w.History.Entries(ctx, a.ID, 0, mostSearched)
	if err != nil {
		return false, err
	}
	after, bounded := w.rows[a.ID]
	var what []string
	for _, c := range ledgerview.StateChanges("", a, b.Expected, b.Present) {
		what = append(what, fmt.Sprintf("the %s is %.200s, it was %.200s", c.What, c.Now, c.Was))
	}
	for _, e := range entries {
		if bounded && e.ID <= after {
			break
		}
		if e.Code != ledger.CodeAccountUpdate || e.FeePayer.ID != a.ID {
			continue
		}
		id, err := w.transactionOf(ctx, daemon, e, a.ID)
		if err != nil {
			return told, err
		}
		if made, ok := parseOwn(id); ok && (w.Made(ctx, made) || slices.ContainsFunc(states, func(s store.ObjectState) bool { return s.Transaction == made })) {
			break // what is older was told of, or replaced by this
		}
		change := store.ObjectChange{Object: b.Object, Transaction: id, Block: e.Block, TrxInBlock: e.TrxInBlock,
			Text: e.Sentence + ": " + strings.Join(what, "; "), Noticed: w.Objects.Now()}
		if !told {
			change.Undone = undone(states, b)
		}
		if err := w.tell(ctx, b.chain, change, a); err != nil {
			return told, err
		}
		if told = true; !bounded {
			break // without a place to begin, only the newest is sure to be the one
		}
	}
	return told, nil
}

func parseOwn(text string) (ledger.TransactionID, bool) {
	id, err := ledger.ParseTransactionID(text)
	return id, err == nil
}

// transactionOf returns the id of the transaction whose operation a row is, or the row's own where a proposal did it.
func (w *Watcher) transactionOf(ctx context.Context, daemon daemonclient.Daemon, e history.Entry, account ledger.AccountID) (string, error) {
	tx, err := daemon.TransactionInBlock(ctx, e.Block, e.TrxInBlock)
	if err != nil {
		return "", err
	}
	for _, op := range tx.Operations {
		if object, _, replaces := ledger.Replaces(op); replaces && object == account.Object() {
			id, err := tx.ID()
			return id.String(), err
		}
	}
	return e.ID.String(), nil
}

// undone returns the transactions of this wallet that set something which is not as they left it, though no later one of them set it.
func undone(states []store.ObjectState, b *Base) (out []ledger.TransactionID) {
	lost := b.Expected.Differences(b.Present)
	var before ledger.ObjectState
	for _, s := range states {
		if s.Kind == store.ObjectSigned || s.Dead() {
			continue
		}
		set := before.Differences(s.State)
		if s.Kind == store.ObjectChanged && slices.ContainsFunc(lost, func(part string) bool {
			return s.State[part] == b.Expected[part] && (before == nil || slices.Contains(set, part))
		}) {
			out = append(out, s.Transaction)
		}
		before = s.State
	}
	return out
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
	w.Logger.Warn("own account changed by somebody else", "account", a.Name, "transaction", c.Transaction, "block", c.Block, "what", c.Text,
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
