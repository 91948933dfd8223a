//go:build linux

package main

import (
	"strconv"
	"strings"
	"syscall"
	"time"

	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
)

const (
	lease     = 10 * time.Second // of a server, after which others take what it had
	pastLease = lease + 3*time.Second
)

// storm has things go wrong until the function it returns is called, or it has lasted long enough: one after another, some of them at
// the same time.
func (f *fleet) storm(pace, longest time.Duration) (calm func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	over := time.After(longest)
	go func() {
		defer close(done)
		defer f.mend()
		ended := make(chan struct{})
		defer close(ended)
		var deck []trouble
		for {
			select {
			case <-quit:
				return
			case <-over:
				return
			case <-time.After(f.luck.lasts(2 * pace)):
			}
			if len(deck) == 0 {
				deck = f.shuffled()
			}
			next, m := deck[0], f.members[f.luck.upTo(len(f.members))]
			deck = deck[1:]
			f.strike(next, m, ended)
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

// strike has one thing go wrong. When that ends the test, as when the database does not start again, nobody has to ask any more.
func (f *fleet) strike(next trouble, m *member, quit <-chan struct{}) {
	f.counters.add(next.name)
	returned := false
	defer func() {
		if !returned {
			f.over.Store(true)
		}
	}()
	next.happens(f, m, quit)
	returned = true
}

// mend ends all that goes wrong.
func (f *fleet) mend() {
	f.ledger.ok("sandbox_clear_faults")
	f.each(func(m *member) {
		m.signal(syscall.SIGCONT)
		m.toStore.Break(0, 0)
		m.toStore.BlackHole(false)
		m.toStore.Delay(0)
		m.toStore.Mend()
		m.toLedger.Set(func(r *testwallet.Relay) { r.Cut, r.Lose, r.Down, r.Seen = "", "", false, nil })
	})
}

// trouble is one thing that goes wrong, so often in a deck. What lasts ends when quit is closed, or by itself.
type trouble struct {
	name    string
	times   int
	happens func(*fleet, *member, <-chan struct{})
}

func troubles() []trouble {
	return []trouble{
		{"server killed", 6, func(_ *fleet, m *member, _ <-chan struct{}) { m.signal(syscall.SIGKILL) }},
		{"server ended", 3, func(_ *fleet, m *member, _ <-chan struct{}) { m.signal(syscall.SIGTERM) }},
		{"server stopped for a moment", 3, func(f *fleet, m *member, quit <-chan struct{}) { m.stopFor(f.luck.lasts(4*time.Second), quit) }},
		{"server stopped past its lease at any time", 1, func(_ *fleet, m *member, quit <-chan struct{}) { m.stopFor(pastLease, quit) }},
		{"server stopped past its lease in a transaction", 1, stopAt(storetest.AtBegin)},
		{"server stopped past its lease before it was told of a commit", 1, stopAt(storetest.Committed)},
		{"server stopped past its lease in a broadcast", 1, stopInBroadcast},
		{"commits lost", 4, breakCommits(storetest.LoseCommit)},
		{"commits cut", 4, breakCommits(storetest.CutCommit)},
		{"commits done and not told", 4, breakCommits(storetest.LoseAnswer)},
		{"line to the database cut", 3, func(f *fleet, m *member, quit <-chan struct{}) {
			f.lasting(f.luck.lasts(8*time.Second), quit, m.toStore.Cut, m.toStore.Mend)
		}},
		{"line to the database dead", 2, func(f *fleet, m *member, quit <-chan struct{}) {
			f.lasting(f.luck.lasts(15*time.Second), quit, func() { m.toStore.BlackHole(true) }, func() { m.toStore.BlackHole(false) })
		}},
		{"line to the database slow", 2, func(f *fleet, m *member, quit <-chan struct{}) {
			f.lasting(f.luck.lasts(3*time.Second), quit, func() { m.toStore.Delay(20 * time.Millisecond) }, func() { m.toStore.Delay(0) })
		}},
		{"database killed", 3, func(f *fleet, _ *member, _ <-chan struct{}) { f.store.Kill(); f.store.Restart() }},
		{"database away", 1, func(f *fleet, _ *member, quit <-chan struct{}) {
			f.store.Kill()
			select {
			case <-quit:
			case <-time.After(f.luck.lasts(f.away)):
			}
			f.store.Restart()
		}},
		{"database stands still", 1, func(f *fleet, _ *member, quit <-chan struct{}) {
			f.store.Pause()
			select {
			case <-quit:
			case <-time.After(f.luck.lasts(4 * time.Second)):
			}
			f.store.Resume()
		}},
		{"synchronous standby promoted", 2, (*fleet).failOver},
		{"answer to a broadcast lost", 6, setLine(func(r *testwallet.Relay) { r.Cut = broadcastCall })},
		{"broadcast lost", 6, setLine(func(r *testwallet.Relay) { r.Lose = broadcastCall })},
		{"line to the ledger cut", 3, func(f *fleet, m *member, quit <-chan struct{}) {
			f.lasting(f.luck.lasts(8*time.Second), quit, func() { m.toLedger.HangUp(true) },
				func() { m.toLedger.Set(func(r *testwallet.Relay) { r.Down = false }) })
		}},
		{"broadcast refused", 6, func(f *fleet, _ *member, _ <-chan struct{}) { f.control("sandbox_refuse_broadcast", 10, "not today") }},
		{"ledger killed", 2, func(f *fleet, _ *member, _ <-chan struct{}) {
			f.control("sandbox_kill", strconv.Itoa(f.luck.upTo(500))+"ms", f.luck.upTo(2))
		}},
		{"ledger late", 2, func(f *fleet, _ *member, quit <-chan struct{}) {
			f.lasting(time.Second, quit, func() { f.control("sandbox_delay", "600ms") }, func() { f.control("sandbox_delay", "0s") })
		}},
		{"fork", 4, (*fleet).fork},
	}
}

// failOver adds a synchronous standby to the database, and promotes it while orders are paid.
func (f *fleet) failOver(_ *member, quit <-chan struct{}) {
	standby := f.store.Standby(true)
	standby.WaitCaughtUp(f.store)
	select {
	case <-quit:
	case <-time.After(f.luck.lasts(4 * time.Second)):
	}
	f.store.Kill()
	standby.Promote()
	f.store.Remove()
	f.store = standby
	f.each(func(m *member) { m.toStore.To(standby) })
}

const broadcastCall = "broadcast_transaction"

// shuffled is every trouble as often as it is in the deck; before any comes again, each was there.
func (f *fleet) shuffled() (deck []trouble) {
	var rest []trouble
	for _, card := range troubles() {
		deck = append(deck, card)
		for range card.times - 1 {
			rest = append(rest, card)
		}
	}
	f.luck.mu.Lock()
	defer f.luck.mu.Unlock()
	for _, part := range [][]trouble{deck, rest} {
		f.luck.from.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
	}
	return append(deck, rest...)
}

// lasting begins something, and ends it after a while, while other things go wrong.
func (f *fleet) lasting(length time.Duration, quit <-chan struct{}, begin, end func()) {
	begin()
	f.work.Go(func() {
		select {
		case <-quit:
		case <-time.After(length):
		}
		end()
	})
}

func (m *member) stopFor(length time.Duration, quit <-chan struct{}) {
	m.fleet.lasting(length, quit, func() { m.signal(syscall.SIGSTOP) }, func() { m.signal(syscall.SIGCONT) })
}

// stopAt stops the server at a moment of its next transaction.
func stopAt(moment storetest.Moment) func(*fleet, *member, <-chan struct{}) {
	return func(_ *fleet, m *member, quit <-chan struct{}) {
		m.toStore.When(moment, func() { m.stopFor(pastLease, quit) })
	}
}

func stopInBroadcast(f *fleet, m *member, quit <-chan struct{}) {
	m.toLedger.Set(func(r *testwallet.Relay) {
		r.Seen = func(request string) {
			if strings.Contains(request, broadcastCall) {
				r.Seen = nil
				m.stopFor(pastLease, quit)
			}
		}
	})
}

func breakCommits(fault storetest.CommitFault) func(*fleet, *member, <-chan struct{}) {
	return func(f *fleet, m *member, _ <-chan struct{}) { m.toStore.Break(fault, 1+f.luck.upTo(3)) }
}

func setLine(change func(*testwallet.Relay)) func(*fleet, *member, <-chan struct{}) {
	return func(_ *fleet, m *member, _ <-chan struct{}) { m.toLedger.Set(change) }
}

// control has the ledger do something. One that is away does not.
func (f *fleet) control(method string, params ...any) bool {
	out, err := f.post(f.ledger.url, "", method, params...)
	return err == nil && out.Error == nil
}

// fork takes back a block or two, with or without what is in them, and puts as many in their place.
func (f *fleet) fork(*member, <-chan struct{}) {
	back := 1 + f.luck.upTo(2)
	if f.control("sandbox_fork", back, f.luck.upTo(2) == 0) {
		f.control("sandbox_mine", back)
	}
}
