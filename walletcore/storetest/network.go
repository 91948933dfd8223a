//go:build linux

package storetest

import (
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// network holds the state that all connections through a relay share.
type network struct {
	mu      sync.Mutex
	gate    chan struct{} // nothing passes until it is closed
	delay   time.Duration
	fault   CommitFault
	faults  int // how many COMMITs are still to suffer it
	cancels int
	commits int
	once    map[Moment]func()
}

// Moment is a moment in the life of a transaction.
type Moment int

// The moments.
const (
	AtBegin   Moment = iota + 1 // the client has begun a transaction, and the server has not heard of it yet
	AtCommit                    // the client has said COMMIT, and the server has not heard of it yet
	Committed                   // the transaction is committed, and the client has not heard of it yet
)

func newNetwork() *network {
	l := &network{gate: make(chan struct{}), once: map[Moment]func(){}}
	close(l.gate)
	return l
}

// CommitFault is a failure of a COMMIT.
type CommitFault int

// The faults. Each also breaks the connection.
const (
	LoseCommit CommitFault = iota + 1 // the server does not receive it
	CutCommit                         // the server receives it, and the connection breaks at once
	LoseAnswer                        // it is executed, and the client is not told
)

// BlackHole holds back everything that is said until it is called with false.
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

// When has do called at the next such moment, which passes only when do returns.
func (l *network) When(at Moment, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.once[at] = do
}

// reach runs what was to be called at a moment.
func (l *network) reach(at Moment) {
	l.mu.Lock()
	do := l.once[at]
	delete(l.once, at)
	l.mu.Unlock()
	if do != nil {
		do()
	}
}

// Break makes the next n COMMITs suffer a fault.
func (l *network) Break(fault CommitFault, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault, l.faults = fault, n
}

// Commits returns how many COMMITs clients sent.
func (l *network) Commits() int { return l.read(&l.commits) }

// Cancels returns how often clients asked for a statement to be cancelled.
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

// nextFault counts a COMMIT and returns the fault that it suffers; 0 is none.
func (l *network) nextFault() CommitFault {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.commits++; l.faults == 0 {
		return 0
	}
	l.faults--
	return l.fault
}

// wait waits until something said at a given time may arrive. If that takes a while, it calls before first.
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

// shortWait is up to which duration a wait has to be exact: the runtime's timers wake up to a millisecond late, which
// is twice as long as a short connection takes.
const shortWait = 20 * time.Millisecond

func sleep(left time.Duration) {
	if left > shortWait {
		time.Sleep(left)
	} else if left > 0 {
		span := unix.NsecToTimespec(left.Nanoseconds())
		_ = unix.Nanosleep(&span, nil) // a signal ends it early, which does no harm
	}
}
