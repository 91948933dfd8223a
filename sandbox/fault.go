package sandbox

import (
	"fmt"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// faults are what goes wrong on purpose. They concern every connection but
// those that have made a call of the sandbox set: a developer stays in touch.
type faults struct {
	mu      sync.Mutex
	drops   dropPlan
	delay   time.Duration
	delays  map[string]time.Duration // of single methods
	away    time.Time                // until when nobody is served
	rate    int                      // bytes per second, 0: no limit
	refuse  []*nodeerr.Fault
	chainID *ledger.ChainID
}

// dropPlan cuts websockets: each after so many frames, counted from the plan
// or from its opening.
type dropPlan struct {
	number int // of the plan, so that lines begin to count anew
	on     bool
	frames int
	lines  int // how many more are cut
}

func newFaults() *faults { return &faults{delays: map[string]time.Duration{}} }

// DropAfter cuts websockets once they have been sent that many more frames: the
// next ones to come so far, as many as lines says. With frames 0 a call is
// carried out and its answer is never seen.
func (s *Sandbox) DropAfter(frames, lines int) {
	f := s.faults
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drops = dropPlan{number: f.drops.number + 1, on: lines > 0, frames: max(frames, 0), lines: lines}
}

// Delay lets every answer and notice leave that much later; 0 ends it.
func (s *Sandbox) Delay(by time.Duration) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.delay = max(by, 0)
}

// DelayMethod lets the answers to one method, such as get_block, leave that much
// later; 0 ends it. Other answers overtake them, as a node's do.
func (s *Sandbox) DelayMethod(method string, by time.Duration) {
	f := s.faults
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.delays[method] = by; by <= 0 {
		delete(f.delays, method)
	}
}

// Slow sends at most so many bytes per second on each connection; 0 ends it.
func (s *Sandbox) Slow(bytesPerSecond int) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.rate = max(bytesPerSecond, 0)
}

// RefuseBroadcast lets the next broadcast fail with that code of the node and
// that message, without looking at it. Several calls are used up in order.
func (s *Sandbox) RefuseBroadcast(code int, message string) error {
	fault := nodeerr.New(nodeerr.Code(code), "broadcast_transaction", message, nil)
	if fault.Name() == "" {
		return fmt.Errorf("the node has no error %d; take one of its codes, such as 10", code)
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.refuse = append(s.faults.refuse, fault)
	return nil
}

// PoseAs answers another chain id; nil ends it. The ledger is still its own, so
// what is signed for the other chain is refused.
func (s *Sandbox) PoseAs(id *ledger.ChainID) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.chainID = id
}

// ClearFaults ends all faults, also a stop of block making.
func (s *Sandbox) ClearFaults() {
	f := s.faults
	f.mu.Lock()
	f.drops = dropPlan{number: f.drops.number + 1}
	f.delay, f.rate, f.refuse, f.chainID, f.away = 0, 0, nil, nil, time.Time{}
	clear(f.delays)
	f.mu.Unlock()
	s.StopBlocks(false)
}

// StopBlocks stops making blocks by time, or goes on. Mine works all the same.
func (s *Sandbox) StopBlocks(stop bool) { s.pace.set(func(p *pace) { p.stopped = stop }) }

// frame counts a frame that l is about to send and tells whether it still may.
func (f *faults) frame(l *line) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.drops.on || l.exempt() {
		return true
	}
	if l.plan != f.drops.number {
		l.plan, l.sent = f.drops.number, 0
	}
	if l.sent < f.drops.frames {
		l.sent++
		return true
	}
	f.drops.lines--
	f.drops.on = f.drops.lines > 0
	return false
}

func (f *faults) lag() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.delay
}

// lagOf is how much later the answer to a method leaves than other answers.
func (f *faults) lagOf(method string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.delays[method]
}

// gone reports whether the node is ended at present.
func (f *faults) gone() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Now().Before(f.away)
}

func (f *faults) speed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rate
}

// refusal gives the fault that the next broadcast fails with, once.
func (f *faults) refusal() *nodeerr.Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.refuse) == 0 {
		return nil
	}
	next := f.refuse[0]
	f.refuse = f.refuse[1:]
	return next
}

// pose gives the chain id to answer.
func (f *faults) pose(own ledger.ChainID) ledger.ChainID {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.chainID != nil {
		return *f.chainID
	}
	return own
}
