package payment

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/finality"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// comparison compares a journal that is not shared with the ledger, at each start and before anything is paid. A journal
// that is an older copy, whichever files came back with it, lacks payments that the ledger has: those of the wallet's keys in
// the blocks after the last one that the journal knows to be irreversible. One of them holds the file until a person has
// claimed or accepted it.
//
// What counts is signed by keys of this wallet alone. A transaction that others signed as well was made for them to send: no
// request key of this wallet stands for it, and sending it again sends the same bytes.
type comparison struct {
	p    *Payments
	done chan struct{} // closed once every block up to the head at the start was compared

	mu     sync.Mutex
	over   bool                        // nothing that an earlier run signed can come into a block any more
	until  ledger.Time                 // time of a block from which on it is over; 0 = not known yet
	began  time.Time                   // when the daemon was first there
	at, to uint32                      // progress
	moved  time.Time                   // when there was progress
	from   uint32                      // the first block that counts; 0 = not known yet
	early  ledger.Time                 // what expires earlier was signed before the journal was last written; 0 = not known
	err    error                       // of the latest attempt
	own    func(ledger.PublicKey) bool // see ownKeys
	times  map[uint32]ledger.Time      // of blocks that were seen, by number

	// Only run's goroutine uses these.
	reading *reading // where the next attempt goes on; nil = at the beginning
	told    lastText // why attempts end, once in the log
	found   int      // how many payments the journal lacked
}

func newComparison(p *Payments) *comparison {
	c := &comparison{p: p, done: make(chan struct{})}
	if p.Journal == nil || p.shared() { // servers compare what they know with the store instead
		c.over = true
		close(c.done)
	}
	return c
}

func (c *comparison) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// started returns when a daemon was first there.
func (c *comparison) started() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.began
}

// errComparing means that the journal is being compared with the ledger.
var errComparing = errors.New("the payment journal is still compared with the ledger")

const (
	compareEvery    = time.Second      // between attempts
	comparePatience = 10 * time.Second // how long a payment waits for the comparison
	compareQuietly  = 2 * time.Second  // how long it takes before screens show it
	compareStuck    = 30 * time.Second // how long it makes no progress before that is told
)

// await waits until the journal was compared with the ledger, and refuses a payment if that takes long.
func (c *comparison) await(ctx context.Context) error {
	if c.isDone() {
		return nil
	}
	if c.isLost() { // it is not compared before somebody has restored or accepted it
		return c.p.JournalFault()
	}
	if err := c.p.View.Chain.CheckSynced("transfer"); err != nil { // which waiting does not end
		return err
	}
	timer := time.NewTimer(comparePatience)
	defer timer.Stop()
	select {
	case <-c.done:
		return nil
	case <-timer.C:
	case <-ctx.Done():
	}
	return c.refusal()
}

// state returns how far it is, as the end of a sentence, and why the latest attempt ended.
func (c *comparison) state() (text string, why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.to > 0 {
		text = fmt.Sprintf(", block %d of %d", c.at, c.to)
	}
	moved := c.moved
	if moved.Before(c.began) {
		moved = c.began
	}
	if still := time.Since(moved); !moved.IsZero() && still > compareStuck {
		text += fmt.Sprintf(", and for %d seconds it came no further: the daemon is slow, or does not show its blocks; another one (--daemon-url) may be faster",
			int(still.Seconds()))
	}
	return text, c.err
}

// refusal returns the error for a payment that is requested too early.
func (c *comparison) refusal() error {
	far, why := c.state()
	message := "the wallet spends nothing: its payment journal is still compared with the ledger" + far
	if why != nil {
		message += "; the latest attempt: " + why.Error()
	}
	return &fault.Error{Code: fault.File, Op: "transfer", Err: errComparing, RequestKey: fault.KeySame, Message: message,
		Hint: "nothing was sent; make the same request again in a moment"}
}

// late returns refusal if the comparison takes long although there is a daemon, otherwise nil.
func (c *comparison) late() error {
	c.mu.Lock()
	late := !c.began.IsZero() && time.Since(c.began) > compareQuietly
	c.mu.Unlock()
	if !late || c.isDone() {
		return nil
	}
	return c.refusal()
}

// pending returns, for readiness, that the comparison is not done although there is a daemon, and how far it is; otherwise "". It names no
// address, and so not why an attempt ended, which the log has.
func (c *comparison) pending() string {
	if _, err := c.p.Daemon.Current(); err != nil || c.isDone() {
		return ""
	}
	far, _ := c.state()
	return errComparing.Error() + far + "; it ends by itself, at the newest block"
}

