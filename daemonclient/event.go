package daemonclient

import (
	"billfold/ledger"
)

// Event is StateChanged or BlockApplied.
type Event interface{ event() }

// StateChanged reports that the connection came up, went down, or is down for another reason; that another daemon is in
// use; or that the one in use lags, is stale, is fresh again, or starts or stops having a clock of its own.
type StateChanged struct{ Status Status }

// BlockApplied reports a new head block.
type BlockApplied struct{ ID ledger.BlockID }

func (StateChanged) event() {}
func (BlockApplied) event() {}

// eventBacklog is the number of events that wait for a slow subscriber before the older ones are dropped.
const eventBacklog = 16

// subscribers are the channels that receive events. The owner guards them with a mutex.
type subscribers map[chan Event]struct{}

// add returns the channel of a new subscriber.
func (s subscribers) add() chan Event {
	ch := make(chan Event, eventBacklog)
	s[ch] = struct{}{}
	return ch
}

// remove closes the channel, if it has not been removed before.
func (s subscribers) remove(ch chan Event) {
	if _, ok := s[ch]; ok {
		delete(s, ch)
		close(ch)
	}
}

// publish never blocks: under the mutex it is the only sender.
func (s subscribers) publish(e Event) {
	for ch := range s {
		if len(ch) == cap(ch) {
			dropOlder(ch)
		}
		ch <- e
	}
}

// dropOlder keeps only the latest state and the latest block in a full channel, in their order. Both fit again, because
// the receiver can only take.
func dropOlder(ch chan Event) {
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
