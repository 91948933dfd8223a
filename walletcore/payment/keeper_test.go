package payment

import (
	"context"
	"encoding/binary"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
)

// watched is a journal that notes which payments are changed together.
type watched struct {
	*store.Journal
	parts [][]ledger.TransactionID
}

func (w *watched) UpdateSoon(ctx context.Context, entries ...store.Entry) error {
	var ids []ledger.TransactionID
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	w.parts = append(w.parts, ids)
	return w.Journal.UpdateSoon(ctx, entries...)
}

// A block may settle thousands of payments: whoever pays meanwhile waits for a few of them to be written down, and pages that
// many of them share are written once.
func TestManyChangesAreWrittenOldestFirstAFewAtATime(t *testing.T) {
	book, err := sqlite.Open(filepath.Join(ramdisk.Folder(t), "payments.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	journal, list := &watched{Journal: book.Journal}, &list{writing: make(chan struct{}, 1)}
	k := &keeper{journal: journal, list: list}
	var all []ledger.TransactionID
	for n := range 3*maxAtOnce + 1 {
		e := &entry{Payment: Payment{Prepared: time.UnixMilli(1_800_000_000_000 + int64(n)).UTC()}}
		binary.BigEndian.PutUint32(e.ID[:], uint32(n)*0x9E3779B1)
		list.add(e)
		if err := k.add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		list.update(e, func(e *entry) { e.State, e.changed = InBlock, true })
		all = append(all, e.ID)
	}
	if err := k.write(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slices.Concat(journal.parts...), all) {
		t.Error("they are not written in the order in which they were made")
	}
	for _, part := range journal.parts {
		if len(part) > maxAtOnce {
			t.Errorf("%d are written together", len(part))
		}
	}
	open, err := book.Journal.Open(t.Context())
	if err != nil || len(open) != len(all) || slices.ContainsFunc(open, func(e store.Entry) bool { return e.State != store.InBlock }) {
		t.Errorf("the journal has %d payments, not all of them in a block (%v)", len(open), err)
	}
}

// A state that the journal has already may be one that is not proven, such as a payment that was never sent: it is watched until
// blocks prove it, or nobody would ever learn that it cannot happen.
func TestAnUnprovenRejectionOfTheJournalIsStillWatched(t *testing.T) {
	book, err := sqlite.Open(filepath.Join(ramdisk.Folder(t), "payments.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	list := &list{writing: make(chan struct{}, 1)}
	k := &keeper{journal: book.Journal, list: list, events: &event.Broadcaster{}, log: slog.New(slog.DiscardHandler)}
	for n, c := range []struct {
		proven bool
		found  State // what this program believes
		over   bool  // it has stopped watching for it
	}{{false, Unknown, false}, {true, Unknown, false}, {false, Expired, true}, {true, Expired, true}} {
		proven := c.proven
		e := &entry{Payment: Payment{ID: ledger.TransactionID{byte(n)}, Prepared: time.UnixMilli(1_800_000_000_000).UTC()}}
		list.add(e)
		if err := k.add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		row, err := e.journalEntry()
		if err != nil {
			t.Fatal(err)
		}
		row.State, row.Proven = store.Rejected, proven
		if err := book.Journal.Update(t.Context(), row); err != nil {
			t.Fatal(err)
		}
		list.conclude(e, func(e *entry) bool { e.State, e.changed = c.found, true; return c.over })
		if err := k.write(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		got := list.read(e.ID)
		if watched := list.watched[e.ID] != nil; watched == proven || got.State != Rejected || got.proven != proven {
			t.Errorf("%+v: watched %v, %+v", c, watched, got)
		}
	}
}

// Two programs on a file may make the very same transaction at once. The one that comes second does not have it in the journal, and what
// it knows of its own is not written over the other one's.
func TestWhatTheJournalHasNotConfirmedIsNotWritten(t *testing.T) {
	book, err := sqlite.Open(filepath.Join(ramdisk.Folder(t), "payments.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	program := func() *keeper {
		return &keeper{journal: book.Journal, list: &list{writing: make(chan struct{}, 1)}, events: &event.Broadcaster{}, log: slog.New(slog.DiscardHandler)}
	}
	first, second := program(), program()
	same := func() *entry {
		return &entry{adding: true, Payment: Payment{ID: ledger.TransactionID{7}, Prepared: time.UnixMilli(1_800_000_000_000).UTC()}}
	}
	made, late := same(), same()
	first.list.add(made)
	second.list.add(late)
	if err := first.add(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	for _, state := range []State{Unknown, Rejected, Expired} {
		second.list.update(late, func(e *entry) { e.State, e.changed = state, true })
		if err := second.write(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if kept, err := book.Journal.Get(t.Context(), made.ID); err != nil || kept.State != store.Prepared {
			t.Errorf("%v is written as that of the other one: %v, %v", state, kept.State, err)
		}
	}
	first.list.update(made, func(e *entry) { e.State, e.changed = Sent, true })
	first.list.update(made, func(e *entry) { e.adding = false }) // now it is known that the journal has it
	if err := first.write(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if kept, err := book.Journal.Get(t.Context(), made.ID); err != nil || kept.State != store.Sent {
		t.Errorf("its own state is not written: %v, %v", kept.State, err)
	}
}

// Payments of one time, such as those that a block had, are followed and written in the order in which they came.
func TestPaymentsOfOneTimeKeepTheirOrder(t *testing.T) {
	l, at := new(list), time.UnixMilli(1_800_000_000_000).UTC()
	var want []ledger.TransactionID
	for n := range 20 {
		e := &entry{Payment: Payment{ID: ledger.TransactionID{byte(n)}, Prepared: at}}
		l.add(e)
		l.update(e, func(e *entry) { e.changed = true })
		want = append(want, e.ID)
	}
	var followed, written []ledger.TransactionID
	for _, e := range l.watchedOn(ledger.ChainID{}) {
		followed = append(followed, e.ID)
	}
	for _, e := range l.takeChanged() {
		written = append(written, e.ID)
	}
	for what, got := range map[string][]ledger.TransactionID{"followed": followed, "written": written} {
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// Whoever pays gets the list between the slices of a long one, however many payments a block has.
func TestALongListIsGivenUpBetweenSlices(t *testing.T) {
	const payments = 100 * sliceAtOnce
	l := new(list)
	for n := range payments {
		l.add(&entry{Payment: Payment{ID: ledger.TransactionID{byte(n), byte(n >> 8)}, State: Sent}})
	}
	waiting, paid, seen := make(chan struct{}), false, 0
	go func() {
		<-waiting
		l.mu.Lock()
		defer l.mu.Unlock()
		paid = true
	}()
	l.watchedWhere(ledger.ChainID{}, func(*entry) bool {
		if seen == 0 {
			close(waiting)
		}
		if seen++; seen%sliceAtOnce == 0 {
			time.Sleep(time.Millisecond) // who waits for a mutex as long as this is the next to have it
		}
		if seen == payments && !paid {
			t.Error("a payment waited for all of the list")
		}
		return false
	})
	if seen != payments {
		t.Errorf("%d payments were looked at", seen)
	}
}

// After a load, what is kept of payments is as large as what is kept of the latest ones, however many there were.
func TestAListIsSmallAgainAfterALoad(t *testing.T) { // not parallel: the memory of all is counted
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	l, made := new(list), 0
	load := func(payments int) {
		for range payments {
			made++
			e := &entry{Payment: Payment{ID: ledger.TransactionID{byte(made), byte(made >> 8), byte(made >> 16)}, State: Sent}}
			e.tx.Signatures = []ledger.Signature{{}}
			l.add(e)
			l.update(e, func(e *entry) { e.changed = true })
		}
		l.takeChanged()
		for _, e := range l.watchedOn(ledger.ChainID{}) {
			l.conclude(e, func(e *entry) bool { e.State, e.changed = Irreversible, true; return true })
			if len(l.changed) == maxAtOnce {
				l.takeChanged()
			}
		}
		l.takeChanged()
	}
	load(maxFinished + 100)
	usual := heap()
	load(20_000)
	if loaded := heap(); loaded > usual+400<<10 {
		t.Errorf("%d kB are kept after many payments, and %d kB after a few", loaded>>10, usual>>10)
	}
	runtime.KeepAlive(l)
}

// The follower remembers nothing of a payment that is final.
func TestTheFollowerForgetsWhatIsFinal(t *testing.T) {
	p := &Payments{Config: Config{Events: new(event.Broadcaster)}, list: new(list)}
	f, dyn := newFollower(p), new(ledger.DynamicGlobalProperties)
	f.final = 10
	for n, block := range []uint32{5, 10, 11} {
		e := &entry{Payment: Payment{ID: ledger.TransactionID{byte(n)}, State: InBlock, Block: block}}
		p.list.add(e)
		f.blockOf[e.ID], f.refBlockSeen[e.ID] = ledger.BlockID{1}, block-1
		f.concludeOne(e, dyn)
	}
	if _, open := f.blockOf[ledger.TransactionID{2}]; !open || f.Kept() != 2 {
		t.Errorf("of two payments that are final and one that is not, %v and %v are kept", f.blockOf, f.refBlockSeen)
	}
}
