//go:build linux

package storetest

import (
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// network is what all connections through a relay have in common.
type network struct {
	mu      sync.Mutex
	gate    chan struct{} // nothing passes until it is closed
	delay   time.Duration
	fault   CommitFault
	faults  int // how many COMMITs are still to meet it
	cancels int
	commits int
	once    map[Moment]func()
}

// Moment is one in the life of a transaction.
type Moment int

// The moments.
const (
	AtBegin   Moment = iota + 1 // the client has begun a transaction, and the server is to hear of it
	AtCommit                    // the client has said COMMIT, and the server is to hear of it
	Committed                   // the transaction is committed, and the client is to hear of it
)

func newNetwork() *network {
	l := &network{gate: make(chan struct{}), once: map[Moment]func(){}}
	close(l.gate)
	return l
}

// CommitFault is what happens to a COMMIT.
type CommitFault int

// The faults. The connection breaks with each.
const (
	LoseCommit CommitFault = iota + 1 // the server does not get it
	CutCommit                         // the server gets it, and the connection breaks at once
	LoseAnswer                        // it is done, and the client is not told
)

// BlackHole keeps everything that is said on the way, until it is called with false.
func (l *network) BlackHole(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.gate:
		if on {
			l.gate = make(chan struct{})
		}
	default:
		if !on {
			close(l.gate)
		}
	}
}

// Delay makes a round trip take this much longer.
func (l *network) Delay(roundTrip time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delay = roundTrip / 2
}

// When has do called at the next such moment, which passes when do returns.
func (l *network) When(at Moment, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.once[at] = do
}

// comes calls what was to be called at a moment.
func (l *network) comes(at Moment) {
	l.mu.Lock()
	do := l.once[at]
	delete(l.once, at)
	l.mu.Unlock()
	if do != nil {
		do()
	}
}

// Break has the next n COMMITs meet a fault.
func (l *network) Break(fault CommitFault, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault, l.faults = fault, n
}

// Commits returns how many COMMITs clients sent.
func (l *network) Commits() int { return l.read(&l.commits) }

// Cancels returns how often clients asked to have a statement cancelled.
func (l *network) Cancels() int { return l.read(&l.cancels) }

func (l *network) read(n *int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return *n
}

func (l *network) count(n *int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*n++
}

// meets counts a COMMIT and says which fault it meets; 0 is none.
func (l *network) meets() CommitFault {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.commits++; l.faults == 0 {
		return 0
	}
	l.faults--
	return l.fault
}

// wait returns when something that was said at a time may arrive. What has to be done first is done by before, if it has to wait.
func (l *network) wait(said time.Time, before func()) {
	l.mu.Lock()
	gate, due := l.gate, said.Add(l.delay)
	l.mu.Unlock()
	select {
	case <-gate:
	default:
		before()
		<-gate
	}
	if left := time.Until(due); left > 0 {
		before()
		sleep(time.Until(due))
	}
}

// shortWait is what has to be waited for exactly: the runtime's timers wake up to a millisecond late, which is twice as
// long as a short connection takes.
const shortWait = 20 * time.Millisecond

func sleep(left time.Duration) {
	if left > shortWait {
		time.Sleep(left)
	} else if left > 0 {
		span := unix.NsecToTimespec(left.Nanoseconds())
		_ = unix.Nanosleep(&span, nil) // a signal ends it early, which is no harm
	}
}
