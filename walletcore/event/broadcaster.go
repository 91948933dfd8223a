package event

import "sync"

// Buffer is how many events a slow subscriber may be behind; one more and
// the oldest is dropped, which is harmless as events carry no data.
const Buffer = 64

// Broadcaster hands events to subscribers without ever waiting for one. The
// zero value has none.
type Broadcaster struct {
	mu   sync.Mutex
	subs map[chan Event]struct{}
}

// Subscribe returns the events from now on, and a function that ends the
// subscription and closes the channel.
func (b *Broadcaster) Subscribe() (<-chan Event, func()) {
	ch := make(chan Event, Buffer)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subs == nil {
		b.subs = map[chan Event]struct{}{}
	}
	b.subs[ch] = struct{}{}
	return ch, sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subs, ch)
		close(ch)
	})
}

// Publish gives e to every subscriber.
func (b *Broadcaster) Publish(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.subs {
		select {
		case ch <- e:
		default:
			dropOldest(ch)
			ch <- e // only Publish writes here, and it holds the mutex: there is room now
		}
	}
}

func dropOldest(ch chan Event) {
	select {
	case <-ch:
	default:
	}
}
