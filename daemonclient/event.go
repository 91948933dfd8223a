package daemonclient

import (
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

// subscribers are the channels of those who want events. Its user guards it with a mutex.
type subscribers map[chan Event]struct{}

// add makes a channel for one more.
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
