package walletcore

import "sync"

// eventBuffer is how many events a slow subscriber may be behind; one more and
// the oldest is dropped, which is harmless as events carry no data.
const eventBuffer = 64

// broadcaster hands events to subscribers without ever waiting for one.
type broadcaster struct {
	mu   sync.Mutex
	subs map[chan Event]struct{}
}

// Subscribe gives the events from now on; the function ends it and closes the channel.
func (w *Wallet) Subscribe() (<-chan Event, func()) { return w.events.subscribe() }

func (b *broadcaster) subscribe() (<-chan Event, func()) {
	ch := make(chan Event, eventBuffer)
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

func (b *broadcaster) send(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.subs {
		select {
		case ch <- e:
		default:
			dropOldest(ch)
			ch <- e // only send writes here, and it holds the mutex: there is room now
		}
	}
}

func dropOldest(ch chan Event) {
	select {
	case <-ch:
	default:
	}
}
