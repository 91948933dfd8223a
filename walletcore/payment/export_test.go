package payment

import (
	"context"
	"errors"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// What the tests of the package reach inside for.
type (
	Entry    = entry
	Follower = follower
)

const (
	LongestKey = store.LongestKey
	ClockFault = clockFault
)

func NewFollower(p *Payments) *Follower { return newFollower(p) }

func (p *Payments) SendEntry(ctx context.Context, e *Entry) (Payment, error) {
	return p.sender.send(ctx, e)
}

func (p *Payments) EntryOf(s *txbuild.Signed, r txbuild.Review, key string) *Entry {
	return p.entryOf(context.Background(), s, r, key)
}

// IsLarge reports whether a quorum would have to agree on the block of what was reviewed.
func IsLarge(r txbuild.Review) bool { return (&entry{Payment: Payment{Review: r}}).isLarge() }

func (p *Payments) WriteEntry(ctx context.Context, e *Entry) error { return p.keeper.add(ctx, e) }

// Adopt compares a block with the journal; previous is the time of the block before.
func (p *Payments) Adopt(ctx context.Context, block *ledger.Block, previous ledger.Time) (int, error) {
	return p.compare.adopt(ctx, block, previous, 0)
}

// Compared reports whether the journal was compared with the ledger.
func (p *Payments) Compared() bool { return p.compare.isDone() }

// HasRead reports whether the follower has read a block.
func (p *Payments) HasRead(num uint32) bool {
	p.compare.mu.Lock()
	defer p.compare.mu.Unlock()
	return p.compare.times[num] > 0
}

// PollRows changes the time between looks at the row of a payment that another server has.
func (p *Payments) PollRows(every time.Duration) { p.foreign.poll.Store(int64(every)) }

// Remembered counts the payments that would be written again.
func (p *Payments) Remembered() int { return len(p.list.remembered()) }

// Waiting counts the payments of other servers that somebody waits for.
func (p *Payments) Waiting() int {
	p.foreign.mu.Lock()
	defer p.foreign.mu.Unlock()
	return len(p.foreign.waiting)
}

func (p *Payments) Find(id ledger.TransactionID) *Entry   { return p.list.find(id) }
func (p *Payments) Read(id ledger.TransactionID) *Entry   { return p.list.read(id) }
func (p *Payments) OnWatch(chain ledger.ChainID) []*Entry { return p.list.watchedOn(chain) }
func (p *Payments) HeldKeys() int                         { return len(p.keys.held) }
func (p *Payments) LockKey(ctx context.Context, key string) (func(), error) {
	return p.keys.lock(ctx, key)
}

// LookedUp reports whether the follower has seen block head, or does not look any more.
func (p *Payments) LookedUp(id ledger.TransactionID, head uint32) bool {
	p.list.mu.Lock()
	defer p.list.mu.Unlock()
	return p.list.watched[id] == nil || p.list.byID[id].Head >= head
}

func EntryOfTransaction(tx ledger.SignedTransaction) *Entry { return &entry{tx: tx} }

func (e *entry) JournalEntry() (store.Entry, error)     { return e.journalEntry() }
func (e *entry) IsOpen() bool                           { return e.open() }
func (e *entry) Transaction() *ledger.SignedTransaction { return &e.tx }

func (f *follower) Use(d daemonclient.Daemon)       { f.daemon = d }
func (f *follower) Trust(ctx context.Context) error { return f.ensureAnchor(ctx) }
func (f *follower) CatchUp(ctx context.Context)     { f.catchUp(ctx) }
func (f *follower) FlagMissing(ctx context.Context) { f.flagMissing(ctx) }
func (f *follower) Next() uint32                    { return f.next }

// Kept returns how many payments the follower remembers something of.
func (f *follower) Kept() int { return len(f.blockOf) + len(f.refBlockSeen) }

// ReadFrom reads all blocks from num to the head.
func (f *follower) ReadFrom(ctx context.Context, num uint32, dyn *ledger.DynamicGlobalProperties) error {
	f.startAt(num)
	_, err := f.extendRun(ctx, dyn)
	return err
}

// IDs returns the transactions of a block.
func (f *follower) IDs(ctx context.Context, num uint32) ([]ledger.TransactionID, error) {
	b, err := f.block(ctx, num)
	if err != nil {
		return nil, err
	}
	return b.ids, nil
}

func (s *JournalState) ChooseFrom(now time.Time) { s.chooseFrom(now) }

// IsMadeElsewhere reports whether a payment is to be signed anew, because another wallet made its transaction.
func IsMadeElsewhere(err error) bool { return errors.Is(err, errMadeElsewhere) }
