package walletcore_test

import (
	"testing"

	"billfold/walletcore/event"
)

func TestSlowSubscriberLosesOnlyOldEvents(t *testing.T) {
	var b event.Broadcaster
	events, stop := b.Subscribe()
	for range 3 * event.Buffer {
		b.Publish(event.Event{Kind: event.Block})
	}
	b.Publish(event.Event{Kind: event.Lock})
	var last event.Event
	for range event.Buffer {
		last = <-events
	}
	if last.Kind != event.Lock {
		t.Errorf("the newest event is %+v", last)
	}
	stop()
	stop()
	if _, open := <-events; open {
		t.Error("the channel is not closed")
	}
	b.Publish(event.Event{})
}
