//go:build linux

package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"syscall"
	"time"

	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
)

const (
	lease     = 10 * time.Second // of a server, after which others take over its payments
	pastLease = lease + 3*time.Second
)

// storm makes things go wrong, one after another and some at the same time, until the returned function is called or longest has
// passed.
func (f *fleet) storm(pace, longest time.Duration) (calm func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	over := time.After(longest)
	go func() {
		defer close(done)
		defer f.endTrouble()
		ended := make(chan struct{})
		defer close(ended)
		var deck []trouble
		for {
			select {
			case <-quit:
				return
			case <-over:
				return
			case <-time.After(f.random.lasts(2 * pace)):
			}
			if len(deck) == 0 {
				deck = f.shuffled()
			}
			next, m := deck[0], f.members[f.random.upTo(len(f.members))]
			deck = deck[1:]
			f.strike(next, m, ended)
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

// strike makes one thing go wrong. If that fails the test, because the database does not start again for instance, the callers stop.
func (f *fleet) strike(next trouble, m *member, quit <-chan struct{}) {
	f.counters.add(next.name)
	f.record.add("trouble", next.name+" ("+m.name()+")")
	returned := false
	defer func() {
		if !returned {
			f.over.Store(true)
		}
	}()
	next.happens(f, m, quit)
	returned = true
}

// endTrouble ends all trouble.
func (f *fleet) endTrouble() {
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

// trouble is one thing that can go wrong, with its number in a deck. A lasting one ends when quit is closed, or by itself.
type trouble struct {
	name    string
	times   int
	happens func(*fleet, *member, <-chan struct{})
}

func troubles() []trouble {
	return []trouble{
		{"server killed", 6, func(_ *fleet, m *member, _ <-chan struct{}) { m.signal(syscall.SIGKILL) }},
		{"server ended", 3, func(_ *fleet, m *member, _ <-chan struct{}) { m.signal(syscall.SIGTERM) }},
		{"server stopped for a moment", 3, func(f *fleet, m *member, quit <-chan struct{}) { m.stopFor(f.random.lasts(4*time.Second), quit) }},
		{"server stopped past its lease at any time", 1, func(_ *fleet, m *member, quit <-chan struct{}) { m.stopFor(pastLease, quit) }},
		{"server stopped past its lease in a transaction", 1, stopAt(storetest.AtBegin)},
		{"server stopped past its lease before it was told of a commit", 1, stopAt(storetest.Committed)},
		{"server stopped past its lease in a broadcast", 1, stopInBroadcast},
		{"commits lost", 4, breakCommits(storetest.LoseCommit)},
		{"commits cut", 4, breakCommits(storetest.CutCommit)},
		{"commits done and not told", 4, breakCommits(storetest.LoseAnswer)},
		{"line to the database cut", 3, func(f *fleet, m *member, quit <-chan struct{}) {
			f.lasting(f.random.lasts(8*time.Second), quit, m.toStore.Cut, m.toStore.Mend)
		}},
		{"line to the database dead", 2, func(f *fleet, m *member, quit <-chan struct{}) {
			f.lasting(f.random.lasts(15*time.Second), quit, func() { m.toStore.BlackHole(true) }, func() { m.toStore.BlackHole(false) })
		}},
		{"line to the database slow", 2, func(f *fleet, m *member, quit <-chan struct{}) {
			f.lasting(f.random.lasts(3*time.Second), quit, func() { m.toStore.Delay(20 * time.Millisecond) }, func() { m.toStore.Delay(0) })
		}},
		{"database killed", 3, func(f *fleet, _ *member, _ <-chan struct{}) { f.store.Kill(); f.store.Restart() }},
		{"database away", 1, func(f *fleet, _ *member, quit <-chan struct{}) {
			f.store.Kill()
			select {
			case <-quit:
			case <-time.After(f.random.lasts(f.away)):
			}
			f.store.Restart()
		}},
		{"database stands still", 1, func(f *fleet, _ *member, quit <-chan struct{}) {
			f.store.Pause()
			select {
			case <-quit:
			case <-time.After(f.random.lasts(4 * time.Second)):
			}
			f.store.Resume()
		}},
		{"synchronous standby promoted", 2, (*fleet).failOver},
		{"answer to a broadcast lost", 6, setLine(func(r *testwallet.Relay) { r.Cut = broadcastCall })},
		{"broadcast lost", 6, setLine(func(r *testwallet.Relay) { r.Lose = broadcastCall })},
		{"line to the ledger cut", 3, func(f *fleet, m *member, quit <-chan struct{}) {
			f.lasting(f.random.lasts(8*time.Second), quit, func() { m.toLedger.HangUp(true) },
				func() { m.toLedger.Set(func(r *testwallet.Relay) { r.Down = false }) })
		}},
		{"broadcast refused", 6, func(f *fleet, _ *member, _ <-chan struct{}) { f.control("sandbox_refuse_broadcast", 10, "not today") }},
		{"ledger killed", 2, func(f *fleet, _ *member, _ <-chan struct{}) {
			f.control("sandbox_kill", strconv.Itoa(f.random.upTo(500))+"ms", min(f.random.upTo(2), f.losable()))
		}},
		{"ledger late", 2, func(f *fleet, _ *member, quit <-chan struct{}) {
			f.lasting(time.Second, quit, func() { f.control("sandbox_delay", "600ms") }, func() { f.control("sandbox_delay", "0s") })
		}},
		{"fork", 4, (*fleet).fork},
	}
}

// failOver adds a synchronous standby to the database and promotes it while orders are being paid.
func (f *fleet) failOver(_ *member, quit <-chan struct{}) {
	standby := f.store.Standby(true)
	standby.WaitCaughtUp(f.store)
	select {
	case <-quit:
	case <-time.After(f.random.lasts(4 * time.Second)):
	}
	f.store.Kill()
	standby.Promote()
	f.store.Remove()
	f.store = standby
	f.each(func(m *member) { m.toStore.To(standby) })
}

const broadcastCall = "broadcast_transaction"

// shuffled returns a shuffled deck of troubles. No trouble comes a second time before each has come once.
func (f *fleet) shuffled() (deck []trouble) {
	var rest []trouble
	for _, card := range troubles() {
		deck = append(deck, card)
		for range card.times - 1 {
			rest = append(rest, card)
		}
	}
	f.random.mu.Lock()
	defer f.random.mu.Unlock()
	for _, part := range [][]trouble{deck, rest} {
		f.random.from.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
	}
	return append(deck, rest...)
}

// lasting starts something and ends it after a while, while other things go wrong.
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
	return func(f *fleet, m *member, _ <-chan struct{}) { m.toStore.Break(fault, 1+f.random.upTo(3)) }
}

func setLine(change func(*testwallet.Relay)) func(*fleet, *member, <-chan struct{}) {
	return func(_ *fleet, m *member, _ <-chan struct{}) { m.toLedger.Set(change) }
}

// control makes the ledger do something. It reports false if the ledger is away.
func (f *fleet) control(method string, params ...any) bool {
	out, err := f.post(f.ledger.url, "", method, params...)
	return err == nil && out.Error == nil
}

// losable returns how many of the newest blocks the ledger may lose: none that it ever announced as irreversible. After a
// kill, which makes no block in place of those it loses, that is fewer than what is not irreversible now.
func (f *fleet) losable() int {
	var info struct {
		Head  int `json:"head_block_number"`
		Final int `json:"final_block_number"`
	}
	out, err := f.post(f.ledger.url, "", "sandbox_info")
	if err != nil || json.Unmarshal(out.Result, &info) != nil {
		return 0
	}
	return info.Head - info.Final
}

// fork replaces the last one or two blocks, with or without their transactions.
func (f *fleet) fork(*member, <-chan struct{}) {
	back := min(1+f.random.upTo(2), f.losable())
	if back > 0 && f.control("sandbox_fork", back, f.random.upTo(2) == 0) {
		f.control("sandbox_mine", back)
	}
}