// run compares until it has succeeded. Found payments are followed like those of other servers.
func (c *comparison) run(ctx context.Context, follow chan<- chan error) {
	for !c.isDone() {
		before, err := c.at, c.p.Daemon.WaitOnline(ctx)
		if err == nil {
			err = c.attempt(ctx)
		}
		switch { // it goes on also where a daemon named another chain: that may have been a mistake
		case ctx.Err() != nil:
			return
		case err == nil:
			continue
		}
		c.mu.Lock()
		c.err = err
		c.mu.Unlock()
		if c.at != before && isConnectionError(err) { // a line that breaks often must not make it slow
			continue
		}
		if far, _ := c.state(); time.Since(c.started()) < compareStuck || !c.told.replace(err.Error()) {
			c.p.Logger.Debug("payments: the journal is not compared with the ledger yet", "error", err)
		} else {
			c.p.Logger.Warn("payments: the journal is still compared with the ledger, and nothing is paid before", "at", strings.TrimPrefix(far, ", "), "error", err)
		}
		select {
		case <-time.After(compareEvery):
		case <-ctx.Done():
			return
		}
	}
	if c.found == 0 {
		return
	}
	done := make(chan error, 1)
	select {
	case follow <- done:
		if err := <-done; err != nil {
			c.p.Logger.Warn("payments: what was found is not followed yet", "error", err)
		}
	case <-ctx.Done():
	}
}

// attempt compares up to the daemon's head, from where the latest one was broken off. It needs a daemon that payments would be sent
// through: the head of another one is of an earlier time, or of another chain.
func (c *comparison) attempt(ctx context.Context) error {
	if c.isLost() { // until somebody has restored or accepted it, so that what is compared afterwards begins where it does now
		return errLostJournal
	}
	daemon, err := c.p.Daemon.Current()
	if err != nil {
		return err
	}
	c.mu.Lock()
	if c.began.IsZero() {
		c.began = time.Now()
	}
	c.mu.Unlock()
	if err := c.p.View.Chain.CheckSynced("transfer"); err != nil {
		return err
	}
	head, err := c.readToHead(ctx, daemon)
	if err != nil {
		if !isConnectionError(err) && !errors.Is(err, errUnsigned) { // what was read may be what is wrong
			c.reading = nil
		}
		return err
	}
	if err := c.p.View.Chain.CheckSynced("transfer"); err != nil {
		return err
	}
	_, _ = c.p.Journal.Hold(ctx) // as the follower may have left it a moment ago
	c.mu.Lock()
	c.until = max(head.Time, ledger.TimeOf(c.p.Now())) + txbuild.LongestLife
	c.mu.Unlock()
	close(c.done)
	return nil
}

// readToHead compares everything up to the daemon's head.
func (c *comparison) readToHead(ctx context.Context, daemon daemonclient.Daemon) (head ledger.DynamicGlobalProperties, err error) {
	if head, err = daemon.DynamicGlobalProperties(ctx); err != nil {
		return head, err
	}
	if err := c.goOn(ctx, daemon, head.HeadBlockNumber); err != nil {
		return head, err
	}
	for more := true; more; {
		if err := c.reading.to(ctx, daemon, head.HeadBlockNumber); err != nil {
			return head, err
		}
		if head, err = daemon.DynamicGlobalProperties(ctx); err != nil {
			return head, err
		}
		more = c.reading.next > 0 && c.reading.next <= head.HeadBlockNumber
	}
	return head, c.reading.checkHead(head.HeadBlockID)
}

// isLost reports whether the journal is known not to be the wallet's own.
func (c *comparison) isLost() bool {
	c.p.fault.mu.RLock()
	defer c.p.fault.mu.RUnlock()
	return c.p.fault.why != nil
}

var errLostJournal = errors.New("the journal is not the wallet's own")

// base returns the last block that the journal knows to be irreversible. Everything that it signed up to the moment when that
// was written is in it, and what it signed later is in no block up to that one.
func (c *comparison) base(ctx context.Context) (finality.Anchor, error) {
	if c.p.Anchors == nil {
		return finality.Anchor{}, nil
	}
	kept, err := c.p.Anchors.Anchor(ctx, c.p.Daemon.Status().ChainID)
	if kept == nil || err != nil {
		return finality.Anchor{}, err
	}
	return *kept, nil
}

