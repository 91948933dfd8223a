package event

import "testing"

func TestSlowSubscriberLosesOldEventsOnly(t *testing.T) {
	var b Broadcaster
	events, stop := b.Subscribe()
	for range 3 * Buffer {
		b.Publish(Event{Kind: Block})
	}
	b.Publish(Event{Kind: Lock})
	var last Event
	for range Buffer {
		last = <-events
	}
	if last.Kind != Lock {
		t.Errorf("the newest event is %+v", last)
	}
	stop()
	stop()
	if _, open := <-events; open {
		t.Error("the channel is not closed")
	}
	b.Publish(Event{})
}
