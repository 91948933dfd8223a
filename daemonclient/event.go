package daemonclient

import (
	"time"

	"billfold/ledger"
)

// Event is StateChanged or BlockApplied.
type Event interface{ event() }

// StateChanged reports that the connection came up or went down, or is down for
// another reason; that another daemon is in use; or that the one in use lags, is
// stale, is fresh again, or starts or stops having a clock of its own.
type StateChanged struct{ Status Status }

// BlockApplied reports a new head block.
type BlockApplied struct{ ID ledger.BlockID }

func (StateChanged) event() {}
func (BlockApplied) event() {}

// eventBacklog is how many events wait for a slow subscriber before they are
// thinned out.
const eventBacklog = 16

// Subscribe gives the events from now on; read Status after it for the state to
// begin with. A subscriber that does not keep up
// loses older events, never the latest state and the latest block. cancel
// closes the channel and may be called more than once.
func (c *Client) Subscribe() (events <-chan Event, cancel func()) {
	ch := make(chan Event, eventBacklog)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.subscribers[ch] = struct{}{}
	return ch, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if _, ok := c.subscribers[ch]; ok {
			delete(c.subscribers, ch)
			close(ch)
		}
	}
}

// publishLocked never blocks: under the mutex it is the only sender.
func (c *Client) publishLocked(e Event) {
	for ch := range c.subscribers {
		if len(ch) == cap(ch) {
			thinOut(ch)
		}
		ch <- e
	}
}

// thinOut keeps the latest state and the latest block of a full channel, in
// their order. Both fit again, because the receiver can only take.
func thinOut(ch chan Event) {
	var kept []Event
	for {
		select {
		case e := <-ch:
			kept = keepLatest(kept, e)
			continue
		default:
		}
		break
	}
	for _, e := range kept {
		ch <- e
	}
}

func keepLatest(kept []Event, e Event) []Event {
	for i, old := range kept {
		_, oldState := old.(StateChanged)
		_, newState := e.(StateChanged)
		if oldState == newState {
			kept = append(kept[:i], kept[i+1:]...)
			break
		}
	}
	return append(kept, e)
}

// blockApplied records a new head block, and passes it on when it is the head
// of the daemon in use, or of the only one.
func (c *Client) blockApplied(n *node, id ledger.BlockID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n.head, n.headSeen = id, time.Now()
	if n == c.active || len(c.nodes) == 1 {
		c.publishLocked(BlockApplied{ID: id})
	}
}
