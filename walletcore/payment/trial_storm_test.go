package payment_test

import (
	"path/filepath"
	"reflect"
	"runtime"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/testwallet"
)

// longestQuiet is the time to the next trouble when callers hear nothing.
const longestQuiet = time.Second

// storm lets things go wrong until the function it gives is called.
func (tr *trial) storm() (calm func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			case <-tr.beat:
			case <-time.After(longestQuiet):
			}
			tr.trouble()
		}
	}()
	return func() {
		close(quit)
		<-done
		tr.box.ClearFaults()
		for _, r := range tr.lines {
			r.Set(func(r *testwallet.Relay) { r.Cut, r.Lose, r.Down = "", "", false })
		}
	}
}

// trouble is one thing that goes wrong.
type trouble func(*trial, *testwallet.Relay)

// troubles are all of them, each as often as it is tried in so many.
var troubles = []struct {
	times int
	what  trouble
}{
	{5, (*trial).nothing},
	{10, (*trial).cut},
	{10, (*trial).lose},
	{10, (*trial).refuse},
	{4, (*trial).hangUp},
	{5, (*trial).fork},
	{3, (*trial).delay},
	{2, (*trial).slowJournal},
	{1, (*trial).killDaemon},
	{4, (*trial).forget},
	{3, (*trial).slowBlocks},
}

// trouble lets the next thing go wrong: as from a deck of cards, so that each
// has its turn.
func (tr *trial) trouble() {
	tr.mu.Lock()
	if len(tr.deck) == 0 {
		for _, card := range troubles {
			for range card.times {
				tr.deck = append(tr.deck, card.what)
			}
		}
		tr.luck.Shuffle(len(tr.deck), func(i, j int) { tr.deck[i], tr.deck[j] = tr.deck[j], tr.deck[i] })
	}
	next := tr.deck[0]
	tr.deck = tr.deck[1:]
	tr.mu.Unlock()
	if tr.slowed--; tr.slowed == 0 {
		tr.box.DelayMethod("get_block", 0)
	}
	r := tr.lines[tr.upTo(len(tr.lines))]
	r.Set(func(r *testwallet.Relay) { r.Down = false })
	if log, end, err := recorder(tr.record, "storm"); err == nil {
		log.Info(runtime.FuncForPC(reflect.ValueOf(next).Pointer()).Name(), "final", tr.box.Final())
		end()
	}
	next(tr, r)
}

func (tr *trial) nothing(*testwallet.Relay) {}

// cut breaks the line after the next broadcast.
func (tr *trial) cut(r *testwallet.Relay) {
	tr.counts.add(func(c *countsRead) { c.Cuts++ })
	r.Set(func(r *testwallet.Relay) { r.Cut = "broadcast_transaction" })
}

// lose breaks the line before the next broadcast gets through.
func (tr *trial) lose(r *testwallet.Relay) {
	tr.counts.add(func(c *countsRead) { c.Losses++ })
	r.Set(func(r *testwallet.Relay) { r.Lose = "broadcast_transaction" })
}

func (tr *trial) refuse(*testwallet.Relay) {
	tr.counts.add(func(c *countsRead) { c.Refusals++ })
	if err := tr.box.RefuseBroadcast(10, "not today"); err != nil {
		tr.t.Error(err)
	}
}

// hangUp breaks a line, perhaps for a while: the other one takes over.
func (tr *trial) hangUp(r *testwallet.Relay) {
	tr.counts.add(func(c *countsRead) { c.HangUps++ })
	r.HangUp(tr.chance(50))
}

// delay lets answers come late, some too late.
func (tr *trial) delay(*testwallet.Relay) {
	tr.counts.add(func(c *countsRead) { c.Delays++ })
	tr.box.Delay(time.Duration(tr.upTo(600)) * time.Millisecond)
	time.Sleep(time.Duration(tr.upTo(50)) * time.Millisecond)
	tr.box.Delay(0)
}

// slowestJournal is longer than payments are good for: in the trial a block moves the
// chain on by a second at least.
const slowestJournal = 30 * trialBlockTime * 5 / 4

// slowJournal keeps everybody from writing to the journal for a while, as a slow disk
// does. Blocks go on coming meanwhile, and payments expire before they are recorded.
func (tr *trial) slowJournal(*testwallet.Relay) {
	tr.counts.add(func(c *countsRead) { c.SlowJournals++ })
	db, err := database.Open(filepath.Join(tr.dir, "payments.db"), database.Durable)
	if err != nil {
		tr.t.Error(err)
		return
	}
	defer db.Close()
	tx, err := db.Begin() // takes the lock for writing at once
	if err != nil {
		return // somebody else holds it for long
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	time.Sleep(time.Duration(tr.upTo(int(slowestJournal))))
}

// killDaemon ends the daemon, which forgets what is pending, and starts it again.
func (tr *trial) killDaemon(*testwallet.Relay) {
	tr.counts.add(func(c *countsRead) { c.Daemons++ })
	tr.stopDaemon()
	time.Sleep(time.Duration(tr.upTo(30)) * time.Millisecond)
	tr.startDaemon()
}

// forget ends the daemon as kill -9 does: it comes back with its blocks, without what
// was pending, and without the list of the transactions that are in its blocks. It takes those again.
// Right before it makes a block that nobody has read, and blocks are answered late for a while.
func (tr *trial) forget(r *testwallet.Relay) {
	tr.counts.add(func(c *countsRead) { c.Forgot++ })
	tr.slowBlocks(r)
	if _, err := tr.box.Mine(); err != nil {
		tr.t.Error(err)
	}
	lost := min(tr.upTo(2), int(tr.box.Head()-tr.box.Final())) // a kill right after another one took back what makes blocks irreversible
	if err := tr.box.Kill(time.Duration(tr.upTo(30))*time.Millisecond, lost); err != nil {
		tr.t.Error(err)
	}
}

// slowBlocks lets blocks be answered late, some later than anybody waits, for a while in
// which other things go wrong.
func (tr *trial) slowBlocks(*testwallet.Relay) {
	tr.counts.add(func(c *countsRead) { c.SlowBlocks++ })
	tr.box.DelayMethod("get_block", time.Duration(100+tr.upTo(700))*time.Millisecond)
	tr.slowed = 2 + tr.upTo(3)
}

// fork takes back blocks that are not irreversible, with or without what is in
// them, and puts at least as many in their place: with fewer the next fork could
// take back what was irreversible before this one, which no chain does.
func (tr *trial) fork(*testwallet.Relay) {
	back := min(1+tr.upTo(2), int(tr.box.Head()-tr.box.Final()))
	if back == 0 {
		return // a kill took back the others
	}
	if _, err := tr.box.Fork(back, tr.chance(50)); err != nil {
		return // too early: there are no blocks yet
	}
	tr.counts.add(func(c *countsRead) { c.Forks++ })
	for range back + tr.upTo(2) {
		if _, err := tr.box.Mine(); err != nil {
			tr.t.Error(err)
		}
	}
}
