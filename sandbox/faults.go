package sandbox

import (
	"fmt"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// Faults go wrong on purpose. They affect every connection except those that have
// called a method of the sandbox set, so that a developer stays connected.
type Faults struct {
	mu       sync.Mutex
	drops    dropPlan
	delay    time.Duration
	delays   map[string]time.Duration // by method
	away     time.Time                // until when nobody is served
	rate     int                      // bytes per second; 0 means no limit
	refusals []*nodeerr.Error         // of the next broadcasts
	chainID  *ledger.ChainID          // posed as; nil for the real one
}

// dropPlan cuts websockets: each after so many frames, counted from the plan
// or from its opening, whichever is later.
type dropPlan struct {
	number int // of the plan, so that connections start counting again
	on     bool
	frames int
	conns  int // how many more to cut
}

func newFaults() *Faults { return &Faults{delays: map[string]time.Duration{}} }

// DropAfter cuts websockets once they have been sent that many more frames: the
// first conns that get there. With frames 0, a call is carried out but its answer
// never arrives.
func (f *Faults) DropAfter(frames, conns int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drops = dropPlan{number: f.drops.number + 1, on: conns > 0, frames: max(frames, 0), conns: conns}
}

// Delay sends every answer and notice that much later; 0 ends it.
func (f *Faults) Delay(by time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = max(by, 0)
}

// DelayMethod sends the answers of one method, such as get_block, that much later;
// 0 ends it. Other answers overtake them, as on a real node.
func (f *Faults) DelayMethod(method string, by time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.delays[method] = by; by <= 0 {
		delete(f.delays, method)
	}
}

// Slow limits each connection to that many bytes per second; 0 ends it.
func (f *Faults) Slow(bytesPerSecond int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rate = max(bytesPerSecond, 0)
}

// RefuseBroadcast makes the next broadcast fail with the given error code of the
// node and message, without checking it. Several calls apply to several broadcasts
// in order.
func (f *Faults) RefuseBroadcast(code int, message string) error {
	fault := nodeerr.New(nodeerr.Code(code), "broadcast_transaction", message, nil)
	if fault.Name() == "" {
		return fmt.Errorf("the node has no error %d; use one of its codes, such as 10", code)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refusals = append(f.refusals, fault)
	return nil
}

// PoseAs makes the node report another chain id; nil ends it. The ledger keeps its
// own, so transactions signed for the other chain are refused.
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
	f.delay, f.rate, f.refusals, f.chainID, f.away = 0, 0, nil, nil, time.Time{}
	clear(f.delays)
}

// sentFrames counts the frames that a websocket was sent since a drop plan was made.
type sentFrames struct{ plan, sent int }

// allowFrame counts a frame that is about to be sent and reports whether it may be.
func (f *Faults) allowFrame(n *sentFrames) bool {
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

// methodLag returns how much later than other answers those of a method are sent.
func (f *Faults) methodLag(method string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.delays[method]
}

// gone reports whether the simulated node is not running at the moment.
func (f *Faults) gone() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Now().Before(f.away)
}

// rateLimit returns the bytes per second for each connection, 0 for no limit.
func (f *Faults) rateLimit() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rate
}

// nextRefusal removes and returns the fault with which a broadcast is to fail, or nil.
func (f *Faults) nextRefusal() *nodeerr.Error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.refusals) == 0 {
		return nil
	}
	next := f.refusals[0]
	f.refusals = f.refusals[1:]
	return next
}

// claimedChainID returns the chain id to report; own is the real one.
func (f *Faults) claimedChainID(own ledger.ChainID) ledger.ChainID {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.chainID != nil {
		return *f.chainID
	}
	return own
}

// leave makes the node serve nobody for that long.
func (f *Faults) leave(away time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = time.Now().Add(away)
}
