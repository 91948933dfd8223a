package rpcserver

import (
	"context"
	"sync"
	"time"
)

// messageOrder keeps the messages of one websocket in order around those that change what later ones work with (Options.InOrder). Such a message begins
// when all before it have ended, and all after it begin when it has ended; other messages run at the same time among each other. Nobody waits
// for a message that itself waits for a person or for something to happen. The messages take their turns in one goroutine, in the order in which they came.
type messageOrder struct {
	last  <-chan struct{} // closed when the latest message in order has ended; nil = there was none
	since *entrance       // of the messages after it
}

// messageTurn is the place of a message among those of its websocket.
type messageTurn struct {
	after []<-chan struct{} // closed when it may begin
	leave func()            // nobody waits for it any longer; may be called more than once, by any goroutine
}

// busy reports whether a message in order has not ended yet.
func (q *messageOrder) busy() bool {
	if q.last == nil {
		return false
	}
	select {
	case <-q.last:
		return false
	default:
		return true
	}
}

// take returns the turn of the next message.
func (q *messageOrder) take(inOrder bool) messageTurn {
	var t messageTurn
	if q.busy() {
		t.after = append(t.after, q.last)
	}
	if q.since == nil {
		q.since = newEntrance()
	}
	if !inOrder {
		q.since.enter()
		t.leave = sync.OnceFunc(q.since.leave)
		return t
	}
	q.since.close()
	t.after = append(t.after, q.since.empty)
	ended := make(chan struct{})
	t.leave = sync.OnceFunc(func() { close(ended) })
	q.last, q.since = ended, nil
	return t
}

// await waits until the turn has come. It reports false if that took longer than wait, or ctx ended before.
func (t messageTurn) await(ctx context.Context, wait time.Duration) bool {
	if len(t.after) == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for _, before := range t.after {
		if !came(ctx, before) {
			return false
		}
	}
	return true
}