// oldest returns, for a journal that knows no irreversible block, a block from before everything that it may lack; 0 if it has
// no payment: then nothing was ever signed with it, as far as anybody can tell.
func (c *comparison) oldest(ctx context.Context, daemon daemonclient.Daemon, head uint32) (uint32, error) {
	newest, err := c.p.Journal.Latest(ctx, 1)
	if err != nil || len(newest) == 0 {
		return 0, err
	}
	e := newest[0]
	if e.LastProven > 0 {
		return e.LastProven + 1, nil
	}
	num := max(1, e.RefBlock-min(e.RefBlock, otherDaemons))
	if e.RefBlock > head || e.RefBlock == 0 {
		return num, nil
	}
	blocks, err := readBlocks(ctx, daemon, num, e.RefBlock)
	if err != nil {
		return 0, err
	}
	// Numbers alone reach far back where blocks were made long before, as on a ledger that stood still or begins with some of the past.
	for from := blocks[len(blocks)-1].Timestamp; len(blocks) > 1 && blocks[0].Timestamp+otherDaemonsAge < from; blocks = blocks[1:] {
		num++
	}
	return num, nil
}

// otherDaemonsAge is the maximum lag of another daemon, in seconds.
const otherDaemonsAge = 5 * 60

// followsAnyChain reports whether a chain that lacks a proven block is followed nevertheless: a single miner loses its last
// blocks with its disk, and a sandbox begins anew.
func (p *Payments) followsAnyChain(a finality.Anchor) bool {
	return p.Sandbox || len(a.Miners)+a.Unnamed == 1
}

// see compares a block that the follower reads, as long as something that an earlier run signed may still come into one.
func (c *comparison) see(ctx context.Context, block *ledger.Block) error {
	c.mu.Lock()
	skip, until := c.over || c.from == 0 || block.BlockID.Num() < c.from, c.until
	c.over = c.over || until > 0 && block.Timestamp > until
	previous := c.times[block.BlockID.Num()-1]
	if len(c.times) > keptIDs || c.times == nil {
		c.times = map[uint32]ledger.Time{}
	}
	c.times[block.BlockID.Num()] = block.Timestamp
	c.mu.Unlock()
	if skip {
		return nil
	}
	found, err := c.adopt(ctx, block, previous, until)
	if found > 0 {
		err = errors.Join(err, c.p.resume(ctx))
	}
	return err
}

// adopt records the transactions of a block that the journal lacks, and holds the file. previous is the time of the block before, 0 if it is not
// known. What an older copy lacks was signed after that was
// written, and expires after the head block of that time: what expires minutes earlier is from before the keys were in this wallet. What expires after until, if that is not 0, was
// signed since the start, by another wallet with the same keys. A journal that is known to be lost spends
// nothing anyway, and what it lacks is for a person to accept.
func (c *comparison) adopt(ctx context.Context, block *ledger.Block, previous, until ledger.Time) (found int, err error) {
	if c.isLost() {
		return 0, nil
	}
	c.mu.Lock()
	early, own := c.early, c.own
	c.mu.Unlock()
	for i := range block.Transactions {
		tx := &block.Transactions[i].SignedTransaction
		if until > 0 && tx.Expiration > until || tx.Expiration < early {
			continue
		}
		if tx.Expiration < previous { // the ledger refuses what expired before the block before, whose time is its own while it applies one
			return found, fmt.Errorf("block %d holds a transaction that had expired: the daemon shows another chain", block.BlockID.Num())
		}
		id, err := tx.ID()
		if err != nil {
			continue // this program cannot read it, so it did not make it
		}
		known, err := c.p.Journal.Knows(ctx, id)
		if err != nil {
			return found, err
		}
		if known {
			continue
		}
		if ours, others := c.p.signers(tx, own); !ours || others {
			continue
		}
		n, err := c.hold(ctx, block, i, id)
		if found += n; err != nil {
			return found, err
		}
	}
	return found, nil
}

// hold records a transaction that the journal lacks, and holds the file, in one commit.
func (c *comparison) hold(ctx context.Context, block *ledger.Block, i int, id ledger.TransactionID) (found int, err error) {
	num := block.BlockID.Num()
	why := fmt.Sprintf("the ledger has payments of this wallet's keys that its payment journal lacked, such as %s in block %d: "+
		"the journal is an older copy, or the keys are used elsewhere too", id, num)
	with := []store.Change{store.HoldFor(why, c.p.Now())}
	if c.p.Recovered != nil {
		with = append(with, c.p.Recovered(why, []FoundPayment{{ID: id, Block: num}}))
	}
	one, err := c.p.recordFound(ctx, block, i, id, with...)
	if one == nil || err != nil {
		return 0, err
	}
	_, _ = c.p.Journal.Hold(ctx) // so that everybody knows at once
	c.p.Logger.Error("payments: the journal lacked a payment that is on the ledger, and nothing is paid until it is claimed or accepted",
		"id", id, "block", num, "does", one.Text)
	return 1, nil
}
