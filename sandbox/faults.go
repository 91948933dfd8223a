package sandbox

import (
	"fmt"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// Faults are what goes wrong on purpose. They concern every connection but
// those that have made a call of the sandbox set: a developer stays in touch.
type Faults struct {
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
	number int // of the plan, so that connections begin to count anew
	on     bool
	frames int
	conns  int // how many more are cut
}

func newFaults() *Faults { return &Faults{delays: map[string]time.Duration{}} }

// DropAfter cuts websockets once they have been sent that many more frames: the
// next ones to come so far, as many as conns says. With frames 0 a call is
// carried out and its answer is never seen.
func (f *Faults) DropAfter(frames, conns int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drops = dropPlan{number: f.drops.number + 1, on: conns > 0, frames: max(frames, 0), conns: conns}
}

// Delay lets every answer and notice leave that much later; 0 ends it.
func (f *Faults) Delay(by time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = max(by, 0)
}

// DelayMethod lets the answers to one method, such as get_block, leave that much
// later; 0 ends it. Other answers overtake them, as a node's do.
func (f *Faults) DelayMethod(method string, by time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.delays[method] = by; by <= 0 {
		delete(f.delays, method)
	}
}

// Slow sends at most so many bytes per second on each connection; 0 ends it.
func (f *Faults) Slow(bytesPerSecond int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rate = max(bytesPerSecond, 0)
}

// RefuseBroadcast lets the next broadcast fail with that code of the node and
// that message, without looking at it. Several calls are used up in order.
func (f *Faults) RefuseBroadcast(code int, message string) error {
	fault := nodeerr.New(nodeerr.Code(code), "broadcast_transaction", message, nil)
	if fault.Name() == "" {
		return fmt.Errorf("the node has no error %d; take one of its codes, such as 10", code)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refuse = append(f.refuse, fault)
	return nil
}

// PoseAs answers another chain id; nil ends it. The ledger is still its own, so
// what is signed for the other chain is refused.
func (f *Faults) PoseAs(id *ledger.ChainID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.chainID = id
}

// clear ends all faults.
func (f *Faults) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drops = dropPlan{number: f.drops.number + 1}
	f.delay, f.rate, f.refuse, f.chainID, f.away = 0, 0, nil, nil, time.Time{}
	clear(f.delays)
}

// sentFrames is how many frames a websocket was sent since a drop plan was made.
type sentFrames struct{ plan, sent int }

// mayPass counts a frame that is about to be sent and reports whether it still may.
func (f *Faults) mayPass(n *sentFrames) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.drops.on {
		return true
	}
	if n.plan != f.drops.number {
		n.plan, n.sent = f.drops.number, 0
	}
	if n.sent < f.drops.frames {
		n.sent++
		return true
	}
	f.drops.conns--
	f.drops.on = f.drops.conns > 0
	return false
}

func (f *Faults) lag() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.delay
}

// lagOf is how much later the answer to a method leaves than other answers.
func (f *Faults) lagOf(method string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.delays[method]
}

// gone reports whether the node is ended currently.
func (f *Faults) gone() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Now().Before(f.away)
}

func (f *Faults) speed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rate
}

// refusal returns the fault that the next broadcast fails with, once.
func (f *Faults) refusal() *nodeerr.Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.refuse) == 0 {
		return nil
	}
	next := f.refuse[0]
	f.refuse = f.refuse[1:]
	return next
}

// pose returns the chain id to answer.
func (f *Faults) pose(own ledger.ChainID) ledger.ChainID {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.chainID != nil {
		return *f.chainID
	}
	return own
}

// leave serves nobody for that long.
func (f *Faults) leave(away time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = time.Now().Add(away)
}
