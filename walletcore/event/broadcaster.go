package event

import (
	"slices"
	"sync"
)

// Buffer is the number of events that a slow subscriber may lag behind; with one more the oldest is dropped, which is harmless
// because events carry no data.
const Buffer = 64

// Broadcaster sends events to subscribers without ever waiting for one. The zero value has no subscribers.
type Broadcaster struct {
	mu   sync.Mutex
	subs map[chan Event]kinds
}

// kinds are the kinds that a subscriber wants; an empty list means all.
type kinds []Kind

func (k kinds) want(kind Kind) bool { return len(k) == 0 || slices.Contains(k, kind) }

// Subscribe returns the events from now on, all or those of some kinds, and a function that ends the subscription and
// closes the channel. A subscriber to few kinds is not woken by the others, and loses no events to them.
func (b *Broadcaster) Subscribe(only ...Kind) (<-chan Event, func()) {
	ch := make(chan Event, Buffer)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subs == nil {
		b.subs = map[chan Event]kinds{}
	}
	b.subs[ch] = only
	return ch, sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subs, ch)
		close(ch)
	})
}

// Publish sends e to every subscriber that wants it.
func (b *Broadcaster) Publish(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch, only := range b.subs {
		if !only.want(e.Kind) {
			continue
		}
		select {
		case ch <- e:
		default:
			dropOldest(ch)
			ch <- e // only Publish writes here, and it holds the mutex, so there is room now
		}
	}
}

func dropOldest(ch chan Event) {
	select {
	case <-ch:
	default:
	}
}
